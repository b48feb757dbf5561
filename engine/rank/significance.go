package rank

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A test computes the p-values of a ranking.
type test struct {
	*distribution
	population *population
	exact      bool
	tries      float64 // ln of the number of classes among which a value is the largest (Bonferroni)
	title      string
}

// test returns the test for the values of a plan, or nil if no p-values were asked for.
func (p Plan) test(s *table.Table) (*test, error) {
	if p.tested == nil {
		return nil, nil
	}
	t := &test{distribution: p.tested, population: newPopulation(s, p.base), exact: p.exact}
	if t.counted == countsClasses && !t.population.single {
		return nil, usage.Errorf("there are p-values of %s only where every document has exactly one label", t.measure)
	}
	t.title = t.distribution.title(t.population)
	if t.exact {
		t.title = "Fisher's exact test, two-sided"
	}
	if n := t.population.classes; !t.overall && p.combine != ByClass && n > 1 {
		t.tries = kernels.Log(n)
		t.title += fmt.Sprintf("; the largest of %v classes, p times %v (Bonferroni)", n, n)
	}
	return t, nil
}

// Test returns a description of how the p-values of a ranking are computed, "" if the plan asks for none, or a usage error if
// there are none.
func (p Plan) Test(ctx context.Context, c Counted) (string, error) {
	if c == nil {
		return "", errNoStatistics
	}
	s, err := c.Statistics(ctx, corpus.CountOptions{Threads: p.threads})
	if err != nil {
		return "", err
	}
	t, err := p.test(s)
	if err != nil || t == nil {
		return "", err
	}
	return t.title, nil
}

// lnP returns the natural logarithm of the p-value of a value, or of a table if the test
// is exact.
func (t *test) lnP(value float64, table pvalue.Table) float64 {
	p := 0.0
	if t.exact {
		p = table.TwoSided()
	} else {
		p = t.tail(value, t.population)
	}
	return min(0, p+t.tries)
}

// LnP returns the natural logarithm of the p-value of a term, by its number. The ranking
// must have a Test.
func (r *Ranking) LnP(t int) float64 {
	if !r.test.exact {
		return r.test.lnP(r.values[t], pvalue.Table{})
	}
	return r.test.lnP(r.values[t], r.table(t))
}

// Log10 converts a natural logarithm to base 10. It never returns -0.
func Log10(ln float64) float64 { return ln/math.Ln10 + 0 }

// table returns the 2x2 table of documents that the value of term t comes from: of exact tests, and of warnings about others.
func (r *Ranking) table(t int) pvalue.Table {
	if r.class >= 0 {
		return tableOf(r.stats, t, r.class)
	}
	return tableOf(r.stats, t, int(r.largest[t]))
}

// largestClasses returns the largest class of every term.
func largestClasses(ctx context.Context, s *table.Table, p Plan) ([]uint32, error) {
	found := make([]uint32, s.Cells.Terms())
	err := eachTile(ctx, s, p.byClass(), p.threads, func(w *tileScorer) {
		var row score.Row
		for i := range w.tile.DF {
			row.Read(&s.Cells, w.tile.First+i, true)
			found[w.tile.First+i] = uint32(w.panel.Largest(&row))
		}
	})
	return found, err
}

// pvalueChunk is the number of terms whose p-values one call of a worker computes: 50 µs
// of chi-square, a few milliseconds of exact tests.
const pvalueChunk = 1 << 10

// EachTest calls f for every i in [0, n), in chunks on several threads.
func EachTest(ctx context.Context, n, threads int, f func(i int)) error {
	return pool.Stage(ctx, "test", func(ctx context.Context) error {
		return pool.Run(ctx, threads, (n+pvalueChunk-1)/pvalueChunk, func(_, chunk int) error {
			for i := chunk * pvalueChunk; i < min(n, (chunk+1)*pvalueChunk); i++ {
				f(i)
			}
			return nil
		})
	})
}

// Reliability collects reasons why the p-values of chosen terms may be unreliable. The
// zero value has looked at no terms.
type Reliability struct {
	test        *test
	looked      int     // terms that were looked at
	fewExpected int     // those of them with a cell of few documents expected
	worst       float64 // the largest difference of ln p from that of the exact test
	term        string  // the term with that difference
	lnp, fit    float64 // its ln p by the exact test, and by the distribution
}

// Add looks at terms of a ranking, by their numbers. Errors are those of a cancelled
// context.
func (d *Reliability) Add(ctx context.Context, r *Ranking, terms []int, threads int) error {
	d.test = r.test
	if d.test == nil || d.test.exact {
		return nil
	}
	d.looked += len(terms)
	switch d.test.counted {
	case countsClasses:
		d.countFew(r, terms)
	case countsDocuments:
		return d.compare(ctx, r, terms, threads)
	}
	return nil
}

// countFew counts the terms for which the table of all classes has a cell with few
// documents expected.
func (d *Reliability) countFew(r *Ranking, terms []int) {
	p := d.test.population
	for _, t := range terms {
		df := float64(r.stats.Cells.DF[t])
		if float64(min(df, p.documents-df)*p.smallest) < pvalue.FewExpected*p.documents {
			d.fewExpected++
		}
	}
}

// compare compares the p-values of 2x2 tables in which few documents are expected with
// those of the exact test.
func (d *Reliability) compare(ctx context.Context, r *Ranking, terms []int, threads int) error {
	exact := make([]float64, len(terms))
	err := EachTest(ctx, len(terms), threads, func(i int) {
		exact[i] = math.NaN()
		if table := r.table(terms[i]); table.LeastExpected() < pvalue.FewExpected {
			exact[i] = table.TwoSided()
		}
	})
	if err != nil {
		return err
	}
	for i, t := range terms {
		if math.IsNaN(exact[i]) {
			continue
		}
		d.fewExpected++
		ours := d.test.tail(r.values[t], d.test.population)
		if off := math.Abs(ours - exact[i]); off > d.worst {
			d.worst, d.term, d.lnp, d.fit = off, r.stats.Names.Term(t), exact[i], ours
		}
	}
	return nil
}

// Warnings returns the reasons as sentences.
func (d *Reliability) Warnings() (all []string) {
	if d.test == nil {
		return nil
	}
	if d.test.counted == countsTokens {
		all = append(all, fmt.Sprintf("the p-values of %s take the words of a text for independent draws, which they are not: they are too small", d.test.measure))
	}
	if d.fewExpected == 0 {
		return all
	}
	text := fmt.Sprintf("%d of %d terms have a cell with less than %d documents expected, where the p-values of %s are not to be relied on", d.fewExpected, d.looked, pvalue.FewExpected, d.test.measure)
	if d.term != "" {
		text += fmt.Sprintf("; log10 p is off by up to %.1f: %q has %.1f, by Fisher's exact test %.1f", d.worst/math.Ln10, d.term, Log10(d.fit), Log10(d.lnp))
	}
	return append(all, text)
}

// Reliability returns warnings about the p-values of the k best terms: that tokens are
// taken for independent draws, how many terms have a cell with few documents expected, and
// how far their p-values are from those of Fisher's exact test. It returns none if the
// ranking has no p-values.
func (r *Ranking) Reliability(ctx context.Context, k int) ([]string, error) {
	var d Reliability
	if err := d.Add(ctx, r, TopK(r.values, min(max(k, 0), r.Len())), r.plan.threads); err != nil {
		return nil, err
	}
	return d.Warnings(), nil
}

// CellLog10P returns log10 of the p-values of the cells of some terms, by their numbers: those of the
// classes that have the first term, in the order of the table, then those of the second, and so on. The
// options must have the combination ByClass, ask for p-values, and be of a measure that cells tell.
func (p Plan) CellLog10P(ctx context.Context, s *table.Table, terms []int) ([]float64, error) {
	test, err := p.test(s)
	switch {
	case err != nil:
		return nil, err
	case test == nil || p.combine != ByClass:
		return nil, usage.Errorf("p-values of cells are those of the combination %s, and must be asked for", ByClass)
	}
	start := make([]int, len(terms)+1)
	for i, t := range terms {
		start[i+1] = start[i] + s.Cells.Start[t+1] - s.Cells.Start[t]
	}
	all := make([]float64, start[len(terms)])
	readers, chunks := make([]*classReader, pool.Threads(p.threads)), (len(terms)+pvalueChunk-1)/pvalueChunk
	return all, pool.Run(ctx, p.threads, chunks, func(worker, chunk int) error {
		if readers[worker] == nil {
			readers[worker] = p.classReader(s)
		}
		read := readers[worker]
		for i := chunk * pvalueChunk; i < min(len(terms), (chunk+1)*pvalueChunk); i++ {
			read.term(terms[i])
			for cell, class := range read.row.Class {
				all[start[i]+cell] = Log10(test.lnP(read.values[class], tableOf(s, terms[i], int(class))))
			}
		}
		return nil
	})
}

// NeedsSquares returns the measures of classes that read sums of squares.
func NeedsSquares() []Measure { return []Measure{TTest, ANOVA} }

// Chance is the same on every machine and with every number of threads: each draw has a generator of its own,
// seeded by (seed, number of the draw), and what becomes of the generator's numbers is written out here, for
// package rand may change its own ways.

// DrawBelow returns a number less than n, all equally likely (Lemire, ACM Trans. Model. Comput.
// Simul. 29 (2019) 3).
func DrawBelow(r *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// DrawOrder returns a permutation of the numbers less than n, all equally likely (Fisher & Yates).
func DrawOrder(n int, seed, draw uint64) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	r := rand.NewPCG(seed, draw)
	for i := n - 1; i > 0; i-- {
		j := DrawBelow(r, uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// MostDraws is the largest number of permutations. Each takes eight bytes for every worker.
const MostDraws = 10_000_000

// Reached counts the draws in which the values of terms are at least as large as those observed. Values within a
// relative 4e-12 are equal; any value reaches one that is undefined.
type Reached struct {
	Draws int
	// Every says that the draws are all that there are, that which was observed among them. Else it is one more.
	Every bool

	least    []float64   // by term: what reaches the observed value
	hits     []uint32    // by term
	tested   []bool      // the terms of which the largest values are; nil for all
	largest  [][]float64 // by worker and draw
	ofTested []float64   // the largest values of all workers, ascending, once [Reached.Join] has them
}

// NewReached returns counts for the observed values of all terms. Unless tested is nil, the largest
// values of draws, by which [Reached.PMax] goes, are those of the terms for which it is set.
func NewReached(observed []float64, tested []bool, draws, workers int) *Reached {
	r := &Reached{Draws: draws, least: make([]float64, len(observed)), hits: make([]uint32, len(observed)), tested: tested, largest: make([][]float64, workers)}
	for t, v := range observed {
		switch {
		case math.IsNaN(v):
			r.least[t] = math.Inf(-1)
		case math.IsInf(v, 0):
			r.least[t] = v
		default:
			r.least[t] = v - float64(4e-12*math.Abs(v))
		}
	}
	return r
}

// Add counts the values of the terms from the first one on in a draw. Calls for a term come in turn, and so do those of a
// worker.
func (r *Reached) Add(worker, draw, first int, values []float64) {
	if r.largest[worker] == nil {
		r.largest[worker] = slices.Repeat([]float64{math.Inf(-1)}, r.Draws)
	}
	largest := r.largest[worker][draw]
	least, hits := r.least[first:][:len(values)], r.hits[first:][:len(values)]
	for i, v := range values {
		hit := uint32(0)
		if v >= least[i] { // cannot be predicted for rare terms; compiles to no branch
			hit = 1
		}
		hits[i] += hit
		if v > largest && (r.tested == nil || r.tested[first+i]) {
			largest = v
		}
	}
	r.largest[worker][draw] = largest
}

// Join ends the counting.
func (r *Reached) Join() {
	r.ofTested = slices.Repeat([]float64{math.Inf(-1)}, r.Draws)
	for _, own := range r.largest {
		for i, v := range own {
			r.ofTested[i] = max(r.ofTested[i], v)
		}
	}
	slices.Sort(r.ofTested)
	for t, v := range r.least {
		if math.IsInf(v, -1) { // NaN, too, reaches it, but not by comparison
			r.hits[t] = uint32(r.Draws)
		}
	}
}

// P returns the share of draws, the observed one included, in which the value of a term is reached.
func (r *Reached) P(term int) float64 { return r.share(int(r.hits[term])) }

// PMax returns the share in which any term reaches the value (Westfall and Young 1993, single-step maxT).
func (r *Reached) PMax(term int) float64 {
	return r.share(r.Draws - sort.SearchFloat64s(r.ofTested, r.least[term]))
}

func (r *Reached) share(hits int) float64 {
	if r.Every {
		return float64(hits) / float64(r.Draws)
	}
	return float64(1+hits) / float64(1+r.Draws)
}
