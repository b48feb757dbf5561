package rank_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func valuesOf(t *testing.T, c *table.Table, o rank.Options, how rank.Combination) map[string]float64 {
	t.Helper()
	o.Combine = how
	return enginetest.Values(t, c, o)
}

// randomFormula writes a formula of some depth.
func randomFormula(r *rand.Rand, depth int) string {
	variables := strings.Fields("A B C D N df n_c S cf T_c T Q")
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) > 0 {
			return variables[r.IntN(len(variables))]
		}
		return []string{"0", "1", "2", ".5", "3", "1e-3", "2.5E+1", "10"}[r.IntN(8)]
	}
	part := func() string { return randomFormula(r, depth-1) }
	space := strings.Repeat(" ", r.IntN(2))
	switch r.IntN(12) {
	case 0:
		return "(" + space + part() + ")"
	case 1:
		return "-" + space + part()
	case 2:
		functions := strings.Fields("ln log2 sqrt abs erf Phi exp floor log1p excess probit")
		return functions[r.IntN(len(functions))] + space + "(" + part() + ")"
	case 3:
		return []string{"min", "max"}[r.IntN(2)] + "(" + part() + space + "," + part() + strings.Repeat(","+part(), r.IntN(2)) + ")"
	case 4:
		return "(" + part() + space + []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)] + part() + ")"
	case 5:
		return part() + "^" + space + []string{"2", "0.5", "-1", "3", "(1/3)", "0"}[r.IntN(6)]
	case 6:
		return "det(" + part() + "," + part() + space + "," + part() + "," + part() + ")"
	case 7:
		x, y := part(), part()
		return "lnratio(" + x + "," + y + ",(" + x + ")-(" + y + "))"
	}
	return part() + space + string("+-*/"[r.IntN(4)]) + space + part()
}

// Random formulas have the values that the naive reference computes from the text.
func TestRandomFormulas(t *testing.T) {
	compared, undefined, infinite, tried := 0, 0, 0, 0
	for _, r := range testkit.Cases(t, 12) {
		tried++
		for _, shape := range naive.Shapes {
			random := naive.RandomCorpus(r, shape)
			tb, s := naive.Tabulate(random), enginetest.StatisticsOf(t, enginetest.CorpusOf(t, random), "")
			for range 3 {
				body := randomFormula(r, 4)
				o, cells, high, low := rank.Options{Measure: rank.Measure("mine=" + body)}, tb.Formula(body, 0), tb.Formula(body, 1e-13), tb.Formula(body, -1e-13)
				byCell := enginetest.ClassValues(t, s, o)
				steady := true
				for i, term := range random.Terms {
					for k, class := range random.Classes {
						got, want := byCell[[2]string{term, class}].Value, cells[i][k]
						if !alike(high[i][k], want) || !alike(low[i][k], want) { // rounding decides
							steady = false
							continue
						}
						testkit.Equal(t, alike(got, want), true, body, "of", term, "in", class, got, "want", want)
						compared++
						undefined += count(math.IsNaN(want))
						infinite += count(math.IsInf(want, 0))
					}
				}
				for _, how := range []rank.Combination{rank.Max, rank.Avg, rank.Sum, rank.Mean} {
					if !steady {
						break
					}
					got, want := valuesOf(t, s, o, how), tb.Combined(cells, string(how))
					for i, term := range random.Terms {
						scale := 1.0
						for _, v := range cells[i] {
							if !math.IsInf(v, 0) && !math.IsNaN(v) {
								scale += math.Abs(v)
							}
						}
						testkit.Close(t, got[term], want[i], 1e-9, 1e-12*scale, body, "by", how, "of", term)
					}
				}
			}
		}
	}
	if compared < 400*tried || undefined < tried || infinite < tried {
		t.Errorf("only %d values were compared, %d undefined and %d infinite", compared, undefined, infinite)
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func alike(got, want float64) bool { return testkit.Near(got, want, 1e-9, 1e-12) }

// several are formulas of documents, of tokens and of both.
var several = []rank.Options{
	{Measure: "a=A*D/(B*C)"},
	{Measure: "b=S*ln(S*T/(cf*T_c))"},
	{Measure: "c=(S/A)^.7*Phi((A-df*n_c/N)/sqrt(df*n_c/N))"},
	{Measure: "d=Q/df-S"},
	{Measure: "e=(A>0)*ln(A*N/(df*n_c))", Combine: rank.Avg},
	{Measure: "h=T_c*S-cf", Combine: rank.Sum},
	{Measure: rank.Chi},
	{Measure: "g=erf(A-B)*log2(C)", Combine: rank.Mean},
}

// The same bits come out on any number of threads, with other measures or alone, and of statistics that were added up.
func TestFormulasHaveTheSameBits(t *testing.T) {
	c := enginetest.ManyChunks(t)
	want := testkit.Must(rank.Several(t.Context(), c, withThreads(1)...))
	for threads := 2; threads <= 4; threads++ {
		for i, got := range testkit.Must(rank.Several(t.Context(), c, withThreads(threads)...)) {
			enginetest.SameRanking(t, string(got.Measure), got, want[i])
		}
	}
	for i, o := range several {
		enginetest.SameRanking(t, string(o.Measure), testkit.Must(rank.Terms(t.Context(), c, o)), want[i])
	}
	for seed := range 10 {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		random := naive.RandomCorpus(r, naive.Shapes[1])
		whole := enginetest.StatisticsOf(t, enginetest.CorpusOf(t, random), "")
		part, rest := random, random
		at := r.IntN(len(random.Docs))
		part.Docs, rest.Docs = random.Docs[:at], random.Docs[at:]
		if len(part.Docs) == 0 || len(rest.Docs) == 0 {
			continue
		}
		sum := testkit.Must(enginetest.StatisticsOf(t, enginetest.CorpusOf(t, part), "").Add(enginetest.StatisticsOf(t, enginetest.CorpusOf(t, rest), "")))
		for _, o := range several {
			enginetest.SameRanking(t, string(o.Measure), testkit.Must(rank.Terms(t.Context(), sum, o)), testkit.Must(rank.Terms(t.Context(), whole, o)))
		}
	}
}

func withThreads(n int) []rank.Options {
	options := slices.Clone(several)
	for i := range options {
		options[i].Threads = n
	}
	return options
}

// The class of an entry has its value, and lists of one class agree with those of all.
func TestClassesOfFormulas(t *testing.T) {
	for _, r := range testkit.Cases(t, 5) {
		for _, shape := range naive.Shapes {
			random := naive.RandomCorpus(r, shape)
			s := enginetest.StatisticsOf(t, enginetest.CorpusOf(t, random), "")
			for _, o := range several {
				byCell := enginetest.ClassValues(t, s, o)
				for _, class := range s.Classes() {
					for e := range testkit.Must(rank.Class(t.Context(), s, class, o)).All() {
						if want := byCell[[2]string{e.Term, class}].Value; math.Float64bits(e.Value) != math.Float64bits(want) {
							t.Fatalf("%s of %s in %s: %v, want %v", o.Measure, e.Term, class, e.Value, want)
						}
					}
				}
				if o.Combine != "" {
					continue
				}
				for e := range testkit.Must(rank.Terms(t.Context(), s, o)).All() {
					if e.Class == "" != math.IsNaN(e.Value) || e.Class != "" && byCell[[2]string{e.Term, e.Class}].Value != e.Value {
						t.Fatalf("%s of %s: %v in %s", o.Measure, e.Term, e.Value, e.Class)
					}
				}
				if o.Measure == rank.Chi {
					continue
				}
				o.Positive = true
				for e := range testkit.Must(rank.Terms(t.Context(), s, o)).All() {
					most := math.Inf(-1)
					for _, class := range s.Classes() {
						if cell := byCell[[2]string{e.Term, class}]; cell.Sign > 0 {
							most = max(most, cell.Value)
						}
					}
					if e.Sign <= 0 || e.Value != most {
						t.Fatalf("positive %s of %s: %v in %s, sign %d, want %v", o.Measure, e.Term, e.Value, e.Class, e.Sign, most)
					}
				}
			}
		}
	}
}

// A compiled formula is a measure of the caller as well.
func TestOwnFormulas(t *testing.T) {
	f := testkit.Must(score.NewFormula("mine=A*D/(B*C)"))
	c := enginetest.Build(t, "a: moon orbit moon", "a: orbit launch moon", "b: god faith moon", "b: faith god god launch")
	own := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: "mine", Own: []score.Measure{f}}))
	enginetest.SameRanking(t, "own", own, testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: "mine=A*D/(B*C)"})))
	testkit.Equal(t, f.Class(&score.Table{N: 100, DF: 10, NC: 20, A: 7}), 7.*77/39, "the value of a table")
	testkit.Equal(t, math.IsInf(score.Positive(f).Class(&score.Table{N: 100, DF: 10, NC: 20, A: 1}), -1), true,
		"the positive value of a class that avoids the term")
	g := testkit.Must(score.NewFormula("mine=Q*S/cf+T_c-T"))
	testkit.Equal(t, g.Class(&score.Table{N: 100, DF: 10, NC: 20, A: 7, T: 2000, CF: 18, TC: 300, S: 9, Q: 22}),
		22.*9/18-1700, "the value of a table")
}

// Values that tell nothing are said to.
func TestWarningsOfFormulas(t *testing.T) {
	c := enginetest.Build(t, "a: moon orbit moon", "a: orbit launch moon", "b: god faith moon", "b: faith god god launch")
	for formula, want := range map[rank.Measure]string{
		"mine=1/0":                 "the formula mine has the same value for all terms, inf: it orders none",
		"mine=0/0":                 "the formula mine has the same value for all terms, 0: it orders none",
		"mine=ln(0)-ln(0)":         "5 terms have an undefined value (inf - inf, inf/inf",
		"mine=ln(3-df)-ln(3-df)+A": "1 terms have an undefined value",
		"mine=A":                   "",
	} {
		r := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: formula}))
		if got := strings.Join(r.Warnings, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", formula, got, want)
		}
	}
	testkit.Refused(t, testkit.Err(rank.Terms(t.Context(), c, rank.Options{Measure: "mine=A", PValues: true})),
		usage.ErrUsage, "no p-values of the formula mine", "p-values")
}

// Of real values tokens are sums of values.
func TestFormulasOfRealValues(t *testing.T) {
	c := enginetest.Iris(t)
	pairs := 0
	for e, err := range rank.Cells(t.Context(), c, rank.Options{Measure: "mine=S/n_c"}) {
		if want := e.TF / float64(e.A+e.C); err != nil || e.Value != want {
			t.Errorf("%s in %s: %v, %v, want %v", e.Term, e.Class, e.Value, err, want)
		}
		pairs++
	}
	most := testkit.Must(rank.Terms(t.Context(), c, rank.Options{Measure: "mine=S/n_c"}))
	for e := range most.All() {
		testkit.Equal(t, e.Value, e.TF/float64(e.A+e.C), e.Term)
	}
	testkit.Equal(t, pairs, 12, "pairs")
	testkit.Equal(t, most.Len(), 4, "pairs")
}
