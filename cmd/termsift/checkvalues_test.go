package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
)

// A checkedLine is a line of score or explain as a reader sees it.
type checkedLine struct {
	Measure, Combine, Class, Term string
	Value                         any // a number, "inf" or "-inf"
	A, B, C, D                    *float64
	TF                            *float64
	TFAll                         *float64 `json:"tf_all"`
}

func (l *checkedLine) value() float64 {
	if text, ok := l.Value.(string); ok {
		v, _ := strconv.ParseFloat(text, 64)
		return v
	}
	return l.Value.(float64)
}

// A sheet is what a reader needs to recompute the value of a line: the counts of the line,
// in documents, and in tokens where the measure counts these, with the tokens of
// the class and of all documents, which are sums of tf and of tf_all over the terms.
type sheet struct {
	a, b, c, d    float64
	tf, cf, tc, t float64
}

func (s sheet) n() float64  { return s.a + s.b + s.c + s.d }
func (s sheet) nc() float64 { return s.a + s.c }
func (s sheet) df() float64 { return s.a + s.b }

// ofTokens has the counts of tokens in place of those of documents.
func (s sheet) ofTokens() sheet {
	return sheet{a: s.tf, b: s.cf - s.tf, c: s.tc - s.tf, d: s.t - s.tc - (s.cf - s.tf)}
}

func chiOf(s sheet) float64 {
	gap := s.a*s.d - s.b*s.c
	return s.n() * gap * gap / (s.df() * (s.c + s.d) * s.nc() * (s.b + s.d))
}

// classFormulas are the formulas of some class values, as the page of the measures has them. The columns of the others
// are the same, and their values are compared where they are computed.
var classFormulas = map[string]func(s sheet) float64{
	"df":    func(s sheet) float64 { return s.a },
	"cf":    func(s sheet) float64 { return s.tf },
	"mi":    func(s sheet) float64 { return math.Log(s.n() * s.a / (s.df() * s.nc())) },
	"chi":   chiOf,
	"ngl":   func(s sheet) float64 { return math.Copysign(math.Sqrt(chiOf(s)), s.a*s.d-s.b*s.c) },
	"chitf": func(s sheet) float64 { return chiOf(s.ofTokens()) },
	"rf":    func(s sheet) float64 { return math.Log2(2 + s.a/max(1, s.b)) },
	"acc2":  func(s sheet) float64 { return math.Abs(s.a/s.nc() - s.b/(s.n()-s.nc())) },
	"logodds": func(s sheet) float64 {
		alpha, rest := 10*s.cf/s.t, s.cf-s.tf
		return math.Log((s.tf+alpha)/(s.tc+10-s.tf-alpha)) - math.Log((rest+alpha)/(s.t-s.tc+10-rest-alpha))
	},
}

// globalFormulas are those of values over all classes, from the lines of a term for each
// class.
var globalFormulas = map[string]func(classes []sheet) float64{
	"df": func(classes []sheet) float64 { return classes[0].df() },
	"cf": func(classes []sheet) float64 { return classes[0].cf },
	"dfs": func(classes []sheet) (sum float64) {
		for _, s := range classes {
			sum += s.a / s.df() / (s.c/s.nc() + s.b/(s.n()-s.nc()) + 1)
		}
		return sum
	},
}

// checkedCorpus writes documents of three classes: one of the documents has no label, and
// one has two.
func checkedCorpus(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(16, 3))
	var lines strings.Builder
	for d := range 40 {
		labels := []string{`"sea"`, `"air"`, `"air"`, `"land, \"x\""`}[d%4]
		switch d {
		case 0:
			labels = ""
		case 1:
			labels = `"air","sea"`
		}
		fmt.Fprintf(&lines, `{"id":"d%d","labels":[%s],"counts":{"of c%d":1`, d, labels, d%4)
		for term := range 12 {
			if r.IntN(12) > term {
				fmt.Fprintf(&lines, `,"t%d":%d`, term, 1+r.IntN(1+r.IntN(5)))
			}
		}
		lines.WriteString("}}\n")
	}
	return testkit.Write(filepath.Join(t.TempDir(), "docs.jsonl"), lines.String())
}

// linesOf returns the lines that a command prints with --format jsonl.
func linesOf(t *testing.T, args ...string) (all []checkedLine) {
	t.Helper()
	for line := range strings.Lines(printedBy(t, append(args, "--format", "jsonl")...)) {
		var l checkedLine
		testkit.Is(testkit.Stop(t), json.Unmarshal([]byte(line), &l), nil, line)
		all = append(all, l)
	}
	return all
}

// A lineChecker knows the sums that lines of tokens are checked with.
type lineChecker struct {
	*testing.T
	tokens  map[string]float64          // by class
	all     float64                     // tokens
	classes map[string]map[string]sheet // by term and class
	checked map[string]int              // lines, by measure
}

// sheetOf returns the numbers that a line has, with the sums.
func (c *lineChecker) sheetOf(l checkedLine) sheet {
	c.Helper()
	if l.A == nil || l.B == nil || l.C == nil || l.D == nil {
		c.Fatalf("%+v has no a, b, c, d", l)
	}
	s := sheet{a: *l.A, b: *l.B, c: *l.C, d: *l.D, tc: c.tokens[l.Class], t: c.all}
	if l.TF != nil && l.TFAll != nil {
		s.tf, s.cf = *l.TF, *l.TFAll
	}
	return s
}

// same compares a printed value with the recomputed one.
func (c *lineChecker) same(l checkedLine, want float64) {
	c.Helper()
	c.checked[l.Measure]++
	if got := l.value(); got != want && !(math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-12) {
		c.Errorf("%s, %s, class %q, term %q: printed %v, recomputed %v", l.Measure, l.Combine, l.Class, l.Term, got, want)
	}
}

// newLineChecker takes the sums from the class lines of cf.
func newLineChecker(t *testing.T, input string) *lineChecker {
	c := &lineChecker{T: t, tokens: map[string]float64{}, classes: map[string]map[string]sheet{}, checked: map[string]int{}}
	lines := linesOf(t, "score", "--by", "cf", "--combine", "class", "--all", input)
	for _, l := range lines {
		c.tokens[l.Class] += *l.TF
	}
	for _, l := range lines {
		if c.classes[l.Term] == nil {
			c.classes[l.Term] = map[string]sheet{}
			c.all += *l.TFAll
		}
	}
	for _, l := range lines {
		c.classes[l.Term][l.Class] = c.sheetOf(l)
	}
	for _, of := range c.classes { // the sums are known now
		for class, s := range of {
			s.t = c.all
			of[class] = s
		}
	}
	return c
}

// checkMaximum recomputes a line with the largest value of the classes, from the line, and
// looks whether its class has it.
func (c *lineChecker) checkMaximum(l checkedLine) {
	c.Helper()
	formula := classFormulas[l.Measure]
	c.same(l, formula(c.sheetOf(l)))
	for class, s := range c.classes[l.Term] {
		if v := formula(s); v > l.value()+1e-9*math.Abs(v) {
			c.Errorf("%s, term %q: class %q has %v, but the line names %q with %v", l.Measure, l.Term, class, v, l.Class, l.value())
		}
	}
}

// check recomputes a line of any combination, if lines have what it takes.
func (c *lineChecker) check(l checkedLine) {
	c.Helper()
	m := slices.IndexFunc(rank.Measures(), func(m rank.MeasureInfo) bool { return m.Name == l.Measure })
	if tokens := rank.Measures()[m].UsesTokens; tokens != (l.TFAll != nil) || (tokens && l.Class != "") != (l.TF != nil) {
		c.Errorf("%s, %s: tf %v, tf_all %v", l.Measure, l.Combine, l.TF, l.TFAll)
	}
	switch {
	case (l.Class == "") != (l.A == nil):
		c.Errorf("%s, %s: class %q, a %v", l.Measure, l.Combine, l.Class, l.A)
	case l.Combine == "class" && classFormulas[l.Measure] != nil:
		c.same(l, classFormulas[l.Measure](c.sheetOf(l)))
	case l.Combine == "max" && classFormulas[l.Measure] != nil:
		c.checkMaximum(l)
	case l.Combine != "class" && l.Combine != "max" && globalFormulas[l.Measure] != nil:
		c.same(l, globalFormulas[l.Measure](slices.Collect(maps.Values(c.classes[l.Term]))))
	}
}

// A reader can check values from the lines alone: class values and maxima from their own line, of tokens with the sums
// of tf over the terms, and values over all classes from the lines of the classes.
func TestValuesFollowFromTheirLines(t *testing.T) {
	input := checkedCorpus(t)
	c := newLineChecker(t, input)
	for _, args := range [][]string{
		{"--by", "all"},
		{"--by", "all", "--combine", "class"},
		{"--by", "df,cf", "--combine", "max"},
	} {
		for _, l := range linesOf(t, append(append([]string{"score", "--all"}, args...), input)...) {
			c.check(l)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(classFormulas)), slices.Collect(maps.Keys(globalFormulas))) {
		testkit.Equal(t, c.checked[name] > 0, true, name, "no line was recomputed")
	}
	explained := linesOf(t, "explain", input, "t3")[1:] // behind the facts
	testkit.Equal(testkit.Stop(t), len(explained), len(rank.Measures()))
	for _, l := range explained {
		l.Term = "t3"
		c.check(l)
	}
}

// A line of a features file has the class, a and b, and df: with the sizes of the classes,
// which info has, the value of a measure of documents follows.
func TestFeaturesFollowFromTheirLines(t *testing.T) {
	input := checkedCorpus(t)
	var info struct {
		Documents  float64
		ClassSizes map[string]float64 `json:"class_sizes"`
	}
	testkit.OK(json.Unmarshal([]byte(printedBy(t, "info", "--format", "json", input)), &info))
	for _, measure := range []string{"chi", "ngl", "mi", "rf"} {
		for _, quota := range [][]string{nil, {"--per-class"}} {
			path := filepath.Join(t.TempDir(), "features.tsv")
			printedBy(t, append([]string{"select", "--by", measure, "-k", "5", input, "-o", path}, quota...)...)
			s := testkit.Must(readSelection(path))
			for _, f := range s.Features {
				nc := info.ClassSizes[f.Class]
				of := sheet{a: float64(f.A), b: float64(f.B), c: nc - float64(f.A)}
				of.d = info.Documents - of.a - of.b - of.c
				if want := classFormulas[measure](of); f.Class == "" || f.A+f.B != f.DF || math.Abs(f.Score-want) > 1e-9*math.Abs(want) {
					t.Errorf("%s %v: %+v, recomputed %v", measure, quota, f, want)
				}
			}
		}
	}
}
