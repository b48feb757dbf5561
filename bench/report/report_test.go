package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/markdown"
)

var update = flag.Bool("update", false, "write testdata/golden.md again")

func TestGolden(t *testing.T) {
	text, warnings, err := render("testdata/layout.md")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/golden.md", text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/golden.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		line, is, should := markdown.FirstDifference(string(text), string(want))
		t.Errorf("line %d (write it again with -update if that is right)\n is:   %s\n want: %s", line, is, should)
	}
	const few = "engine.txt: Few/impl=generic/set=L has 3 of at least 6 runs; measure it with -count 6"
	if len(warnings) != 1 || warnings[0] != few {
		t.Errorf("warnings %q, want only %q", warnings, few)
	}
}

// runHere runs the command on a layout of one line beside the raw file.
func runHere(t *testing.T, layout, raw string, args ...string) (code int, stderr, out string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "layout.md"), layout)
	write(t, filepath.Join(dir, "engine.txt"), raw)
	out = filepath.Join(dir, "out.md")
	var b strings.Builder
	code = run(append([]string{"-layout", filepath.Join(dir, "layout.md"), "-out", out}, args...), &b)
	return code, b.String(), out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func testRaw(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/engine.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestErrorsNameFileLineAndPattern(t *testing.T) {
	raw := testRaw(t)
	for _, test := range []struct{ directive, want string }{
		{"{{table file=engine.txt match=`^None/` rows=set cols=impl unit=ns/op}}", "engine.txt has no benchmark that match=`^None/` matches; it has Counts, Read, Few"},
		{"{{table file=engine.txt match=`^Counts/` rows=set cols=impl unit=ns/op procs=4}}", "match=`^Counts/` with procs=4 matches"},
		{"{{table file=engine.txt match=`(` rows=set cols=impl unit=ns/op}}", "match=: error parsing regexp"},
		{"{{list file=engine.txt match=x pkg=`(` unit=ns/op}}", "pkg=: error parsing regexp"},
		{"{{table file=engine.txt match=`^Counts/` rows=set cols=size unit=ns/op}}", "Counts/impl=generic/set=S has no key size="},
		{"{{table file=engine.txt match=`^Counts/` rows=what cols=impl unit=ns/op}}", "has no key what="},
		{"{{table file=engine.txt match=`^Counts/` rows=name cols=impl unit=ns/op}}", "would be the same place of the table"},
		{"{{table file=engine.txt match=`^Few/` rows=set cols=impl unit=ns/op}}", `nothing for row "L", column "avx2" among what match=` + "`^Few/`"},
		{"{{table file=engine.txt match=`^Counts/` rows=set cols=impl unit=ns/token}}", "have no ns/token; the first one has MB/s, ns/op, ns/posting"},
		{"{{list file=engine.txt match=`^Counts/` unit=B/op}}", "have no B/op"},
		{"{{list file=missing.txt match=x unit=ns/op}}", "missing.txt: open"},
		{"{{list file=engine.txt match=x}}", "list needs unit="},
		{"{{list file=engine.txt match=x unit=ns/op rows=set}}", "list takes no argument rows=; it takes file, match, unit, pkg, procs"},
		{"{{list file=engine.txt file=engine.txt}}", "file= is there twice"},
		{"{{list file=engine.txt match=`x}}", "match=: the value has no closing `"},
		{"{{list file=engine.txt match=`x`y unit=ns/op}}", "expected a space after the closing `"},
		{"{{list file}}", `expected key=value at "file"`},
		{"{{plot file=engine.txt}}", `there is no directive "plot"`},
		{"{{list file=engine.txt", "a directive is one line"},
		{"Text {{list file=engine.txt match=x unit=ns/op}}", "a directive is one line"},
		{"{{ratio file=engine.txt match=`^Counts/` key=impl base=avx2 unit=ns/op}}", `no benchmark has the base "avx2"; there are generic, avx512`},
		{"{{ratio file=engine.txt match=`^Counts/` key=size base=x unit=ns/op}}", "has no key size="},
		{"{{ratio file=engine.txt match=`^Few/` key=impl base=generic unit=ns/op}}", `nothing for row`},
		{"{{target file=engine.txt match=`^Counts/` unit=ns/op required=1 better=less}}", "match=`^Counts/` matches 4 benchmarks"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1}}", "target needs better=less or better=more"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=small}}", "better=small: it is less or more"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=one better=less}}", "required=one: it must be a number above 0"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 wanted=-1 better=less}}", "wanted=-1: it must be a number above 0"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 wanted=2 better=less}}", "wanted=2 asks for less than required=1"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/token required=1 better=less}}", "have no ns/token"},
		{"{{target file=engine.txt match=`^Read/` over=`^None/` unit=ns/op required=1}}", "over=`^None/` matches"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=less reference=2}}", "yardstick= needs reference="},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=less yardstick=`^Read/`}}", "yardstick= needs reference="},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=less yardstick=`^None/` reference=2}}", "yardstick=`^None/` matches"},
		{"{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=less yardstick=`^Read/` reference=no}}", "reference=no: it must be a number above 0"},
		{"{{target file=engine.txt match=`^Read/` unit=MB/s required=1 better=more yardstick=`^Read/` reference=2}}", "yardstick= is for times"},
		{"{{target file=engine.txt match=`^Read/` over=`^Read/` unit=ns/op required=1 yardstick=`^Read/` reference=2}}", "over= makes a ratio"},
		{"{{roofline file=engine.txt match=`^None/` bandwidth=`^Read/`}}", "match=`^None/` matches"},
		{"{{roofline file=engine.txt match=`^Counts/` bandwidth=`^None/`}}", "bandwidth=`^None/` matches"},
		{"{{roofline file=engine.txt match=`^Counts/` bandwidth=`^Counts/`}}", "it must match one"},
		{"{{machine file=engine.txt keys=microcode}}", `engine.txt has no line "microcode: ..." above its results; it has cpu`},
	} {
		code, stderr, out := runHere(t, "# Title\n\n"+test.directive+"\n", raw)
		if code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%s\n exit %d: %s want: %s", test.directive, code, stderr, test.want)
		}
		if !strings.Contains(stderr, "layout.md:3: "+test.directive) {
			t.Errorf("%s\n does not say where: %s", test.directive, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: it has written a report", test.directive)
		}
	}
}

func TestErrorOfTheSecondTarget(t *testing.T) {
	good := "{{target file=engine.txt match=`^Read/` unit=ns/op required=1 better=less}}\n"
	bad := "{{target file=engine.txt match=`^None/` unit=ns/op required=1 better=less}}\n"
	code, stderr, _ := runHere(t, good+bad, testRaw(t))
	if code != 2 || !strings.Contains(stderr, "layout.md:2: {{target file=engine.txt match=`^None/`") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestErrorsOfRawFiles(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"", "engine.txt: no results in it"},
		{"goos: linux\n", "engine.txt: no results in it"},
		{"BenchmarkA 1 5 ns/op\nFAIL\n", `engine.txt: the run has failed ("FAIL")`},
		{"BenchmarkA 1 5 ns/op\n--- FAIL: BenchmarkB\n", "the run has failed"},
		{"BenchmarkA 1 5 ns/op\nBenchmarkA some log\n", "engine.txt:2: parsing iteration count"},
		{"BenchmarkA 1 5 ns/op\n", "says nothing about the machine"},
		{"pkg: a\nBenchmarkA 1 5 ns/op\n", "says nothing about the machine"},
	} {
		code, stderr, _ := runHere(t, "{{machine file=engine.txt}}\n", test.raw)
		if code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%q: exit %d: %s want: %s", test.raw, code, stderr, test.want)
		}
	}
}

func TestAmbiguousBenchmarks(t *testing.T) {
	const raw = "pkg: a\nBenchmarkA/set=x 1 5 ns/op\nBenchmarkA/set=x-2 1 4 ns/op\npkg: b\nBenchmarkA/set=x 1 6 ns/op\n"
	code, stderr, _ := runHere(t, "{{list file=engine.txt match=A unit=ns/op}}\n", raw)
	if code != 2 || !strings.Contains(stderr, `A/set=x (file engine.txt, pkg "a", procs 1) and A/set=x (file engine.txt, pkg "a", procs 2) would be the same`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	for _, narrow := range []string{
		"{{list file=engine.txt match=A unit=ns/op pkg=^a$ procs=1}}",
		"{{table file=engine.txt match=A rows=set cols=procs unit=ns/op pkg=^a$}}",
		"{{table file=engine.txt match=A rows=set cols=pkg unit=ns/op procs=1}}",
	} {
		if code, stderr, _ := runHere(t, narrow+"\n", raw); code != 0 {
			t.Errorf("%s: exit %d: %s", narrow, code, stderr)
		}
	}
	code, stderr, _ = runHere(t, "{{list file=engine.txt,engine.txt match=A unit=ns/op pkg=^a$ procs=1}}\n", raw)
	if code != 2 || !strings.Contains(stderr, "the same place") {
		t.Errorf("the same benchmark of two files: exit %d: %s", code, stderr)
	}
}

func TestLayoutErrors(t *testing.T) {
	code, stderr, _ := runHere(t, "a\n```\n{{x}}\n", testRaw(t))
	if code != 2 || !strings.Contains(stderr, "layout.md:2: the fenced block that begins here has no end") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	var b strings.Builder
	if code := run([]string{"-layout", filepath.Join(t.TempDir(), "no.md")}, &b); code != 2 || !strings.Contains(b.String(), "the layout cannot be read") {
		t.Errorf("exit %d: %s", code, b.String())
	}
}

func TestCheck(t *testing.T) {
	layout, raw := "Text\n", testRaw(t)
	code, stderr, out := runHere(t, layout, raw)
	if code != 0 {
		t.Fatal(stderr)
	}
	again := []string{"-layout", filepath.Join(filepath.Dir(out), "layout.md"), "-out", out, "-check"}
	var b strings.Builder
	if code := run(again, &b); code != 0 {
		t.Errorf("exit %d though nothing differs: %s", code, b.String())
	}
	have, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, out, strings.Replace(string(have), "Text", "Other", 1))
	if code := run(again, &b); code != 1 || !strings.Contains(b.String(), "out.md:4 differs") || !strings.Contains(b.String(), "Other") {
		t.Errorf("exit %d: %s", code, b.String())
	}
	if after, _ := os.ReadFile(out); !strings.Contains(string(after), "Other") {
		t.Error("-check has written the file")
	}
	write(t, out, string(have)+"more\n")
	if code := run(again, &b); code != 1 {
		t.Errorf("a longer file: exit %d", code)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if code := run(again, &b); code != 2 {
		t.Errorf("no file to compare with: exit %d", code)
	}
}

func TestFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-h"}, 0, "How a raw file is made"},
		{[]string{"-nonsense"}, 2, "not defined"},
		{[]string{"argument"}, 2, `it takes no arguments, got "argument"`},
	} {
		var b strings.Builder
		if code := run(test.args, &b); code != test.code || !strings.Contains(b.String(), test.want) {
			t.Errorf("%v: exit %d: %s", test.args, code, b.String())
		}
	}
}
