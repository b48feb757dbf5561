package main

import (
	"bytes"
	"encoding/json"
	"fmt"
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

func (s sheet) n() float64   { return s.a + s.b + s.c + s.d }
func (s sheet) nc() float64  { return s.a + s.c }
func (s sheet) df() float64  { return s.a + s.b }
func (s sheet) tpr() float64 { return s.a / s.nc() }
func (s sheet) fpr() float64 { return s.b / (s.n() - s.nc()) }

// ofTokens has the counts of tokens in place of those of documents.
func (s sheet) ofTokens() sheet {
	return sheet{a: s.tf, b: s.cf - s.tf, c: s.tc - s.tf, d: s.t - s.tc - (s.cf - s.tf)}
}

func chiOf(s sheet) float64 {
	gap := s.a*s.d - s.b*s.c
	return s.n() * gap * gap / (s.df() * (s.c + s.d) * s.nc() * (s.b + s.d))
}

// divergenceOf is Σ O·ln(O/E) over the four cells.
func divergenceOf(s sheet) (sum float64) {
	for _, cell := range [][3]float64{{s.a, s.df(), s.nc()}, {s.b, s.df(), s.b + s.d}, {s.c, s.c + s.d, s.nc()}, {s.d, s.c + s.d, s.b + s.d}} {
		if cell[0] > 0 {
			sum += cell[0] * math.Log(cell[0]*s.n()/(cell[1]*cell[2]))
		}
	}
	return sum
}

func oddsOf(s sheet) float64 { return (s.a + .5) * (s.d + .5) / ((s.b + .5) * (s.c + .5)) }

// quantileOf is the standard normal quantile of a rate, clipped.
func quantileOf(rate float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*min(max(rate, .0005), .9995)-1)
}

// xlog is x·ln(y), 0 if x is.
func xlog(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(y)
}

func logOddsOf(s sheet) float64 {
	alpha, rest := 10*s.cf/s.t, s.cf-s.tf
	return math.Log((s.tf+alpha)/(s.tc+10-s.tf-alpha)) - math.Log((rest+alpha)/(s.t-s.tc+10-rest-alpha))
}

// classFormulas are the formulas of class values, as the page of the measures has them.
var classFormulas = map[string]func(s sheet) float64{
	"df":    func(s sheet) float64 { return s.a },
	"cf":    func(s sheet) float64 { return s.tf },
	"dia":   func(s sheet) float64 { return s.a / s.df() },
	"mi":    func(s sheet) float64 { return math.Log(s.n() * s.a / (s.df() * s.nc())) },
	"emi":   func(s sheet) float64 { return divergenceOf(s) / s.n() },
	"ig":    gainOf,
	"ece":   func(s sheet) float64 { return xlog(s.a, s.n()*s.a/(s.df()*s.nc())) / s.n() },
	"chi":   chiOf,
	"ngl":   func(s sheet) float64 { return math.Copysign(math.Sqrt(chiOf(s)), s.a*s.d-s.b*s.c) },
	"gss":   func(s sheet) float64 { return (s.a*s.d - s.b*s.c) / (s.n() * s.n()) },
	"or":    oddsOf,
	"lor":   func(s sheet) float64 { return math.Log(oddsOf(s)) },
	"rs":    func(s sheet) float64 { return math.Log((s.tpr() + 1./6) / (s.d/(s.b+s.d) + 1./6)) },
	"rsw":   func(s sheet) float64 { return math.Log((s.tpr() + 1./6) / (s.fpr() + 1./6)) },
	"bns":   func(s sheet) float64 { return math.Abs(quantileOf(s.tpr()) - quantileOf(s.fpr())) },
	"chitf": func(s sheet) float64 { return chiOf(s.ofTokens()) },
	"g2":    func(s sheet) float64 { return 2 * divergenceOf(s) },
	"g2tf":  func(s sheet) float64 { return 2 * divergenceOf(s.ofTokens()) },
	"ndm": func(s sheet) float64 {
		least := min(s.tpr(), s.fpr())
		if least == 0 {
			least = 1 / s.n()
		}
		return math.Abs(s.tpr()-s.fpr()) / least
	},
	"acc2": func(s sheet) float64 { return math.Abs(s.tpr() - s.fpr()) },
	"rf":   func(s sheet) float64 { return math.Log2(2 + s.a/max(1, s.b)) },
	"pr": func(s sheet) float64 {
		b := s.b
		if b == 0 {
			b = .5
		}
		return s.a * (s.n() - s.nc()) / (b * s.nc())
	},
	"logodds": logOddsOf,
	"logoddsz": func(s sheet) float64 {
		alpha := 10 * s.cf / s.t
		return logOddsOf(s) / math.Sqrt(1/(s.tf+alpha)+1/(s.cf-s.tf+alpha))
	},
}

func gainOf(s sheet) float64 {
	return (xlog(s.a, s.n()*s.a/(s.df()*s.nc())) + xlog(s.c, s.n()*s.c/((s.c+s.d)*s.nc()))) / s.n()
}

// globalFormulas are those of values over all classes, from the lines of a term for each
// class.
var globalFormulas = map[string]func(classes []sheet) float64{
	"df":  func(classes []sheet) float64 { return classes[0].df() },
	"cf":  func(classes []sheet) float64 { return classes[0].cf },
	"ig":  sumOf(gainOf),
	"ece": sumOf(classFormulas["ece"]),
	"gini": sumOf(func(s sheet) float64 {
		return s.tpr() * s.tpr() * (s.a / s.df()) * (s.a / s.df())
	}),
	"dfs": sumOf(func(s sheet) float64 { return s.a / s.df() / (s.c/s.nc() + s.fpr() + 1) }),
	"ocfs": func(classes []sheet) (sum float64) {
		pairs, all := 0., 0.
		for _, s := range classes {
			pairs, all = pairs+s.nc(), all+s.tf
		}
		for _, s := range classes {
			gap := s.tf/s.nc() - all/pairs
			sum += s.nc() / pairs * gap * gap
		}
		return sum
	},
}

func sumOf(part func(s sheet) float64) func(classes []sheet) float64 {
	return func(classes []sheet) (sum float64) {
		for _, s := range classes {
			sum += part(s)
		}
		return sum
	}
}

// notFromLines are the measures of squares of frequencies, which no line has.
var notFromLines = []string{"ttest", "anova"}

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

// outputOf returns what a command prints.
func outputOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	testkit.Equal(testkit.Stop(t), run(t.Context(), args, strings.NewReader(""), &out, &errs), exitOK, args,
		"exit code", errs.String())
	return out.String()
}

// linesOf returns the lines that a command prints with --format jsonl.
func linesOf(t *testing.T, args ...string) (all []checkedLine) {
	t.Helper()
	for line := range strings.Lines(outputOf(t, append(args, "--format", "jsonl")...)) {
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
	case slices.Contains(notFromLines, l.Measure):
	case l.Combine == "class":
		c.same(l, classFormulas[l.Measure](c.sheetOf(l)))
	case l.Combine == "max":
		c.checkMaximum(l)
	default:
		var of []sheet
		for _, s := range c.classes[l.Term] {
			of = append(of, s)
		}
		c.same(l, globalFormulas[l.Measure](of))
	}
}

// A reader can check every value from the lines alone: class values and maxima from
// their own line, of tokens with the sums of tf over the terms, and values over all
// classes from the lines of the classes. Only ttest and anova read more, squares.
func TestValuesFollowFromTheirLines(t *testing.T) {
	input := checkedCorpus(t)
	c := newLineChecker(t, input)
	for _, args := range [][]string{
		{"--by", "all"},
		{"--by", "all", "--combine", "class"},
		{"--by", "df,cf,ig,ece", "--combine", "max"},
	} {
		for _, l := range linesOf(t, append(append([]string{"score", "--all"}, args...), input)...) {
			c.check(l)
		}
	}
	for _, m := range rank.Measures() {
		testkit.Equal(t, c.checked[m.Name] == 0, slices.Contains(notFromLines, m.Name), m.Name, c.checked[m.Name],
			"lines were recomputed")
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
	testkit.OK(json.Unmarshal([]byte(outputOf(t, "info", "--format", "json", input)), &info))
	for _, measure := range []string{"chi", "ngl", "mi", "bns", "rf"} {
		for _, quota := range [][]string{nil, {"--per-class"}} {
			path := filepath.Join(t.TempDir(), "features.tsv")
			outputOf(t, append([]string{"select", "--by", measure, "-k", "5", input, "-o", path}, quota...)...)
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
