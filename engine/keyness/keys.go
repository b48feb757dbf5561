package keyness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// take fills the lists with keys, those of the tested pairs that have a small enough
// p-value. It is [ErrNoKeys] if none has.
func (c *Comparison) take(ctx context.Context, lists ...*best) error {
	bound := math.Inf(1)
	if c.Options.MaxP > 0 {
		bound = kernels.Log(c.Options.MaxP)
	}
	offered := 0
	for _, place := range c.tested {
		if !(c.corrected[place] <= bound) {
			continue
		}
		if i := slices.IndexFunc(lists, func(b *best) bool { return b.has(place) }); i >= 0 {
			lists[i].Offer(place)
			lists[i].offered++
			offered++
		}
	}
	if offered == 0 && !c.Options.AllowNone {
		return c.noKeys()
	}
	for _, b := range lists {
		for _, place := range b.Sorted() {
			key, err := c.key(ctx, place)
			if err != nil {
				return err
			}
			b.keys = append(b.keys, key)
		}
	}
	c.warn()
	return nil
}

// noKeys returns the error for two lists without keys.
func (c *Comparison) noKeys() error {
	o, all := c.Options, len(c.pairs)
	switch {
	case c.Tested == 0:
		return fmt.Errorf("%w: none of the %d terms has the least frequency, %d, and the least range, %d, in the corpus that uses it more", ErrNoKeys, all, o.MinFreq, o.MinRange)
	case o.MaxP > 0:
		return fmt.Errorf("%w: none of the %d terms tested has a p-value of %v or less, by correction %s", ErrNoKeys, c.Tested, o.MaxP, o.Correction)
	}
	return fmt.Errorf("%w: both corpora use each of the %d terms tested alike", ErrNoKeys, c.Tested)
}

// key returns the key of a pair.
func (c *Comparison) key(ctx context.Context, place int) (Key, error) {
	p := c.pairs[place]
	if math.IsNaN(c.corrected[place]) && c.by.listed == nil { // it was not tested
		s := c.scorers.of(c.unit)
		if c.signs[place] = s.sign(c.counts(place)); c.reached == nil {
			c.scorePlaces(s, []int{place})
		}
	}
	k := Key{
		Term: c.term(p), Sign: int(c.signs[place]), Value: c.values[place], measures: c.measures,
		Log10P: rank.Log10(c.lnP[place]), Log10Corrected: rank.Log10(c.corrected[place]),
	}
	if err := c.readLists(place); err != nil {
		return k, err
	}
	for _, m := range c.measures {
		k.values = append(k.values, c.valueOf(definitionOf(m), place))
	}
	t := c.countsIn(Tokens, p)
	for _, u := range []struct {
		use  *Use
		side *side
		term int32
		tf   float64
	}{{&k.Target, c.target, p.target, t.a}, {&k.Reference, c.reference, p.reference, t.b}} {
		d, err := u.side.disperse(ctx, u.term)
		if err != nil {
			return k, err
		}
		*u.use = Use{TF: int(u.tf), PerMillion: 1e6 * u.tf / float64(max(1, u.side.Words)), DF: u.side.documents(u.term), Dispersion: d}
		if u.side.noRanges {
			u.use.DF = -1
		}
	}
	return k, nil
}

// valueOf returns the value of a pair by a measure.
func (c *Comparison) valueOf(d *definition, place int) float64 {
	switch {
	case d == c.by:
		return c.values[place]
	case d.listed != nil:
		return d.listed(c.lists).value
	}
	unit := d.unitBy(&c.Options)
	return c.scorers.of(unit).value(d, c.countsIn(unit, c.pairs[place]))
}

// term returns the bytes of a pair's term.
func (c *Comparison) term(p pair) string {
	if p.target >= 0 {
		return c.target.counts.Names.Term(int(p.target))
	}
	return c.reference.counts.Names.Term(int(p.reference))
}

// Of returns a term as a key, whether or not it passes the bounds of the options. If
// neither corpus has the term, the error is a [usage.UnknownError] that names similar ones.
func (c *Comparison) Of(ctx context.Context, term string) (Key, error) {
	if place, ok := slices.BinarySearchFunc(c.pairs, term, func(p pair, want string) int { return strings.Compare(c.term(p), want) }); ok {
		return c.key(ctx, place)
	}
	all := func(yield func(string) bool) {
		for _, p := range c.pairs {
			if !yield(c.term(p)) {
				return
			}
		}
	}
	return Key{}, &usage.UnknownError{
		Kind: "term", Name: term, Near: usage.Nearest(term, all), Remedy: fmt.Sprintf("neither corpus has it; together they have %d terms", len(c.pairs)),
	}
}

// best keeps the best keys of the pairs that it has, which are of one sign.
type best struct {
	rank.Best[int] // places
	c              *Comparison
	has            func(place int) bool
	positive       bool
	offered        int
	keys           []Key // of the places, once all are known
}

// best returns a list of keys.
func (c *Comparison) best(has func(place int) bool, positive bool) *best {
	b := &best{c: c, has: has, positive: positive}
	b.Most, b.Order = c.Options.Top, b.order
	return b
}

// order compares two places, the better one first.
func (b *best) order(i, j int) int {
	c := b.c
	if d := cmp.Compare(c.by.strength(c.values[j], b.positive), c.by.strength(c.values[i], b.positive)); d != 0 {
		return d
	}
	if c.ties != nil && c.ties[i] != c.ties[j] {
		return cmp.Compare(c.ties[j], c.ties[i])
	}
	s, t := c.counts(i), c.counts(j)
	return cmp.Or(cmp.Compare(t.a+t.b, s.a+s.b), cmp.Compare(i, j)) // pairs are in the order of their bytes
}

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

// Drift finds the terms whose use changed from an earlier corpus to a later one, either of
// which may be statistics. It tests and ranks terms as [Compare] does, all of them
// together, and Options.Top bounds the terms of each change. The later corpus is the target. There are no Positive and
// Negative keys: they are parted into the Changes New, Gone, Rising and Falling, in this order. Its errors are those of
// Compare.
func Drift(ctx context.Context, earlier, later rank.Counted, o Options) (*Comparison, error) {
	c, err := newComparison(ctx, later, earlier, o)
	if err != nil {
		return nil, err
	}
	lists := []*best{
		c.best(func(place int) bool { return c.countsIn(Tokens, c.pairs[place]).b == 0 }, true),
		c.best(func(place int) bool { return c.countsIn(Tokens, c.pairs[place]).a == 0 }, false),
		c.best(c.isPositive, true),
		c.best(c.isNegative, false),
	}
	if err := c.take(ctx, lists...); err != nil {
		return nil, err
	}
	for i, change := range []Change{New, Gone, Rising, Falling} {
		c.Changes = append(c.Changes, Changed{change, lists[i].offered, lists[i].keys})
	}
	return c, nil
}
