package table

import (
	"fmt"

	"github.com/termsift/termsift/engine/usage"
)

// Comparable returns an error unless the terms of two tables can be
// compared: a [DifferenceError] if they were analysed in different ways, one that
// wraps [ErrPruned] if the terms of one are bounded by document frequency, or
// [ErrRareLeftOut] if its shards left out their rare terms.
func Comparable(target, reference *Table) error {
	if target == nil || reference == nil {
		return usage.Errorf("nil statistics were given")
	}
	if err := SameAnalysis(target.provenance.Analysis, reference.provenance.Analysis); err != nil {
		return err
	}
	if a, b := &target.provenance, &reference.provenance; a.Segment != b.Segment {
		return differentSegments(a, b)
	}
	if err := target.Whole("target"); err != nil {
		return err
	}
	return reference.Whole("reference")
}

// Whole returns an error unless t has all terms of its documents. It calls the table by a name.
func (t *Table) Whole(name string) error {
	switch {
	case t.Pruned:
		return fmt.Errorf("the %s: %w; count it without bounds", name, ErrPruned)
	case t.Missing > 0:
		return fmt.Errorf("the %s: %w cannot be compared: a term that one side left out would count as absent there; count it without --local-min-df",
			name, ErrRareLeftOut)
	}
	return nil
}
