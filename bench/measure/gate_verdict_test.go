package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestVerdicts(t *testing.T) {
	steady := []float64{100, 101, 102, 103, 104, 105, 106, 107, 108}
	for _, test := range []struct {
		what       string
		base, head []float64
		want       verdict
	}{
		{"20 % slower", steady, scaled(steady, 1.2), slower},
		{"20 % slower, six runs", steady[:6], scaled(steady[:6], 1.2), slower},
		{"20 % slower, one pair is not", steady, append(scaled(steady[:8], 1.2), 100), slower},
		{"20 % slower, two pairs are not", steady, append(scaled(steady[:7], 1.2), 100, 100), untold},
		{"10 % slower", steady, scaled(steady, 1.1), unchanged},
		{"10 % slower, one pair is twice as slow", steady, append(scaled(steady[:8], 1.1), 216), unchanged},
		{"slower by wide noise", []float64{100, 90, 300, 80, 90, 100}, []float64{110, 320, 85, 310, 300, 120}, untold},
		{"20 % faster", steady, scaled(steady, 0.8), faster},
		{"10 % faster", steady, scaled(steady, 0.9), unchanged},
		{"the same", steady, steady, unchanged},
		{"all equal", []float64{5, 5, 5, 5, 5, 5}, []float64{5, 5, 5, 5, 5, 5}, unchanged},
		{"from nothing", []float64{0, 0, 0, 0, 0, 0}, []float64{1, 1, 1, 1, 1, 1}, slower},
		{"nothing at all", []float64{0, 0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0, 0}, unchanged},
		{"five runs", steady[:5], scaled(steady[:5], 2), tooFew},
		{"five runs of head", steady, scaled(steady[:5], 2), tooFew},
		{"removed", steady, nil, onlyBase},
		{"new", nil, steady, onlyHead},
	} {
		if c := compare(test.base, test.head, 15); c.verdict != test.want {
			t.Errorf("%s: %q, %v to %v; want %q", test.what, c.verdict, c.low, c.high, test.want)
		}
	}
}

// Runs as a busy machine gives them: each up to half as long again, by chance, and more where the neighbours
// of both sides are busy. What is 10 % slower never fails in so many trials, and what is 40 % slower mostly does.
func TestVerdictsOfNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	times := func(by float64, busy []float64) (all []float64) {
		for _, b := range busy {
			all = append(all, by*b*(1+r.ExpFloat64()/20))
		}
		return all
	}
	const trials = 500
	for _, test := range []struct {
		by          float64
		least, most int // trials that fail
	}{{1, 0, 0}, {1.1, 0, 5}, {1.2, 50, trials}, {1.4, trials - 5, trials}} {
		failed := 0
		for range trials {
			busy := make([]float64, 9)
			for i := range busy {
				busy[i] = 1 + r.ExpFloat64()
			}
			if compare(times(1, busy), times(test.by, busy), 15).verdict == slower {
				failed++
			}
		}
		if failed < test.least || failed > test.most {
			t.Errorf("%v times as slow: %d of %d trials fail", test.by, failed, trials)
		}
	}
}

// The intervals are those of the tables of the sign test: of 12 values the third and the tenth, of 20 the
// sixth and the fifteenth.
func TestInterval(t *testing.T) {
	for n, cut := range map[int]int{6: 1, 7: 1, 8: 1, 9: 2, 11: 2, 12: 3, 14: 3, 15: 4, 20: 6} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		if low, high := interval(values); low != float64(cut) || high != float64(n+1-cut) {
			t.Errorf("of %d values %v to %v, want %d to %d", n, low, high, cut, n+1-cut)
		}
	}
	if low, high := interval(make([]float64, 5)); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("five values have an interval from %v to %v", low, high)
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
	for range 6 {
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
	for _, line := range []string{"a: Zero ", "only in head", "2 judged: 1 slower by more than 10 % with the whole interval, 0 faster; 0 not judged, 2 only in one revision"} {
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
		{[]string{"-base", "main", "-count", "5"}, 2, "-count 5 is too few"},
		{[]string{"-base", "main", "-limit", "0"}, 2, "-limit 0: it must be"},
		{[]string{"-base", "main", "-limit", "NaN"}, 2, "-limit NaN: it must be"},
		{[]string{"-base", "main", "-bench", "("}, 2, "-bench: error parsing regexp"},
		{[]string{"-base", "main", "-jobs", "("}, 2, "-jobs: error parsing regexp"},
		{[]string{"-base", "main", "-time", "soon"}, 2, "-time soon: it must be"},
		{[]string{"-base", "main", "-nonsense"}, 2, "not defined: -nonsense; see -h"},
	} {
		var out, errs strings.Builder
		if code := runGate(t.Context(), test.args, &out, &errs); code != test.code || !strings.Contains(errs.String(), test.want) {
			t.Errorf("%v: exit %d: %s", test.args, code, errs.String())
		}
	}
}
