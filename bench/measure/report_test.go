package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// runOn runs the command on a copy of a page.
func runOn(t *testing.T, page string, args ...string) (code int, stderr, after string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.md")
	write(t, path, page)
	var b strings.Builder
	code = runReport(append([]string{"-page", path, "-results", "../results"}, args...), &b)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return code, b.String(), string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The tables of the page are those of the raw files, a change of one is found, and prose stays.
func TestCheck(t *testing.T) {
	text, err := os.ReadFile("../../BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if code, stderr, after := runOn(t, page, "-check"); code != 0 || after != page {
		t.Errorf("exit %d: %s", code, stderr)
	}
	wrong := strings.Replace(strings.Replace(page, "English text to counts of words", "Text", 1), "# Benchmarks", "# Figures", 1)
	code, stderr, after := runOn(t, wrong, "-check")
	if code != 1 || !strings.Contains(stderr, "differs from what the raw results give") || !strings.Contains(stderr, "is:   | Text |") || after != wrong {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, stderr, after := runOn(t, wrong); code != 0 || after != strings.Replace(page, "# Benchmarks", "# Figures", 1) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestNoPage(t *testing.T) {
	var b strings.Builder
	if code := runReport([]string{"-page", filepath.Join(t.TempDir(), "no.md")}, &b); code != 2 || !strings.Contains(b.String(), "no.md") {
		t.Errorf("exit %d: %s", code, b.String())
	}
	if code, stderr, _ := runOn(t, "<!-- table none -->\n<!-- end -->\n"); code != 2 || !strings.Contains(stderr, "table none: there is no table of that name") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-h"}, 0, "A raw file is the output of go test -bench"},
		{[]string{"-nonsense"}, 2, "not defined"},
		{[]string{"argument"}, 2, `it takes no arguments, got "argument"`},
	} {
		var b strings.Builder
		if code := runReport(test.args, &b); code != test.code || !strings.Contains(b.String(), test.want) {
			t.Errorf("%v: exit %d: %s", test.args, code, b.String())
		}
	}
}

func TestFigures(t *testing.T) {
	r := &report{dir: "testdata"}
	counts := func(impl string) string { return "engine.txt ^Counts/impl=" + impl + "/set=L$" }
	for _, test := range []struct {
		figure        figure
		text, verdict string
	}{
		{figure{of: counts("avx512"), unit: "ns/posting", as: "ns a posting", required: 0.45, wanted: 0.3, less: true}, "0.440 ns a posting ±3 %", "required met"},
		{figure{of: counts("generic"), unit: "ns/posting", required: 1, less: true}, "1.60 ±2 %", "missed by 60 %"},
		{figure{of: "engine.txt ^Few/.*set=L$", unit: "MB/s", required: 120}, "102 ±1 % (n=3)", "missed by 15 %"},
		{figure{of: counts("avx512"), over: counts("generic"), unit: "ms/op", required: 3, wanted: 3.5}, "3.64 ×", "wanted met"},
		{figure{of: counts("generic"), over: counts("avx512"), unit: "ms/op", required: 0.3, less: true}, "0.275 ×", "required met"},
		{figure{of: counts("avx512"), over: counts("generic"), unit: "MB/s", required: 4}, "3.60 ×", "missed by 10 %"},
	} {
		var value float64
		var text string
		err := lab.Try(func() { value, text = r.measure(test.figure) })
		if err != nil || text != test.text || test.figure.verdict(value) != test.verdict {
			t.Errorf("%+v: %q, %q, %v", test.figure, text, test.figure.verdict(value), err)
		}
	}
}

func TestErrorsOfReferences(t *testing.T) {
	r := &report{dir: "testdata"}
	for _, test := range []struct{ reference, unit, want string }{
		{"engine.txt ^None/", "ns/op", "engine.txt has no benchmark that `^None/` matches; it has Counts, Read, Few"},
		{"engine.txt (", "ns/op", "error parsing regexp"},
		{"engine.txt ^Counts/", "ns/op", "`^Counts/` matches 4 benchmarks, Counts/impl=generic/set=S and"},
		{"engine.txt ^Read/", "ns/token", "have no ns/token; the first one has"},
		{"missing.txt x", "ns/op", "missing.txt: open"},
	} {
		if err := lab.Try(func() { r.sample(test.reference, test.unit) }); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.reference, err, test.want)
		}
	}
}

func TestErrorsOfRawFiles(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"", "raw.txt: no results in it"},
		{"goos: linux\n", "raw.txt: no results in it"},
		{"BenchmarkA 1 5 ns/op\nFAIL\n", `raw.txt: the run has failed ("FAIL")`},
		{"BenchmarkA 1 5 ns/op\n--- FAIL: BenchmarkB\n", "the run has failed"},
		{"BenchmarkA 1 5 ns/op\nBenchmarkA some log\n", "raw.txt:2: parsing iteration count"},
	} {
		path := filepath.Join(t.TempDir(), "raw.txt")
		write(t, path, test.raw)
		if err := lab.Try(func() { readRaw(path, "raw.txt") }); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.raw, err, test.want)
		}
	}
}

// The tables that wait for a machine of many processors can be made of what these commands write.
func TestTargetsOfTextAndProcessors(t *testing.T) {
	r := &report{dir: "testdata"}
	for name, want := range map[string][]string{
		"text":       {"| `char_wb` 3-5, MB/s | 40 | 60 | 20.3 ±0 % (n=1) | missed by 49 % |", "| 25 | 50 | 32.4 × (n=1) | required met |"},
		"processors": {"as a share of that | 0.9 | 1 | ", "memory of `index`: all / one | 1.5 | 1.2 | 1.14 × (n=1) | wanted met |", "14.3 × (n=1)"},
	} {
		table, err := lab.TryOf(func() string { return r.table(name).String() })
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(table, part) {
				t.Errorf("%s: no %q in\n%s", name, part, table)
			}
		}
	}
}

func TestShares(t *testing.T) {
	r := &report{dir: "testdata"}
	whole := figure{of: "processes.txt ^Process/what=index/threads=1$", over: "processes.txt ^Process/what=index/threads=MOST$", unit: "B-peak"}
	part := whole
	part.share = &whole
	if value, text := r.measure(part); value != 1 || text != "1.00 (1.14 × of 1.14 × (n=1)) (n=1)" {
		t.Errorf("%v, %q", value, text)
	}
}
