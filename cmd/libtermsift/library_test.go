//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

var (
	_       = flag.Bool("update", false, "write the list of public names")
	release = flag.String("header", "", "write the header of a release to this file")
)

// A built is the library in both forms, and the programs of the tests linked with it.
type built struct {
	shared, archive              string
	driver, hostile, guards, bad string
	command                      string
}

var (
	building    sync.Once
	buildFailed error
	theBuilt    built
	buildDir    string
)

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// needCompiler skips the test without a compiler.
func needCompiler(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("there is no C compiler: %s is not installed", name)
	}
}

// build makes the library and the driver once for all tests. Without a C compiler the test
// is skipped, and with -short: what is built takes a minute, and the race detector does not see into its processes.
func build(t *testing.T) built {
	t.Helper()
	if testing.Short() {
		t.Skip("testing.Short: builds the library and programs that call it")
	}
	needCompiler(t, "gcc")
	building.Do(func() { theBuilt, buildFailed = buildAll() })
	if buildFailed != nil {
		t.Fatal(buildFailed)
	}
	return theBuilt
}

func buildAll() (b built, err error) {
	if buildDir, err = os.MkdirTemp("", "libtermsift"); err != nil {
		return b, err
	}
	here, err := os.Getwd()
	if err != nil {
		return b, err
	}
	b = built{
		shared: filepath.Join(buildDir, "libtermsift.so.1"), archive: filepath.Join(buildDir, "libtermsift.a"),
		driver: filepath.Join(buildDir, "driver"), hostile: filepath.Join(buildDir, "hostile"), guards: filepath.Join(buildDir, "guards"),
		bad: filepath.Join(buildDir, "bad"), command: filepath.Join(buildDir, "termsift"),
	}
	link := `-s -w -extldflags "'-Wl,--version-script=` + filepath.Join(here, "symbols.map") + `' -Wl,-soname,libtermsift.so.1"`
	for _, c := range [][]string{
		{"go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags", link, "-o", b.shared, "."},
		{"go", "build", "-buildmode=c-archive", "-trimpath", "-o", b.archive, "."},
		{"go", "build", "-o", b.command, "../termsift"},
	} {
		if out, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return b, fmt.Errorf("%s: %w\n%s", strings.Join(c, " "), err, out)
		}
	}
	for _, program := range []string{b.driver, b.hostile, b.guards, b.bad} {
		source := filepath.Join("testdata", filepath.Base(program)+".c")
		c := exec.Command("gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-o", program, source, b.shared, "-pthread", "-Wl,-rpath,"+buildDir)
		if out, err := c.CombinedOutput(); err != nil {
			return b, fmt.Errorf("%s: %w\n%s", source, err, out)
		}
	}
	return b, nil
}

// run runs a program and returns its standard output. It must end with 0.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &stdout, &stderr, time.Second
	started := time.Now()
	if err := c.Run(); err != nil {
		text := stderr.String()
		t.Fatalf("%s %s after %v: %v\n%s", filepath.Base(name), strings.Join(args, " "), time.Since(started), err, text[:min(len(text), 4000)])
	}
	return stdout.String()
}

// The library stays small: its README says what was left out for that.
func TestSize(t *testing.T) {
	info := testkit.Must(os.Stat(build(t).shared))
	if info.Size() > 8_200_000 {
		t.Errorf("the library has %d bytes, more than 8.2 MB", info.Size())
	}
}

// The example prints the same however it is compiled and linked, without a warning.
func TestExample(t *testing.T) {
	b := build(t)
	const want = "goal       4.000\nmatch      4.000\norbit      4.000\ncolumn 0: 1\ncolumn 1: 2\n" +
		"term 0: chi 4.000, ig 0.693, df 2\nterm 1: chi 4.000, ig 0.693, df 2\n"
	for _, library := range []string{b.shared, b.archive} {
		for _, std := range []string{"c99", "c11", "c17"} {
			program := filepath.Join(t.TempDir(), "example")
			run(t, "gcc", "-std="+std, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I.", "-o", program, "example/example.c", library, "-pthread", "-Wl,-rpath,"+buildDir)
			testkit.Equal(t, run(t, program), want, filepath.Base(library), std)
		}
	}
}

// The header is C++, too.
func TestHeaderInCPlusPlus(t *testing.T) {
	b := build(t)
	needCompiler(t, "g++")
	source, program := filepath.Join(t.TempDir(), "x.cc"), filepath.Join(t.TempDir(), "x")
	text := "#include <cstdio>\n#include \"termsift.h\"\nint main() { std::puts(ts_version()); return ts_abi_version() - TS_ABI_VERSION; }\n"
	testkit.Write(source, text)
	run(t, "g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I.", "-o", program, source, b.shared, "-Wl,-rpath,"+buildDir)
	testkit.Equal(t, run(t, program), table.Version+"\n", "ts_version", "that of the engine", table.Version)
}

// What callers have compiled in does not change: functions, sizes and places in structs, values, the symbols with their
// version, and the name of the library. The driver knows all that the header has.
func TestPublicNamesOfC(t *testing.T) {
	b := build(t)
	listed := run(t, b.driver, "abi") + symbols(t, b.shared)
	header := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(testkit.Must(os.ReadFile("termsift.h"))), "")
	for _, name := range regexp.MustCompile(`\bTS_\w+|\bts_\w+;`).FindAllString(header, -1) {
		line := "\n" + name + " "
		if of, isType := strings.CutSuffix(name, ";"); isType {
			line = "sizeof " + of + " "
		}
		testkit.Contains(t, "\n"+listed, line, "the driver prints")
	}
	for _, function := range regexp.MustCompile(`(?m)^(int32_t|const char \*) ?ts_[^;]*;`).FindAllString(header, -1) {
		listed += strings.Join(strings.Fields(function), " ") + "\n"
	}
	testkit.Public(t, "c", strings.Split(strings.TrimSpace(listed), "\n"))
}

// The header of a release lists the options that the operations declare.
func TestOptionsOfTheHeader(t *testing.T) {
	before, after, found := strings.Cut(string(testkit.Must(os.ReadFile("termsift.h"))), " lists them here.\n")
	options := declaredOptions()
	if want := " *     hash-bits           hash terms into 2^N columns"; !found || !strings.Contains(options, want) || strings.Contains(options, "*/") {
		t.Errorf("a place for the options in the header: %v; they must have %q:\n%s", found, want, options)
	}
	if *release != "" {
		testkit.Write(*release, before+" lists them below.\n *\n * Options of\n *\n"+options+after)
	}
}

// declaredOptions lists the options of the operations that take the same ones.
func declaredOptions() string {
	var text, last strings.Builder
	takers := map[string][]string{}
	var order []string
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		if op := operations[name]; op.takes != nil {
			settings := op.takes()
			setDefaults(settings)
			for _, s := range settings {
				line := fmt.Sprintf(" *     %-20s%s (%s)\n", s.Name, s.Help, strings.Join(slices.DeleteFunc([]string{domain(s), bounds(s), initial(s)}, func(s string) bool { return s == "" }), "; "))
				if takers[line] == nil {
					order = append(order, line)
				}
				takers[line] = append(takers[line], name)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int {
		return strings.Compare(strings.Join(takers[a], ", "), strings.Join(takers[b], ", "))
	})
	for _, line := range order {
		if of := strings.Join(takers[line], ", "); of != last.String() {
			last.Reset()
			last.WriteString(of)
			text.WriteString(" *   " + of + "\n")
		}
		text.WriteString(line)
	}
	return text.String()
}

// symbols lists what a library offers, and what it asks of the C library.
func symbols(t *testing.T, library string) string {
	t.Helper()
	f := testkit.Must(elf.Open(library))
	defer f.Close()
	all := testkit.Must(f.DynamicSymbols())
	var lines []string
	for _, s := range all {
		switch {
		case strings.HasPrefix(s.Version, "GLIBC_2."):
			if n, err := strconv.ParseFloat(strings.TrimPrefix(s.Version, "GLIBC_2."), 64); err != nil || n > 34 {
				t.Errorf("%s asks for %s; GLIBC_2.34 is the newest that is promised", s.Name, s.Version)
			}
		case s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_ABS:
			lines = append(lines, fmt.Sprintf("symbol %s %s\n", s.Name, s.Version))
		}
	}
	slices.Sort(lines)
	names := testkit.Must(f.DynString(elf.DT_SONAME))
	return strings.Join(lines, "") + "soname " + strings.Join(names, " ") + "\n"
}

// In a child of a fork every function returns TS_FORKED, whether the library was used before
// or only loaded, and never hangs.
func TestFork(t *testing.T) {
	b := build(t)
	for _, used := range []string{"0", "1"} {
		run(t, b.driver, "forked", used)
	}
}

// Sixteen threads at the same time get what one gets, each in a thousand calls.
func TestThreads(t *testing.T) {
	run(t, build(t).driver, "threads", "16", "1000")
}

// A call that is cancelled ends soon: 0.02 s after its beginning it is told to.
func TestCancel(t *testing.T) {
	out := run(t, build(t).driver, "cancelled")
	took, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil || took > 1 {
		t.Errorf("a call was cancelled after %s s: %v", out, err)
	}
}

// A hundred thousand calls leave no memory behind. Without TERMSIFT_HEAVY there are ten thousand.
func TestGrowthOfMemory(t *testing.T) {
	calls := 10_000
	if testkit.AllCases() {
		calls = 100_000
	}
	out := run(t, build(t).driver, "memory", strconv.Itoa(calls))
	if kib, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || kib > 5<<10 {
		t.Errorf("the resident memory grew by %s KiB in %d calls: %v", strings.TrimSpace(out), calls, err)
	}
	t.Logf("%d calls: %s KiB", calls, strings.TrimSpace(out))
}
