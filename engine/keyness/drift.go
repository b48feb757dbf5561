package keyness

import (
	"context"

	"github.com/termsift/termsift/engine/rank"
)

// A Change says how the use of a term changed from an earlier corpus to a later one.
type Change string

// The changes. Steady is the change of a term whose relative frequencies are equal.
const (
	New     Change = "new"     // the earlier corpus lacks the term
	Gone    Change = "gone"    // the later one does
	Rising  Change = "rising"  // both have it, the later one more often
	Falling Change = "falling" // both have it, the earlier one more often
	Steady  Change = "steady"
)

// Change returns how the use of the term changed, the target being the later corpus.
func (k *Key) Change() Change {
	switch {
	case k.Reference.TF == 0:
		return New
	case k.Target.TF == 0:
		return Gone
	case k.Sign > 0:
		return Rising
	case k.Sign < 0:
		return Falling
	}
	return Steady
}

// Changed has the terms with one change.
type Changed struct {
	Change Change
	Passed int   // their number before Options.Top
	Keys   []Key // best first, as in a [Comparison]
}

// A Drifted tells how the use of terms changed. Its Comparison has the later corpus as the
// target and the earlier one as the reference, and no Positive and Negative keys: they are
// parted into the changes New, Gone, Rising and Falling, in this order.
type Drifted struct {
	*Comparison
	Changes []Changed
}

// Drift finds the terms whose use changed from an earlier corpus to a later one, either of
// which may be statistics. It tests and ranks terms as [Compare] does, all of them
// together, and Options.Top bounds the terms of each change. Its errors are those of
// Compare.
func Drift(ctx context.Context, earlier, later rank.Counted, o Options) (*Drifted, error) {
	c, err := newComparison(ctx, later, earlier, o)
	if err != nil {
		return nil, err
	}
	lists := []*best{
		{c: c, has: func(place int) bool { return c.countsIn(Tokens, c.pairs[place]).b == 0 }, positive: true},
		{c: c, has: func(place int) bool { return c.countsIn(Tokens, c.pairs[place]).a == 0 }},
		{c: c, has: c.isPositive, positive: true},
		{c: c, has: c.isNegative},
	}
	if err := c.take(ctx, lists...); err != nil {
		return nil, err
	}
	d := &Drifted{Comparison: c}
	for i, change := range []Change{New, Gone, Rising, Falling} {
		d.Changes = append(d.Changes, Changed{change, lists[i].offered, lists[i].keys})
	}
	return d, nil
}
