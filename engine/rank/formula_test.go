package rank_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// proper is 1 for a table without a margin of 0, and 0 for the others, where registered measures see no association.
const proper = "((n_c>0)*(n_c<N)*(df<N))"

// written has registered measures, written as formulas.
var written = map[rank.Measure]string{
	rank.Chi:    "N*(A*D-B*C)^2/((A+B)*(C+D)*(A+C)*(B+D))",
	rank.DIA:    "A/(A+B)",
	rank.MI:     "ln(N*A/((A+B)*(A+C)))",
	rank.GSS:    "(A*D-B*C)/N^2",
	rank.OR:     "((A+0.5)*(D+.5)/((B+.5)*(C+.5)))^((n_c>0)*(n_c<N))",
	rank.ChiTF:  "T*(S*(T-cf-T_c+S)-(cf-S)*(T_c-S))^2/(cf*(T-cf)*T_c*(T-T_c))",
	rank.RF:     "log2(2+A/max(1,B))*(n_c>0)",
	rank.Acc2:   "abs(A/n_c-B/(N-n_c))*" + proper,
	rank.Zeta:   "(A/n_c-B/(N-n_c))*" + proper,
	"ig's part": "A/N*ln(N*A/(df*n_c)) + C/N*ln(N*C/((N-df)*n_c))",
}

// Registered measures that are written as formulas have the same values, for each class and combined.
func TestFormulasOfRegisteredMeasures(t *testing.T) {
	compared := 0
	for seed := range 6 {
		for _, shape := range naive.Shapes {
			random := naive.RandomCorpus(rand.New(rand.NewPCG(uint64(seed), 39)), shape)
			c, tb := enginetest.CorpusOf(t, random), naive.Tabulate(random)
			s := enginetest.StatisticsOf(t, c, "")
			for m, body := range written {
				o := rank.Options{Measure: rank.Measure("mine=" + body)}
				if m == "ig's part" {
					sum, whole := valuesOf(t, s, o, rank.Sum), valuesOf(t, s, rank.Options{Measure: rank.IG}, "")
					for term, want := range whole {
						if tb.Pairs != tb.N {
							continue // ig is that of documents with one label
						}
						enginetest.CompareValue(t, sum[term], want, 1, m, shape.Name, term)
					}
					continue
				}
				for _, how := range []rank.Combination{rank.Max, rank.Avg, rank.Sum, rank.Mean} {
					if how != rank.Max && m == rank.MI { // whose sums leave out classes without the term
						o.Measure = "mine=(A>0)*" + rank.Measure(body)
					}
					got, want := valuesOf(t, s, o, how), valuesOf(t, s, rank.Options{Measure: m}, how)
					for term := range want {
						enginetest.CompareValue(t, got[term], want[term], 1, m, how, shape.Name, seed, term)
						compared++
					}
				}
				o.Measure = rank.Measure("mine=" + body)
				got, want := enginetest.ClassValues(t, s, o), enginetest.ClassValues(t, s, rank.Options{Measure: m})
				for pair := range want {
					enginetest.CompareValue(t, got[pair].Value, want[pair].Value, 1, m, shape.Name, pair)
				}
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d values were compared", compared)
	}
}

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
	switch r.IntN(10) {
	case 0:
		return "(" + space + part() + ")"
	case 1:
		return "-" + space + part()
	case 2:
		return []string{"ln", "log2", "sqrt", "abs", "erf", "Phi", "exp"}[r.IntN(7)] + space + "(" + part() + ")"
	case 3:
		return []string{"min", "max"}[r.IntN(2)] + "(" + part() + space + "," + part() + strings.Repeat(","+part(), r.IntN(2)) + ")"
	case 4:
		return "(" + part() + space + []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)] + part() + ")"
	case 5:
		return part() + "^" + space + []string{"2", "0.5", "-1", "3", "(1/3)", "0"}[r.IntN(6)]
	}
	return part() + space + string("+-*/"[r.IntN(4)]) + space + part()
}

// Random formulas have the values that the naive reference computes from the text.
func TestRandomFormulas(t *testing.T) {
	compared, undefined, infinite := 0, 0, 0
	for seed := range 12 {
		r := rand.New(rand.NewPCG(uint64(seed), 40))
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
						if !alike(got, want) {
							t.Errorf("%s of %s in %s: %v, want %v", body, term, class, got, want)
						}
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
						if !enginetest.Near(got[term], want[i], 1e-9, 1e-12*scale) {
							t.Errorf("%s by %s of %s: %v, want %v", body, how, term, got[term], want[i])
						}
					}
				}
			}
		}
	}
	if compared < 5000 || undefined < 100 || infinite < 100 {
		t.Errorf("only %d values were compared, %d undefined and %d infinite", compared, undefined, infinite)
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func alike(got, want float64) bool { return enginetest.Near(got, want, 1e-9, 1e-12) }
