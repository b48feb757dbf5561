package rank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file has what is particular to the measures of a target.

// TargetMeasures returns the measures of a target, in order: they compare terms with the numbers
// that the classes are.
func TargetMeasures() []MeasureInfo {
	return slices.DeleteFunc(slices.Clone(standardMeasures().Infos()), func(m MeasureInfo) bool { return !m.Target })
}

// comparesValues are the measures of a target that compare more than presence.
var comparesValues = []Measure{Pearson, Spearman}

// weightOf returns the weighting of a measure.
func (o Options) weightOf(m MeasureInfo) (table.Weighting, error) {
	switch {
	case !m.Target:
		return table.ParseWeighting(o.Weight)
	case o.Weight == "":
		return table.TF, nil
	case !slices.Contains(comparesValues, Measure(m.Name)):
		if o.Weight != table.TF && o.Weight != table.Binary {
			return "", usage.Errorf("%s compares whether documents have a term: omit the weighting %q", m.Name, o.Weight)
		}
	case o.Weight != table.TF && o.Weight != table.Binary && o.Weight != table.Share:
		return "", usage.Errorf("%s compares tf, binary or share with the target, not %q", m.Name, o.Weight)
	}
	return o.Weight, nil
}

// checkTarget returns a usage error if the measure needs a number of every document and s has none, or too few of
// them; and if it needs classes, and s has too many numbers in place of them.
func (p Plan) checkTarget(s *table.Table) error {
	if !p.info.Target {
		return p.checkClasses(s)
	}
	people := newPopulation(s, 0)
	switch {
	case Margins(s).Scale() == nil:
		return usage.Errorf("%s compares terms with a number of every document, and %s; name the field that has the number (--target), or give labels that are numbers", p.info.Name, notNumbers(s.Classes()))
	case s.Cells.Labelled < s.Cells.Documents:
		return usage.Errorf("%s needs a number of every document, and %v of %v have none; leave these documents out, as --target does", p.info.Name, s.Cells.Documents-s.Cells.Labelled, s.Cells.Documents)
	case !people.single:
		return usage.Errorf("%s needs one number of every document, and some have several", p.info.Name)
	case people.documents < 3 && p.tested != nil:
		return usage.Errorf("the p-values of %s need three documents or more, not %v", p.info.Name, people.documents)
	}
	return nil
}

// checkClasses returns a usage error if the measure needs classes, and s has too many numbers of a target
// in place of them.
func (p Plan) checkClasses(s *table.Table) error {
	classes, of := len(s.Classes()), s.Provenance()
	if !p.NeedsClasses() || classes > 0 && p.info.Default == string(Total) {
		return nil
	}
	what := p.info.Name
	if p.info.Default == string(Total) {
		what += " of each class"
	}
	return of.RequireClasses(classes, what)
}

// NeedsClasses reports whether the plan reads classes: all do but one for the documents of terms, or
// their occurrences, in the whole corpus.
func (p Plan) NeedsClasses() bool { return p.info.Default != string(Total) || p.combine != "" }

// TargetMeans returns a function that gives the mean number of the documents with a term, and of those
// without it; ok is false for an unknown term. The mean of no document is NaN. The classes of s must be
// numbers, else it returns nil. Only one goroutine may call the function.
func TargetMeans(s *table.Table) func(term string) (with, without float64, ok bool) {
	margins := Margins(s)
	if margins.Scale() == nil {
		return nil
	}
	var tile table.Tile
	return func(term string) (with, without float64, ok bool) {
		t, err := s.Lookup(term)
		if err != nil {
			return math.NaN(), math.NaN(), false
		}
		s.Cells.Read(&tile, t, t+1, false)
		with, without = margins.Means(tile.Class, tile.A)
		return with, without, true
	}
}

// constantTarget warns of a target that is the same for all documents.
func constantTarget(s *table.Table) []string {
	if scale := Margins(s).Scale(); scale != nil {
		scores := scale.Scores()
		if slices.Min(scores) == slices.Max(scores) {
			return []string{fmt.Sprintf("the number is %v for all documents: no term can go with it", scores[0])}
		}
	}
	return nil
}

// notNumbers says which class is no number.
func notNumbers(classes []string) string {
	for _, c := range classes {
		if score.NewScale([]string{c}) == nil {
			return fmt.Sprintf("the label %q is none", usage.Cut(c))
		}
	}
	return "there are no labels"
}

// Where cells do not tell enough, terms are compared with the number of each document: by the share of the term in
// the document, and by the ranks of its values. Posting lists give the sums that package score makes coefficients of.

// byLists ranks all terms by a measure that posting lists tell.
func (p Plan) byLists(ctx context.Context, c Counted) (*Ranking, error) {
	s, err := p.statistics(ctx, c)
	if err != nil {
		return nil, err
	}
	whole, err := p.correlation(ctx, c, Margins(s))
	if err != nil {
		return nil, err
	}
	r := &Ranking{Measure: Measure(p.info.Name), Combine: p.label, stats: s, plan: p, values: make([]float64, s.Terms()), class: -1}
	chunks, workers := scoreChunks(s), make([]correlation, pool.Threads(p.threads))
	for i := range workers {
		workers[i] = *whole
	}
	err = pool.Stage(ctx, "score", func(ctx context.Context) error {
		return pool.Run(ctx, p.threads, len(chunks), func(worker, chunk int) error {
			return whole.index.Guard(func() (err error) {
				for t := chunks[chunk].From; t < chunks[chunk].To && err == nil; t++ {
					if r.values[t], err = workers[worker].of(t); p.sized {
						r.values[t] = math.Abs(r.values[t])
					}
				}
				return err
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return r.finish(ctx)
}

// correlation returns the coefficients of the terms of c.
func (p Plan) correlation(ctx context.Context, c Counted, m *score.Margins) (*correlation, error) {
	whole, ok := c.(*corpus.Corpus)
	if !ok {
		return nil, usage.Errorf("%s compares the values of every document, and statistics do not have them: count the documents themselves or give an index, or take --weight binary", p.info.Name)
	}
	x, err := corpus.Lists(ctx, whole)
	if err != nil {
		return nil, err
	}
	ranked := p.info.Name == string(Spearman)
	d := &correlation{index: x, margins: m, ranked: ranked, numbers: m.Along(ranked)}
	if p.weight == table.Share {
		d.lengths, err = x.DocumentTokens(ctx)
	}
	return d, err
}

// A correlation compares the values of terms with the numbers of documents. Each goroutine has its own.
type correlation struct {
	index   *postings.Index
	margins *score.Margins
	ranked  bool      // mid-ranks of values and numbers, in place of these
	numbers []float64 // by class, as [score.Margins.Along] has them
	lengths []float64 // what values are divided by; nil for tf. A document without tokens has 0

	list    postings.List
	classes []uint32
	values  []numberedValue
}

// A numberedValue is that of a document, with its number.
type numberedValue struct{ x, y float64 }

// of returns Pearson's coefficient of a term.
func (c *correlation) of(term int) (float64, error) {
	if err := c.index.Read(term, &c.list); err != nil {
		return 0, err
	}
	n := len(c.list.Docs)
	c.classes = slices.Grow(c.classes[:0], n)[:n]
	c.index.FirstClasses(c.classes, c.list.Docs)
	if c.ranked {
		return c.margins.Correlate(c.sumsOfRanks(), true), nil
	}
	var s score.Sums
	for i, tf := range c.list.TF {
		x := table.Pair{High: tf}
		if c.lengths != nil {
			x = x.Over(table.Pair{High: c.lengths[c.list.Docs[i]]})
		}
		s.X, s.Squares, s.Along = s.X.Plus(x), s.Squares.Plus(x.By(x)), s.Along.Plus(x.Times(c.numbers[c.classes[i]]))
	}
	return c.margins.Correlate(s, false), nil
}

// sumsOfRanks returns those of ranks: twice the mid-rank of a value, less what the documents without the term
// have. Different shares are different numbers, and equal ones are equal, for lengths below 2^26.
func (c *correlation) sumsOfRanks() score.Sums {
	c.values = c.values[:0]
	for i, x := range c.list.TF {
		if c.lengths != nil {
			x /= c.lengths[c.list.Docs[i]]
		}
		c.values = append(c.values, numberedValue{x, c.numbers[c.classes[i]]})
	}
	sort.Slice(c.values, func(i, j int) bool { return c.values[i].x < c.values[j].x }) // smaller code than SortFunc
	s := score.Sums{Whole: true}
	without := c.margins.N - float64(len(c.values))
	before := without
	for rest := c.values; len(rest) > 0; {
		docs, sum := 0, 0.0
		for docs < len(rest) && rest[docs].x == rest[0].x {
			sum += rest[docs].y
			docs++
		}
		n := float64(docs)
		rank := 2*before + n - without
		s.X = s.X.Plus(table.Product(n, rank))
		s.Squares = s.Squares.Plus(table.Product(rank, rank).Times(n))
		s.Along = s.Along.Plus(table.Product(sum, rank))
		rest, before = rest[docs:], before+n
	}
	return s
}
