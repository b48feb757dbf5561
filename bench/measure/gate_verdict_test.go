package main

import (
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestVerdicts(t *testing.T) {
	steady := []float64{100, 101, 102, 103, 104, 105, 106, 107}
	for _, test := range []struct {
		what       string
		base, head []float64
		want       verdict
	}{
		{"20 % slower", steady, scaled(steady, 1.2), slower},
		{"20 % slower, four runs", steady[:4], scaled(steady[:4], 1.2), slower},
		{"9 % slower, significant", steady, scaled(steady, 1.09), unchanged},
		{"slower by wide noise", []float64{100, 90, 300, 80}, []float64{110, 320, 85, 310}, perhapsSlower},
		{"20 % faster", steady, scaled(steady, 0.8), faster},
		{"faster by wide noise", []float64{110, 320, 85, 310}, []float64{100, 90, 300, 80}, unchanged},
		{"the same", steady, steady, unchanged},
		{"all equal", []float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, unchanged},
		{"equal but twice", []float64{5, 5, 5, 5, 5}, []float64{10, 10, 10, 10, 10}, slower},
		{"from nothing", []float64{0, 0, 0, 0}, []float64{1, 1, 1, 1}, slower},
		{"nothing at all", []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, unchanged},
		{"three runs", steady[:3], scaled(steady[:3], 2), tooFewRuns},
		{"three runs of head", steady, scaled(steady[:3], 2), tooFewRuns},
		{"removed", steady, nil, onlyBase},
		{"new", nil, steady, onlyHead},
	} {
		if c := compare(test.base, test.head, 10); c.verdict != test.want {
			t.Errorf("%s: %q with p = %v, delta %v; want %q", test.what, c.verdict, c.p, c.delta, test.want)
		}
	}
}

func scaled(values []float64, by float64) []float64 {
	result := make([]float64, len(values))
	for i, v := range values {
		result[i] = v * by
	}
	return result
}

func TestOutputIsRead(t *testing.T) {
	const base = `goos: linux
pkg: example.org/a
BenchmarkA/impl=generic/set=x-2   	 100	 2.5 ns/op	 7 cpu-ns/op	 3 B/op
BenchmarkZero 	 100	 0 ns/op
BenchmarkGone 	 100	 9 ns/op
PASS
`
	const head = "BenchmarkA/impl=generic/set=x-2 100 3.5 ns/op 8 cpu-ns/op\nBenchmarkZero 100 0 ns/op\nBenchmarkNew 5 1 ns/op\n"
	var r gateResults
	for range 4 {
		for side, output := range []string{base, head} {
			if err := lab.Try(func() { r.add("example.org/a", side, output) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []comparison{
		{name: "A/impl=generic/set=x-2", unit: cpuTime, base: 7, head: 8, verdict: slower},
		{name: "A/impl=generic/set=x-2", unit: wallTime, base: 2.5, head: 3.5, verdict: notJudged},
		{name: "Zero", unit: wallTime, verdict: unchanged},
		{name: "Gone", unit: wallTime, base: 9, head: math.NaN(), verdict: onlyBase},
		{name: "New", unit: wallTime, base: math.NaN(), head: 1, verdict: onlyHead},
	}
	got := r.judge(10)
	if len(got) != len(want) {
		t.Fatalf("%d comparisons, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		if g.name != w.name || g.unit != w.unit || g.verdict != w.verdict || !same(g.base, w.base) || !same(g.head, w.head) {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	var b strings.Builder
	if !printTable(&b, got, 10) {
		t.Error("it does not fail")
	}
	for _, line := range []string{"a: Zero ", "only in head", "2 judged: 1 slower by more than 10 % with p < 0.05, 0 faster; 2 only in one revision"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
	if err := lab.Try(func() { r.add("a", 0, "BenchmarkA-2 log line\n") }); err == nil {
		t.Error("a line that is no result goes unnoticed")
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestGateFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-h"}, 0, "usage: go run ./bench/measure gate"},
		{nil, 2, "say with -base"},
		{[]string{"-base", "main", "x"}, 2, `it takes no arguments, got "x"`},
		{[]string{"-base", "main", "-count", "3"}, 2, "-count 3 is too few"},
		{[]string{"-base", "main", "-limit", "0"}, 2, "-limit 0: it must be"},
		{[]string{"-base", "main", "-limit", "NaN"}, 2, "-limit NaN: it must be"},
		{[]string{"-base", "main", "-bench", "("}, 2, "-bench: error parsing regexp"},
		{[]string{"-base", "main", "-time", "soon"}, 2, "-time soon: it must be"},
		{[]string{"-base", "main", "-nonsense"}, 2, "not defined: -nonsense; see -h"},
	} {
		var out, errs strings.Builder
		if code := runGate(t.Context(), test.args, &out, &errs); code != test.code || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%v: exit %d: %s", test.args, code, errs.String())
		}
	}
}
