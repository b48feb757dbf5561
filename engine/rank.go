package engine

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// Rank scores every term by one or more measures in one pass over the postings:
// the counts of a term feed every measure while they are in the cache, and
// nothing but the values is kept. Where many scorings come one after another,
// [Corpus.Statistics] keeps the counts and saves the passes.
//
// The rankings come in the order of the scorings. Combine "class" is an error;
// see [Corpus.RankClass]. The number of threads is that of the first scoring.
func (c *Corpus) Rank(ctx context.Context, scorings ...Scoring) ([]*Ranking, error) {
	plans := make([]plan, len(scorings))
	for i, o := range scorings {
		var err error
		if plans[i], err = o.plan(); err != nil {
			return nil, err
		}
		if plans[i].combine == score.ByClass {
			return nil, usage("a ranking needs one value for a term; the combination %q gives one for each class", score.ByClass)
		}
	}
	rankings := make([]*Ranking, len(plans))
	for _, pass := range passes(plans) {
		if err := c.rankPass(ctx, plans, pass, scorings[0].Threads, rankings); err != nil {
			return nil, err
		}
	}
	return rankings, nil
}

// passes groups plans that one pass can serve: the column of weights that ocfs
// looks at is one a pass.
func passes(plans []plan) [][]int {
	var groups [][]int
	place := map[store.Weighting]int{}
	for i, p := range plans {
		w := p.column()
		g, ok := place[w]
		if !ok {
			g = len(groups)
			place[w] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// column is the weighting whose sums the measure looks at; those that look at
// none go with the counts.
func (p plan) column() store.Weighting {
	if p.info.Name == "ocfs" {
		return p.weight
	}
	return store.TF
}

func (c *Corpus) rankPass(ctx context.Context, plans []plan, pass []int, threads int, rankings []*Ranking) error {
	choices := make([]score.Choice, len(pass))
	columns := make([][]float64, len(pass))
	for j, i := range pass {
		choices[j] = plans[i].choice()
		columns[j] = make([]float64, c.Terms())
	}
	weight := plans[pass[0]].column()
	of, err := c.visit(ctx, choices, weight, fewUpTo(len(c.Classes())), threads, func(panel *score.Panel) store.Visitor {
		return newScorer(panel, columns, weight)
	})
	if err != nil {
		return err
	}
	for j, i := range pass {
		r := &Ranking{Measure: plans[i].info.Name, Combine: plans[i].label, of: of, values: columns[j], class: -1}
		r.warn(plans[i])
		if rankings[i], err = c.withPValues(ctx, r, plans[i], threads); err != nil {
			return err
		}
	}
	return nil
}

// withPValues has a ranking tell p-values, if they were asked for.
func (c *Corpus) withPValues(ctx context.Context, r *Ranking, p plan, threads int) (*Ranking, error) {
	r.of.labelled = p.tested != nil && c.index.Labelled() == c.Documents()
	return r.withPValues(p, func() ([]largestClass, error) { return c.largestClasses(ctx, p, threads) })
}

// visit counts the corpus and hands the rows to a visitor a worker. It returns
// what rankings of the terms refer to.
func (c *Corpus) visit(ctx context.Context, choices []score.Choice, weight store.Weighting, few, threads int, visitor func(*score.Panel) store.Visitor) (universe, error) {
	tokens := slices.ContainsFunc(choices, func(c score.Choice) bool { return c.Info.UsesTokens })
	margins, err := c.marginsFor(ctx, tokens, threads)
	if err != nil {
		return universe{}, err
	}
	panel := score.NewPanel(choices, margins)
	opt := store.VisitOptions{Cells: panel.NeedsCells(), Tokens: tokens, Few: few, Threads: threads}
	if weight != store.TF && weight != store.Binary {
		opt.Weighting = weight
	}
	visitors := make([]store.Visitor, pool.Threads(threads))
	visitors[0] = visitor(panel)
	err = pool.Stage(ctx, "score", func(ctx context.Context) error {
		return c.index.Visit(ctx, opt, func(worker int) store.Visitor {
			if visitors[worker] == nil {
				visitors[worker] = visitor(score.NewPanel(choices, margins))
			}
			return visitors[worker]
		})
	})
	return c.universe(margins), err
}

// marginsFor gives what all scorings of the corpus share, made once without and
// once with token counts.
func (c *Corpus) marginsFor(ctx context.Context, tokens bool, threads int) (*score.Margins, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	kept := &c.documentMargins
	if tokens {
		kept = &c.tokenMargins
	}
	if *kept != nil {
		return *kept, nil
	}
	var t *store.Totals
	err := pool.Stage(ctx, "count", func(ctx context.Context) (err error) {
		t, err = c.index.Totals(ctx, tokens, threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	if t.ClassTokens == nil {
		t.ClassTokens = make([]float64, len(t.ClassDocs))
	}
	*kept = score.NewMargins(t.Documents, t.Tokens, t.ClassDocs, t.ClassTokens)
	return *kept, nil
}

func (c *Corpus) universe(margins *score.Margins) universe {
	return universe{
		terms: c.index.Terms, df: c.index.DF, documents: margins.N, classes: c.index.Classes, classDocs: margins.NC,
	}
}

// RankClass scores every term by its value for one class, terms that do not
// occur in it included. An unknown class gives an [UnknownError].
func (c *Corpus) RankClass(ctx context.Context, class string, o Scoring) (*Ranking, error) {
	o.Combine = score.ByClass
	p, err := o.plan()
	if err != nil {
		return nil, err
	}
	k, ok := slices.BinarySearch(c.index.Classes, class)
	if !ok {
		return nil, unknown("class", class, c.index.Classes)
	}
	values, inClass := make([]float64, c.Terms()), make([]uint32, c.Terms())
	of, err := c.visit(ctx, []score.Choice{p.choice()}, store.TF, 1, o.Threads, func(panel *score.Panel) store.Visitor {
		return &classScorer{panel: panel, class: k, values: values, inClass: inClass}
	})
	if err != nil {
		return nil, err
	}
	r := &Ranking{Measure: p.info.Name, Combine: score.ByClass, Class: class, of: of, values: values, class: k}
	r.inClass = func(t int) int { return int(inClass[t]) }
	r.warn(p)
	return c.withPValues(ctx, r, p, o.Threads)
}
