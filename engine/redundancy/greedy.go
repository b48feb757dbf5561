package redundancy

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// greedy is the state of a selection.
type greedy struct {
	by         *criterion
	u          *universe
	i          *information
	candidates []candidate // by their limits, descending, then by term
	relevance  []int64     // by term

	chosen     []*set
	blocks     []*block // of the chosen, where candidates meet them so; nil for some
	relevances wide     // ΣI(s;C) of the chosen

	postings postings.List
	meetings int
}

// begin looks at every term alone, by its cells, and gives the candidates their first bounds.
func (g *greedy) begin(cells *table.Cells, candidates []int) {
	n := g.u.x.Terms.Len()
	g.relevance = make([]int64, n)
	most := make([]int64, n)
	cells.Tiles(&table.Tile{}, 0, n, false, func(t *table.Tile) {
		for i := range t.DF {
			from, to := t.Range(i)
			f := g.i.count(g.u, to-from, func(k int) (uint32, int) { return t.Class[from+k], int(t.A[from+k]) })
			g.relevance[t.First+i], most[t.First+i] = g.i.relevance(&f), g.i.most(&f)
		}
	})
	g.candidates = make([]candidate, 0, len(candidates))
	for _, t := range candidates {
		c := candidate{term: uint32(t)}
		g.by.begin(&c, g.relevance[t], most[t])
		g.candidates = append(g.candidates, c)
	}
	// By their bounds, descending, then by term.
	slices.SortFunc(g.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.limit, a.limit), cmp.Compare(a.term, b.term))
	})
}

// A choice is a chosen term with the value that the criterion gave it then, in nats.
// The value of the first is I(f;C).
type choice struct {
	term  int
	value float64
}

// choose takes the best candidate k times. What is chosen for a smaller k comes first.
func (g *greedy) choose(ctx context.Context, k int) ([]choice, error) {
	choices := make([]choice, 0, k)
	take := func(c *candidate, value float64) {
		choices = append(choices, choice{int(c.term), value})
		g.take(c)
	}
	if k > 0 {
		c := g.first()
		take(c, g.i.nats(whole(g.relevance[c.term])))
	}
	for m := 1; m < k; m++ {
		if ctx.Err() != nil {
			return nil, usage.Cause(ctx)
		}
		c, value, err := g.next(ctx, m)
		if err != nil {
			return nil, err
		}
		take(c, g.value(value, m))
	}
	return choices, nil
}

// first is the candidate of the largest relevance.
func (g *greedy) first() *candidate {
	best := &g.candidates[0]
	for i := range g.candidates {
		c := &g.candidates[i]
		v, most := g.relevance[c.term], g.relevance[best.term]
		if v > most || v == most && c.term < best.term {
			best = c
		}
	}
	return best
}

// next finds the candidate of the largest value beside the m terms chosen. Candidates
// meet them only as long as their bounds are above the best value so far, and none
// does behind the first whose limit is below it.
func (g *greedy) next(ctx context.Context, m int) (best *candidate, value wide, err error) {
	times := int64(1)
	if g.by.total {
		times = int64(m)
	}
	for i := range g.candidates {
		c := &g.candidates[i]
		if c.met == taken {
			continue
		}
		if best != nil && (wide{}).plusProduct(times, c.limit).less(value) {
			break
		}
		bound := c.bound(m)
		for best == nil || value.less(bound) || bound == value && c.term < best.term {
			if int(c.met) == m {
				best, value = c, bound
				break
			}
			if err := g.meet(ctx, c); err != nil {
				return nil, wide{}, err
			}
			bound = c.bound(m)
		}
	}
	return best, value, nil
}

// checkMeetings is how many meetings go by without a look at the context: some
// microseconds, or a millisecond where there are millions of documents.
const checkMeetings = 32

// meet has a candidate meet the next chosen term, or the next block of them.
func (g *greedy) meet(ctx context.Context, c *candidate) error {
	if g.meetings++; g.meetings%checkMeetings == 0 && ctx.Err() != nil {
		return usage.Cause(ctx)
	}
	f := g.setOf(c)
	if k := int(c.met) / blockTerms; c.met%blockTerms == 0 && k < len(g.blocks) && g.blocks[k] != nil {
		for _, v := range g.blocks[k].conditional(g.i, f) {
			g.by.meet(c, v)
		}
		c.met += blockTerms
		return nil
	}
	if s := g.chosen[c.met]; g.by.classes {
		g.by.meet(c, g.i.conditional(g.u, f, s))
	} else {
		g.by.meet(c, g.i.mutual(f, s))
	}
	c.met++
	return nil
}

// setOf gives the set of a candidate, which is made when first needed.
func (g *greedy) setOf(c *candidate) *set {
	if c.set == nil {
		c.set = g.u.load(g.i, int(c.term), &g.postings)
	}
	return c.set
}

// take adds a candidate to the chosen terms. Only sums over them, of which most
// candidates need nearly all, are worth a block.
func (g *greedy) take(c *candidate) {
	s := g.setOf(c)
	s.choose(g.u)
	g.chosen = append(g.chosen, s)
	g.relevances = g.relevances.plus(g.relevance[c.term])
	c.met, c.set = taken, nil
	if n := len(g.chosen); g.by.total && g.by.classes && n%blockTerms == 0 {
		g.blocks = append(g.blocks, newBlock(g.i, g.u, g.chosen[n-blockTerms:]))
	}
}

// value is the criterion's value in nats.
func (g *greedy) value(v wide, m int) float64 {
	if g.by.joint {
		v = v.add(g.relevances)
	}
	if g.by.mean {
		return g.i.nats(v) / float64(m)
	}
	return g.i.nats(v)
}
