package bestterms

import (
	"fmt"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// OneAgainstRest yields the rows that a binary classifier of one class learns from, of rows
// over the features of a selection: those with a positive term of the class, with the single
// label 1 if they are in it and -1 if not. The others are outside the class, and no classifier
// need be asked for them. class is a place in Classes. The labels of a row are valid until the
// next one. A selection that lacks a positive term, or the class, would leave out documents of
// the class: it yields a [usage.ErrContradiction].
func (b *Choice) OneAgainstRest(s *selection.Selection, class int, in iter.Seq2[vectors.Row, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		positive, err := b.positiveFeatures(s, class)
		if err != nil {
			yield(vectors.Row{}, err)
			return
		}
		own := slices.Index(s.Classes, b.Classes[class].Class)
		var label [1]int
		for r, err := range in {
			if err == nil && !slices.ContainsFunc(r.Index, func(rank uint32) bool { return int(rank) < len(positive) && positive[rank] }) {
				continue
			}
			label[0] = -1
			if slices.Contains(r.Labels, own) {
				label[0] = 1
			}
			r.Labels, r.Target = label[:], ""
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// positiveFeatures returns which features of a selection are positive terms of a class, by rank.
func (b *Choice) positiveFeatures(s *selection.Selection, class int) ([]bool, error) {
	c := &b.Classes[class]
	if !slices.Contains(s.Classes, c.Class) {
		return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, usage.Cut(c.Class))
	}
	rank := make(map[string]int, len(s.Features))
	for i, f := range s.Features {
		rank[f.Term] = i + 1
	}
	positive := make([]bool, len(s.Features)+1)
	for _, t := range c.Positive {
		if rank[t.Term] == 0 {
			return nil, fmt.Errorf("%w: it lacks %q, a positive term of %q; take both from the same corpus",
				usage.ErrContradiction, usage.Cut(t.Term), usage.Cut(c.Class))
		}
		positive[rank[t.Term]] = true
	}
	return positive, nil
}
