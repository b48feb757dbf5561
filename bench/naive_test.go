package bench

import (
	"math"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
)

// This file is what a Go programmer writes first: decoded posting lists, tables of
// terms by classes, and one formula after the other over the tables.

// plain is a single-label set as decoded lists.
type plain struct {
	set   *set
	start []int // terms+1
	docs  []uint32
	tf    []float64
	label []int // of each document
	out   *naive.Tables
	a     []float64 // the tables of out, row behind row
	s, q  []float64
}

func decoded(s *set) *plain {
	x, k := s.index, len(s.index.Classes)
	p := &plain{set: s, start: make([]int, 1, x.Terms.Len()+1), out: &naive.Tables{
		NC: make([]float64, k), TC: make([]float64, k), N: float64(x.Documents()), Pairs: float64(x.Documents()),
		DF: make([]float64, x.Terms.Len()), CF: make([]float64, x.Terms.Len()),
	}}
	var list postings.List
	for t := range x.Terms.Len() {
		x.Read(t, &list)
		p.docs = append(p.docs, list.Docs...)
		p.tf = append(p.tf, list.TF...)
		p.start = append(p.start, len(p.docs))
	}
	for d := range x.Documents() {
		p.label = append(p.label, int(x.Labels(d)[0]))
		p.out.NC[p.label[d]]++
	}
	p.a, p.out.A = denseTable(x.Terms.Len(), k)
	p.s, p.out.S = denseTable(x.Terms.Len(), k)
	p.q, p.out.Q = denseTable(x.Terms.Len(), k)
	p.moments()
	return p
}

// table is a matrix and its rows.
func denseTable(rows, columns int) (all []float64, row [][]float64) {
	all = make([]float64, rows*columns)
	for i := range rows {
		row = append(row, all[i*columns:(i+1)*columns])
	}
	return all, row
}

// counts fills the table of documents.
func (p *plain) counts() {
	clear(p.a)
	k := len(p.out.NC)
	for t := range p.out.DF {
		from, to := p.start[t], p.start[t+1]
		p.out.DF[t] = float64(to - from)
		for _, d := range p.docs[from:to] {
			p.a[t*k+p.label[d]]++
		}
	}
}

// moments fills all tables.
func (p *plain) moments() {
	p.counts()
	clear(p.s)
	clear(p.q)
	clear(p.out.TC)
	k := len(p.out.NC)
	p.out.T = 0
	for t := range p.out.DF {
		p.out.CF[t] = 0
		for i := p.start[t]; i < p.start[t+1]; i++ {
			c, v := p.label[p.docs[i]], p.tf[i]
			p.s[t*k+c] += v
			p.q[t*k+c] += v * v
			p.out.CF[t] += v
			p.out.TC[c] += v
			p.out.T += v
		}
	}
}

// values are one measure of all terms.
func (p *plain) values(measure string) []float64 {
	if f, ok := formulas[measure]; ok {
		return p.largest(f)
	}
	if f, ok := wholeFormulas[measure]; ok {
		values := make([]float64, len(p.out.DF))
		for t := range values {
			values[t] = f(p.out, t)
		}
		return values
	}
	return p.out.Global(measure, "", naive.Options{})
}

func (p *plain) largest(f func(tb *naive.Tables, t, c int) float64) []float64 {
	values := make([]float64, len(p.out.DF))
	for t := range values {
		values[t] = math.Inf(-1)
		for c := range p.out.NC {
			if v := f(p.out, t, c); v > values[t] {
				values[t] = v
			}
		}
	}
	return values
}

// The package naive is an oracle: it sums entropies by series, finds quantiles by
// bisection and goes over all documents for a variance. These are the formulas of
// such measures as one writes them for use.
var (
	formulas = map[string]func(tb *naive.Tables, t, c int) float64{
		"chi":  chi,
		"emi":  func(tb *naive.Tables, t, c int) float64 { return likelihood(tb, t, c) / (2 * tb.N) },
		"g2":   likelihood,
		"g2tf": func(tb *naive.Tables, t, c int) float64 { return g2(tb.S[t][c], tb.CF[t], tb.TC[c], tb.T) },
		"bns":  separation,
	}
	wholeFormulas = map[string]func(tb *naive.Tables, t int) float64{"ig": gain, "ttest": studentT, "anova": variance, "ocfs": centroids}
)

func chi(tb *naive.Tables, t, c int) float64 {
	a, df, size := tb.A[t][c], tb.DF[t], tb.NC[c]
	if df == tb.N {
		return 0
	}
	d := tb.N*a - df*size
	return tb.N * d * d / (df * (tb.N - df) * size * (tb.N - size))
}

func likelihood(tb *naive.Tables, t, c int) float64 { return g2(tb.A[t][c], tb.DF[t], tb.NC[c], tb.N) }

// g2 is twice the sum of O ln(O/E).
func g2(a, row, column, n float64) float64 {
	return 2 * (part(a, row, column, n) + part(row-a, row, n-column, n) +
		part(column-a, n-row, column, n) + part(n-row-column+a, n-row, n-column, n))
}

// part is O ln(O/E).
func part(observed, row, column, n float64) float64 {
	if observed == 0 {
		return 0
	}
	return observed * math.Log(n*observed/(row*column))
}

func gain(tb *naive.Tables, t int) (sum float64) {
	for c, a := range tb.A[t] {
		sum += part(a, tb.DF[t], tb.NC[c], tb.N) + part(tb.NC[c]-a, tb.N-tb.DF[t], tb.NC[c], tb.N)
	}
	return sum / tb.N
}

func separation(tb *naive.Tables, t, c int) float64 {
	a := tb.A[t][c]
	return math.Abs(normal(a/tb.NC[c]) - normal((tb.DF[t]-a)/(tb.N-tb.NC[c])))
}

// normal is the quantile of a rate.
func normal(rate float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*min(max(rate, 0.0005), 0.9995)-1)
}

// pooled is the variance within the classes.
func pooled(tb *naive.Tables, t int) (sum float64) {
	for c, n := range tb.NC {
		sum += tb.Q[t][c] - tb.S[t][c]*tb.S[t][c]/n
	}
	return sum / (tb.N - float64(len(tb.NC)))
}

func studentT(tb *naive.Tables, t int) (largest float64) {
	deviation := math.Sqrt(pooled(tb, t))
	for c, n := range tb.NC {
		m := math.Sqrt(1/n - 1/tb.N)
		largest = max(largest, math.Abs(tb.S[t][c]/n-tb.CF[t]/tb.N)/(m*deviation))
	}
	return largest
}

func variance(tb *naive.Tables, t int) (sum float64) {
	for c, n := range tb.NC {
		d := tb.S[t][c]/n - tb.CF[t]/tb.N
		sum += n * d * d
	}
	return sum / float64(len(tb.NC)-1) / pooled(tb, t)
}

func centroids(tb *naive.Tables, t int) (sum float64) {
	for c, n := range tb.NC {
		d := tb.S[t][c]/n - tb.CF[t]/tb.N
		sum += n / tb.N * d * d
	}
	return sum
}

// benchmarkNaiveCounts is BenchmarkCounts by plain code.
func benchmarkNaiveCounts(b *testing.B) {
	forSets(b, naiveSets, func(b *testing.B, s *set) {
		decode := sync.OnceValue(func() *plain { return decoded(s) })
		b.Run("impl=naive/what=moments/set="+s.name, func(b *testing.B) {
			p := decode()
			loop(b, p.moments)
			per(b, "posting", s.postings())
			if n := sum(p.a); n != s.postings() {
				b.Fatalf("%v postings were counted, there are %v", n, s.postings())
			}
		})
	})
}

// naiveSets have one label a document and small tables.
const naiveSets = "20ng,S"

func sum(values []float64) (n float64) {
	for _, v := range values {
		n += v
	}
	return n
}

// benchmarkNaiveScores is BenchmarkScores by plain code: the tables, and then the
// measures over them.
func benchmarkNaiveScores(b *testing.B) {
	names, cases := scoringCases()
	forSets(b, naiveSets, func(b *testing.B, s *set) {
		decode := sync.OnceValue(func() *plain { return decoded(s) })
		for _, name := range names {
			scorings := cases[name]
			b.Run("impl=naive/measure="+name+"/set="+s.name, func(b *testing.B) {
				p := decode()
				values := make([][]float64, len(scorings))
				loop(b, func() {
					p.tables(scorings)
					for i, o := range scorings {
						values[i] = p.values(string(o.Measure))
					}
				})
				per(b, "posting", s.postings())
				per(b, "pair", s.pairs())
				p.check(b, scorings, values)
			})
		}
	})
}

// tables counts what the measures look at.
func (p *plain) tables(scorings []rank.Options) {
	for _, m := range rank.Measures() {
		for _, o := range scorings {
			if string(o.Measure) == m.Name && m.UsesTokens {
				p.moments()
				return
			}
		}
	}
	p.counts()
}

// check compares the values with those of the engine.
func (p *plain) check(b *testing.B, scorings []rank.Options, values [][]float64) {
	b.Helper()
	if len(scorings) > 1 {
		return // the measures have been compared one by one
	}
	r := rankBy(b, p.set.corpus, scorings)[0]
	for e := range r.All() {
		t, _ := p.set.corpus.Lookup(e.Term)
		if v := values[0][t]; !near(e.Value, v) {
			b.Fatalf("%s of %q is %v by the engine, %v by the formula", r.Measure, e.Term, e.Value, v)
		}
	}
}

// near compares to nine digits.
func near(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}
