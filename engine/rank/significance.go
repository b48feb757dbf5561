package rank

import (
	"context"
	"fmt"
	"math"

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

// Test returns a description of how the p-values of a ranking with these options are
// computed, or a usage error if there are none.
func Test(ctx context.Context, c Counted, o Options) (string, error) {
	o.PValues = true
	p, err := o.Resolve()
	if err != nil {
		return "", err
	}
	return p.Test(ctx, c)
}

// Test is like the function [Test] for options that are already resolved. It returns "" if
// they ask for no p-values.
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

// table returns the 2x2 table of documents that the value of term t comes from.
func (r *Ranking) table(t int) pvalue.Table {
	e := newEntry(r.stats, t, 0)
	if r.class >= 0 {
		var row score.Row
		setRow(&row, r.stats, t, "")
		e.setClass(r.stats, r.class, documentsIn(&row, r.class))
	} else {
		e.setClass(r.stats, int(r.largest[t].class), int(r.largest[t].a))
	}
	return e.table()
}

// A largestClass is the class for which the value of a term is the largest, and a, the
// number of its documents that have the term. Exact tests read the table of this class,
// and so do warnings about other tests.
type largestClass struct{ class, a uint32 }

// largestClasses returns the largest class of every term.
func largestClasses(ctx context.Context, s *table.Table, p Plan) ([]largestClass, error) {
	found := make([]largestClass, s.Cells.Terms())
	err := scoreTerms(ctx, s, p.byClass(), "", p.threads, func(_ int, panel *score.Panel, row *score.Row, t int) {
		class, _ := panel.Largest(row)
		found[t] = largestClass{uint32(class), uint32(documentsIn(row, class))}
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
