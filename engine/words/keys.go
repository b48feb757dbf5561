package words

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// take fills the lists with the keys, the tested pairs that have a small enough p-value. It is [ErrNoKeys] if there is
// none.
func (c *Comparison) take(ctx context.Context) error {
	bound := math.Inf(1)
	if c.Options.MaxP > 0 {
		bound = kernels.Log(c.Options.MaxP)
	}
	names := listNames[c.Options.Drift]
	lists, passed := make([]KeyList, len(names)-1), 0
	best := make([]rank.Best[int], len(lists))
	for i := range lists {
		lists[i].Name, best[i] = names[i], rank.Best[int]{Most: c.Options.Top, Order: c.order}
	}
	for _, place := range c.tested {
		if i := c.listOf(place); i < len(lists) && c.corrected[place] <= bound {
			best[i].Offer(place)
			lists[i].Passed++
			passed++
		}
	}
	if passed == 0 && !c.Options.AllowNone {
		return c.noKeys()
	}
	for i := range lists {
		for _, place := range best[i].Sorted() {
			key, err := c.key(ctx, place)
			if err != nil {
				return err
			}
			lists[i].Keys = append(lists[i].Keys, key)
		}
	}
	c.Lists = lists
	c.warn()
	return nil
}

// listNames are the names of the lists, with or without drift, and last that of terms which are in none.
var listNames = map[bool][]string{false: {"positive", "negative", "neither"}, true: {"new", "gone", "rising", "falling", "steady"}}

// listOf returns which of the lists a pair belongs to.
func (c *Comparison) listOf(place int) int {
	if !c.Options.Drift {
		return [...]int{1, 2, 0}[c.signs[place]+1]
	}
	switch t := c.counts(ofTokens, place); {
	case t[reference] == 0:
		return 0
	case t[target] == 0:
		return 1
	}
	return [...]int{3, 4, 2}[c.signs[place]+1]
}

// order compares the places of two keys of the same sign, the better one first.
func (c *Comparison) order(i, j int) int {
	if d := cmp.Compare(c.by.strength(c.values[j], c.signs[j]), c.by.strength(c.values[i], c.signs[i])); d != 0 {
		return d
	}
	if c.ties != nil && c.ties[i] != c.ties[j] {
		return cmp.Compare(c.ties[j], c.ties[i])
	}
	s, t := c.counts(c.unit, i), c.counts(c.unit, j)
	return cmp.Or(cmp.Compare(t[0]+t[1], s[0]+s[1]), cmp.Compare(i, j)) // pairs are in the order of their bytes
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
func (c *Comparison) key(ctx context.Context, place int) (k Key, err error) {
	if math.IsNaN(c.corrected[place]) && c.by.listed == nil { // it was not tested
		s := c.scorers[c.unit]
		if c.signs[place] = s.sign(c.counts(c.unit, place)); c.reached == nil {
			c.scorePlaces(s, []int{place})
		}
	}
	k = Key{
		Term: c.term(place), Sign: int(c.signs[place]), List: listNames[c.Options.Drift][c.listOf(place)], Value: c.values[place], measures: c.Measures,
		Log10P: rank.Log10(c.lnP[place]), Log10Corrected: rank.Log10(c.corrected[place]),
	}
	if c.lists != nil {
		err = postings.RunOver(ctx, c.indexes(), 1, 1, func(int, int) error { return c.lists.read(c.pairs[place]) })
		if err != nil {
			return k, err
		}
	}
	for _, m := range c.Measures {
		k.values = append(k.values, c.valueOf(keyMeasureOf(m), place))
	}
	for i, use := range []*Use{&k.Target, &k.Reference} {
		s, term := c.sides[i], c.pairs[place][i]
		if *use, err = s.use(ctx, term); err != nil {
			return k, err
		}
	}
	return k, nil
}

// valueOf returns the value of a pair by a measure.
func (c *Comparison) valueOf(d *keyMeasure, place int) float64 {
	switch {
	case d == c.by:
		return c.values[place]
	case d.listed != nil:
		return d.listed(c.lists).value
	}
	unit := d.unitBy(&c.Options)
	return c.scorers[unit].value(d, c.counts(unit, place))
}

// term returns the bytes of a pair's term.
func (c *Comparison) term(place int) string {
	return c.pairs[place].Name(c.sides[target].counts.Names, c.sides[reference].counts.Names)
}

// Of returns a term as a key, whether or not it passes the bounds of the options. If
// neither corpus has the term, the error is a [usage.UnknownError] that names similar ones.
func (c *Comparison) Of(ctx context.Context, term string) (Key, error) {
	place := sort.Search(len(c.pairs), func(i int) bool { return c.term(i) >= term })
	if place < len(c.pairs) && c.term(place) == term {
		return c.key(ctx, place)
	}
	all := func(yield func(string) bool) {
		for i := range c.pairs {
			if !yield(c.term(i)) {
				return
			}
		}
	}
	return Key{}, &usage.UnknownError{
		Kind: "term", Name: term, Near: usage.Nearest(term, all), Remedy: fmt.Sprintf("neither corpus has it; together they have %d terms", len(c.pairs)),
	}
}
