package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/kernels"
)

// A test gives the p-values of a ranking.
type test struct {
	*distribution
	population *population
	exact      bool
	tries      float64 // ln of the classes among which a value is the largest
	title      string
}

// test is that of the values of a plan, nil where no p-values were asked for.
func (p plan) test(u *universe) (*test, error) {
	if p.tested == nil {
		return nil, nil
	}
	t := &test{distribution: p.tested, population: newPopulation(u, p.base), exact: p.exact}
	if t.counted == countsClasses && !t.population.single {
		return nil, usage("there are p-values of %s only where every document has exactly one label", t.measure)
	}
	t.title = t.distribution.title(t.population)
	if t.exact {
		t.title = "Fisher's exact test, two-sided"
	}
	if n := t.population.classes; !t.overall && p.combine != score.ByClass && n > 1 {
		t.tries = kernels.Log(n)
		t.title += fmt.Sprintf("; the largest of %v classes, p times %v (Bonferroni)", n, n)
	}
	return t, nil
}

// Test says how the p-values of a scoring are computed from this corpus; a usage error
// where there are none.
func (c *Corpus) Test(o Scoring) (string, error) {
	u := universe{documents: float64(c.Documents()), labelled: c.index.Labelled() == c.Documents()}
	for _, n := range c.index.ClassSizes() {
		u.classDocs = append(u.classDocs, float64(n))
	}
	return o.test(&u)
}

// Test says how the p-values of a scoring are computed from these counts, as
// [Corpus.Test].
func (s *Statistics) Test(o Scoring) (string, error) {
	u := s.universe()
	return o.test(&u)
}

func (o Scoring) test(u *universe) (string, error) {
	o.PValues = true
	p, err := o.plan()
	if err != nil {
		return "", err
	}
	t, err := p.test(u)
	if err != nil {
		return "", err
	}
	return t.title, nil
}

// lnP is ln p of a value, of the table if the test is exact.
func (t *test) lnP(value float64, table pvalue.Table) float64 {
	p := 0.0
	if t.exact {
		p = table.TwoSided()
	} else {
		p = t.tail(value, t.population)
	}
	return min(0, p+t.tries)
}

// withPValues has the entries of a ranking tell their p-values, if the plan asks for
// them; largest finds the classes of the largest values where these are needed.
func (r *Ranking) withPValues(p plan, largest func() ([]largestClass, error)) (*Ranking, error) {
	t, err := p.test(&r.of)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return r, nil
	}
	if t.counted == countsDocuments && r.class < 0 {
		if r.largest, err = largest(); err != nil {
			return nil, err
		}
	}
	r.test, r.Test = t, t.title
	return r, nil
}

// lnP is that of term t.
func (r *Ranking) lnP(t int) float64 {
	if !r.test.exact {
		return r.test.lnP(r.values[t], pvalue.Table{})
	}
	return r.test.lnP(r.values[t], r.table(t))
}

// log10 makes a logarithm to base 10 of a natural one, and no -0.
func log10(ln float64) float64 { return ln/math.Ln10 + 0 }

// table is the 2x2 table of documents from which the value of term t comes.
func (r *Ranking) table(t int) pvalue.Table {
	if r.class >= 0 {
		return r.of.table(t, r.class, r.inClass(t))
	}
	return r.of.table(t, int(r.largest[t].class), int(r.largest[t].a))
}

func (u *universe) table(t, class, a int) pvalue.Table {
	e := u.classEntry(t, class, a, 0)
	return e.table()
}

func (e *Entry) table() pvalue.Table {
	return pvalue.Table{A: int64(e.A), B: int64(e.B), C: int64(e.C), D: int64(e.D)}
}

// A largestClass is the class in which a term's value is the largest, with the
// documents of it that have the term. Exact tests look at its table, and what tells
// where the other tests are not to be relied on.
type largestClass struct{ class, a uint32 }

// byClass is the choice of the class values of a plan.
func (p plan) byClass() []score.Choice {
	return []score.Choice{{Measure: p.measure, Info: p.info, Combine: score.ByClass}}
}

// largestClasses finds those of all terms, in a pass of its own: without p-values
// nobody needs them, and the kernels give the largest value alone.
func (c *Corpus) largestClasses(ctx context.Context, p plan, threads int) ([]largestClass, error) {
	found := make([]largestClass, c.Terms())
	_, err := c.visit(ctx, p.byClass(), store.TF, 1, threads, func(panel *score.Panel) store.Visitor {
		return &largestFinder{panel: panel, found: found}
	})
	return found, err
}

// A largestFinder is the visitor that finds them.
type largestFinder struct {
	panel *score.Panel
	found []largestClass
	row   score.Row
}

// Row implements [store.Visitor].
func (f *largestFinder) Row(r *store.Row) {
	f.row.DF, f.row.Class, f.row.A = r.DF, r.Class, r.A
	f.found[r.Term] = largestOf(f.panel, &f.row)
}

func largestOf(panel *score.Panel, row *score.Row) largestClass {
	class, cell := panel.Largest(row)
	largest := largestClass{class: uint32(class)}
	if cell >= 0 {
		largest.a = uint32(row.A[cell])
	}
	return largest
}

// Few implements [store.Visitor]; it has asked for terms of one document.
func (f *largestFinder) Few(first, _ int, classes []uint32, _ []uint8) {
	f.row.DF = 1
	for i, c := range classes {
		f.row.Class, f.row.A = f.row.Class[:0], f.row.A[:0]
		if int(c) < f.panel.Classes() {
			f.row.Class, f.row.A = append(f.row.Class, c), append(f.row.A, 1)
		}
		f.found[first+i] = largestOf(f.panel, &f.row)
	}
}

// largestClasses finds those of all terms.
func (s *Statistics) largestClasses(ctx context.Context, p plan, threads int) ([]largestClass, error) {
	found := make([]largestClass, s.Terms())
	err := s.each(ctx, p.byClass(), nil, threads, func(panel *score.Panel, row *score.Row, t int) {
		found[t] = largestOf(panel, row)
	})
	return found, err
}

// pvalueChunk is the number of terms whose p-values one call of a worker computes:
// 50 µs of chi-square, some milliseconds of exact tests.
const pvalueChunk = 1 << 10

// eachTest calls f for so many terms, in chunks on several threads.
func eachTest(ctx context.Context, n, threads int, f func(i int)) error {
	return pool.Stage(ctx, "test", func(ctx context.Context) error {
		return pool.Run(ctx, threads, (n+pvalueChunk-1)/pvalueChunk, func(_, chunk int) error {
			for i := chunk * pvalueChunk; i < min(n, (chunk+1)*pvalueChunk); i++ {
				f(i)
			}
			return nil
		})
	})
}
