package rank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/pool"
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

// Test returns a description of how the p-values of a ranking are computed, "" if the plan asks for none, or a usage
// error if there are none.
func (p Plan) Test(ctx context.Context, c Counted) (string, error) {
	s, err := p.statistics(ctx, c)
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

// table returns the 2x2 table of documents that the value of term t comes from: of exact tests, and of warnings about
// others.
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
		var tile table.Tile
		for i := range w.tile.DF {
			s.Cells.Read(&tile, w.tile.First+i, w.tile.First+i+1, true)
			found[w.tile.First+i] = uint32(w.panel.Largest(&tile))
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
			for cell, class := range read.tile.Class {
				all[start[i]+cell] = Log10(test.lnP(read.values[class], tableOf(s, terms[i], int(class))))
			}
		}
		return nil
	})
}

// NeedsSquares returns the measures of classes that read sums of squares.
func NeedsSquares() []Measure { return []Measure{TTest, ANOVA} }

// A distribution describes the values of a measure under the null hypothesis that terms
// and classes are independent.
type distribution struct {
	measure string
	counted counted
	// overall is set if the values are those of the measure over all classes, rather than
	// values for one class.
	overall bool
	target  bool                                   // the measure is one of a target
	tail    func(v float64, p *population) float64 // ln P(at least v)
	title   func(p *population) string
}

// counted says what the tables behind a distribution count.
type counted int

const (
	countsDocuments counted = iota // 2x2 tables of documents, for which there is an exact test
	countsTokens                   // 2x2 tables of tokens
	countsClasses                  // documents with and without the term, by class
	countsNothing                  // term frequencies
)

// A population holds the numbers of a corpus that the distributions depend on.
type population struct {
	documents float64
	pairs     float64 // (document, label) pairs
	classes   float64 // classes with a document
	smallest  float64 // documents of the smallest such class
	single    bool    // every document has exactly one label
	nat       float64 // the factor that turns values of emi and ig into nats
}

func newPopulation(s *table.Table, base float64) *population {
	p := &population{documents: s.Cells.Documents, smallest: s.Cells.Documents, nat: 1}
	for _, n := range s.Cells.ClassDocs {
		p.pairs += n
		if n > 0 {
			p.classes++
			p.smallest = min(p.smallest, n)
		}
	}
	p.single = s.Cells.Labelled == s.Cells.Documents && p.pairs == p.documents
	if base != 0 {
		p.nat = kernels.Log(base)
	}
	return p
}

func distributions() []distribution {
	chiSquare := func(v float64, _ *population) float64 { return pvalue.ChiSquare(v, 1) }
	normal := func(v float64, _ *population) float64 { return pvalue.Normal(v) }
	oneDegree := func(*population) string { return "chi-square, " + degrees(1) }
	z := func(*population) string { return "normal, two-sided" }
	coefficient := func(r float64, p *population) float64 { // of correlation, by Student's t
		free := p.documents - 2
		return pvalue.Student(r*math.Sqrt(free/float64((1-r)*(1+r))), free)
	}
	ofCoefficient := func(p *population) string { return "Student's t, " + degrees(p.documents-2) + ", two-sided" }
	return []distribution{
		{"emi", countsDocuments, false, false, func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), 1) }, oneDegree},
		{
			"ig", countsClasses, true, false,
			func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), p.classes-1) },
			func(p *population) string { return "chi-square, " + degrees(p.classes-1) },
		},
		{"chi", countsDocuments, false, false, chiSquare, oneDegree},
		{"ngl", countsDocuments, false, false, normal, z},
		{
			"ttest", countsNothing, false, false,
			func(v float64, p *population) float64 { return pvalue.Student(v, p.pairs-p.classes) },
			func(p *population) string { return "Student's t, " + degrees(p.pairs-p.classes) + ", two-sided" },
		},
		{"chitf", countsTokens, false, false, chiSquare, oneDegree},
		{"g2", countsDocuments, false, false, chiSquare, oneDegree},
		{"g2tf", countsTokens, false, false, chiSquare, oneDegree},
		{
			"anova", countsNothing, true, false,
			func(v float64, p *population) float64 { return pvalue.F(v, p.classes-1, p.pairs-p.classes) },
			func(p *population) string {
				return fmt.Sprintf("F, %v and %s", p.classes-1, degrees(p.pairs-p.classes))
			},
		},
		{"logoddsz", countsTokens, false, false, normal, z},
		{"pearson", countsNothing, true, true, coefficient, ofCoefficient},
		{"trend", countsNothing, true, true, normal, z},
		{"spearman", countsNothing, true, true, coefficient, ofCoefficient},
	}
}

func degrees(n float64) string {
	if n == 1 {
		return "1 degree of freedom"
	}
	return fmt.Sprintf("%v degrees of freedom", n)
}

// deviance returns G², which is 2N times the mutual information v, in nats.
func (p *population) deviance(v float64) float64 { return float64(2*p.documents) * float64(v*p.nat) }

// WithPValues returns the names of the measures that have p-values, in order, without those of a target.
func WithPValues() []string { return measuresOf(func(d distribution) bool { return !d.target }) }

// HasPValues reports whether there are p-values of a measure.
func HasPValues(m Measure) bool {
	return slices.ContainsFunc(distributions(), func(d distribution) bool { return d.measure == string(m) })
}

// WithExactTest returns the names of the measures to whose tables Fisher's exact test
// applies.
func WithExactTest() []string {
	return measuresOf(func(d distribution) bool { return d.counted == countsDocuments })
}

func measuresOf(wanted func(distribution) bool) (names []string) {
	for _, d := range distributions() {
		if wanted(d) {
			names = append(names, d.measure)
		}
	}
	return names
}

// distribution returns the distribution of the values of a plan, or a usage error if it is
// not known.
func (p Plan) distribution() (*distribution, error) {
	all := distributions()
	i := slices.IndexFunc(all, func(d distribution) bool { return d.measure == p.info.Name })
	switch {
	case p.isFormula():
		return nil, usage.Errorf("there are no p-values of the formula %s, whose distribution is not known; permutations of the labels give them", p.info.Name)
	case i < 0 || p.own:
		return nil, usage.Errorf("there are no p-values of %s, whose distribution is not known; those with p-values: %s", p.info.Name, strings.Join(measuresOf(func(d distribution) bool { return d.target == p.info.Target }), " "))
	case all[i].overall && p.combine != "":
		return nil, usage.Errorf("there are p-values of %s's own value over all classes alone; omit the combination %q", p.info.Name, p.combine)
	case !all[i].overall && p.label != Max && p.label != ByClass:
		return nil, usage.Errorf("there are no p-values of the combination %q of class values; those with p-values: %s, %s", p.label, Max, ByClass)
	case p.exact && all[i].counted != countsDocuments:
		return nil, usage.Errorf("there is no exact test of %s; those with one: %s", p.info.Name, strings.Join(WithExactTest(), " "))
	}
	return &all[i], nil
}
