package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/kernels"
)

// A session is one call of the command.
type session struct {
	opt      *options
	temp     string
	stderr   io.Writer
	header   string
	binaries map[string]binary // by package
}

// collector is the setting of the garbage collector that everything is measured with: Go's
// own, which the command runs with. GOGC=400 takes 3 % less CPU time from a file
// of 20 Newsgroups to svmlight, on one thread or two, and a quarter or a half more memory.
const collector = "GOGC=100"

// stage measures one stage and writes its raw file.
func (s *session) stage(ctx context.Context, g stage) {
	started, text := time.Now(), s.header
	if g.run != nil {
		text += g.run(s, ctx)
	} else {
		text += "command: " + s.command(g) + "\n" + s.rounds(ctx, g)
	}
	fmt.Fprintf(s.stderr, "measure: %s took %s\n", g.name, time.Since(started).Round(time.Second))
	lab.Check(os.WriteFile(filepath.Join(s.opt.out, g.name+".txt"), []byte(text), 0o666))
}

// rounds runs the paths in turn.
func (s *session) rounds(ctx context.Context, g stage) string {
	b := s.build(ctx, g.pkg)
	var all strings.Builder
	left := s.opt.count
	for round := 0; left > 0; round++ {
		n := min(max(g.repeat, 1), left)
		left -= n
		for _, path := range inTurn(g.pathsToRun(), round) {
			fmt.Fprintf(s.stderr, "measure: %s, %d left %s\n", g.name, left, path)
			cmd := command(ctx, b.dir, b.path, s.flags(g, n, "-test.")...)
			cmd.Env = append(cmd.Environ(), collector, kernels.PathVariable+"="+path, "TERMSIFT_SETS="+g.restrict(s.opt.sets))
			all.WriteString(results(output(cmd)))
		}
	}
	return all.String()
}

// inTurn has another path begin each round.
func inTurn(paths []string, round int) []string {
	first := round % len(paths)
	return append(append([]string(nil), paths[first:]...), paths[:first]...)
}

// pathsToRun lists paths of the kernels; "" is the best of the CPU.
func (g stage) pathsToRun() []string {
	if !g.paths {
		return []string{""}
	}
	paths := []string{kernels.Generic}
	if best := kernels.Path(); best != kernels.Generic {
		if best == kernels.AVX512 && cpuid.CPU.Supports(cpuid.AVX2) {
			paths = append(paths, kernels.AVX2)
		}
		paths = append(paths, best)
	}
	return paths
}

// flags are those of go test, or of a test binary.
func (s *session) flags(g stage, count int, prefix string) []string {
	benchtime := g.time
	if s.opt.time != "" {
		benchtime = s.opt.time
	}
	flag := func(name, value string) string { return "-" + prefix + name + "=" + value }
	return []string{
		flag("run", "^$"), flag("bench", g.bench), flag("benchtime", benchtime),
		flag("count", strconv.Itoa(count)), flag("cpu", strconv.Itoa(g.processors())),
	}
}

func (g stage) processors() int {
	if g.procs == all {
		return runtime.NumCPU()
	}
	return max(g.procs, 1)
}

// command is what a person types for the same on one path.
func (s *session) command(g stage) string {
	words := []string{collector}
	if g.paths {
		words = append(words, kernels.PathVariable+"=PATH")
	}
	if sets := g.restrict(s.opt.sets); sets != "" && sets != nothing {
		words = append(words, "TERMSIFT_SETS="+sets)
	}
	words = append(words, "go", "test", g.pkg)
	for _, flag := range s.flags(g, s.opt.count, "") {
		if strings.ContainsAny(flag, "^$|()") {
			name, value, _ := strings.Cut(flag, "=")
			flag = name + " '" + value + "'"
		}
		words = append(words, flag)
	}
	return strings.Join(words, " ")
}

// build makes the test binary of a package.
func (s *session) build(ctx context.Context, pkg string) binary {
	b, ok := s.binaries[pkg]
	switch {
	case ok:
	case s.opt.from != "":
		b = binary{lab.Need(filepath.Abs(filepath.Join(s.opt.from, testBinary(pkg)))), pkg}
	default:
		b = binary{filepath.Join(s.temp, testBinary(pkg)), pkg}
		buildTest(ctx, "", b.path, pkg)
	}
	s.binaries[pkg] = b
	return b
}

// testBinary names the file of the test binary of a package.
func testBinary(pkg string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pkg, "./"), "/", "-") + ".test"
}

// peers runs the comparison, which writes where it comes from itself.
func (s *session) peers(ctx context.Context) string {
	path := filepath.Join(s.temp, "peers.txt")
	fmt.Fprintln(s.stderr, "measure: peers")
	output(command(ctx, "", "go", "run", "./bench/compare", "-rounds", strconv.Itoa(s.opt.count), "-o", path))
	return string(lab.Need(os.ReadFile(path)))
}

// originFile says, beside the binaries of -build, which commit these are of.
const originFile = "origin.json"

// pack builds this command, termsift and the test binaries of the stages for a machine without
// Go, and writes down their origin.
func (s *session) pack(ctx context.Context) {
	lab.Check(os.MkdirAll(s.opt.build, 0o777))
	text := lab.Need(json.Marshal(lab.Need(lab.OriginHere(ctx))))
	lab.Check(os.WriteFile(filepath.Join(s.opt.build, originFile), text, 0o666))
	builds := [][]string{
		{"build", "-o", filepath.Join(s.opt.build, "measure"), "./bench/measure"},
		{"build", "-o", filepath.Join(s.opt.build, commandFile), "./cmd/termsift"},
	}
	var packages []string
	for _, g := range stageList {
		if g.asked(s.opt) && g.pkg != "" && !slices.Contains(packages, g.pkg) {
			packages = append(packages, g.pkg)
			builds = append(builds, []string{"test", "-c", "-ldflags=-s -w", "-o", filepath.Join(s.opt.build, testBinary(g.pkg)), g.pkg})
		}
	}
	for _, args := range builds {
		fmt.Fprintln(s.stderr, "measure: go", args[0], args[len(args)-1])
		build := command(ctx, "", "go", args...)
		build.Env = append(build.Environ(), "CGO_ENABLED=0")
		output(build)
	}
}

// origin says what the results come from: this machine, and the commit of the sources
// or of the binaries.
func (s *session) origin(ctx context.Context) (built lab.Origin) {
	if s.opt.from == "" {
		return lab.Need(lab.OriginHere(ctx))
	}
	lab.In("-from needs a folder that -build made", func() {
		lab.Check(json.Unmarshal(lab.Need(os.ReadFile(filepath.Join(s.opt.from, originFile))), &built))
	})
	return lab.OriginOf(built.Commit)
}

// results keeps the lines that tools read: what a test logs may name folders of
// this machine.
func results(out string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		for _, prefix := range []string{"Benchmark", "goos: ", "goarch: ", "pkg: ", "cpu: "} {
			if strings.HasPrefix(line, prefix) {
				kept.WriteString(line)
				break
			}
		}
	}
	return kept.String()
}
