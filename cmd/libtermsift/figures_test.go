package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A rawFile has lines of benchmarks.
type rawFile string

// median returns the median of a benchmark's runs in a unit.
func (f rawFile) median(t *testing.T, name, unit string) float64 {
	t.Helper()
	var runs []float64
	for _, m := range regexp.MustCompile(`(?m)^Benchmark`+name+`[ \t].*?([0-9.]+) `+unit+`\b`).FindAllStringSubmatch(string(f), -1) {
		v := testkit.Must(strconv.ParseFloat(m[1], 64))
		runs = append(runs, v)
	}
	if len(runs) < 6 {
		t.Fatalf("%d runs of %s in %s", len(runs), name, unit)
	}
	slices.Sort(runs)
	return (runs[(len(runs)-1)/2] + runs[len(runs)/2]) / 2
}

// digits returns three digits of v, as BENCHMARKS.md has them.
func digits(v float64) string {
	text := fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(v)))), v)
	if v >= 1000 {
		text = text[:len(text)-3] + "," + text[len(text)-3:]
	}
	return text
}

// The figures of the page are the medians of bench/results/python.txt.
func TestFigures(t *testing.T) {
	raw := rawFile(contentOf(t, "../../bench/results/python.txt"))
	ms := func(name, unit string) string { return digits(raw.median(t, name, unit)/1e6) + " ms" }
	us := func(what string) string { return digits(raw.median(t, "PyInterface/what="+what, "ns/op") / 1e3) }
	checkTexts(t, "README.md", []string{
		"a first call | " + ms("PyInterface/what=load", "ns/op"),
		"of two elements, one thread | " + us("one-thread") + " us", "the same, two threads | " + us("two-threads") + " us",
	})
}

// checkTexts reports the texts that a page lacks.
func checkTexts(t *testing.T, page string, texts []string) {
	t.Helper()
	content := contentOf(t, page)
	for _, text := range texts {
		testkit.Contains(t, content, text, page, "has")
	}
}

func contentOf(t *testing.T, path string) string {
	t.Helper()
	content := testkit.Must(os.ReadFile(path))
	return string(content)
}
