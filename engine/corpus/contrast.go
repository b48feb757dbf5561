package corpus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// The classes of a corpus that [Contrast] returns.
const (
	ClassTarget    = "target"
	ClassReference = "reference"
)

// ContrastOptions say how two corpora are joined.
type ContrastOptions struct {
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Contrast compares a target corpus with a reference, to find the key words of the target.
// It returns a corpus of the documents of both, with two classes, [ClassTarget] and
// [ClassReference], in place of their own labels; any measure can rank its terms. A
// document that is in both corpora counts twice: the caller must see to it that they are
// disjoint.
//
// Documents keep the order of their numbers, those of the target first. The corpora must
// have been analysed in the same way, else the error is an [table.DifferenceError]. Their
// terms must not be bounded by document frequency, else the error wraps table.ErrPruned: a
// term that only one of them left out would count as absent there. See [Comparable].
func Contrast(ctx context.Context, target, reference *Corpus, o ContrastOptions) (*Corpus, error) {
	if target == nil || reference == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := Comparable(target, reference); err != nil {
		return nil, err
	}
	sides := []*Corpus{target, reference}
	if err := checkTokens(ctx, sides, func(i int) string { return []string{"the target", "the reference"}[i] }); err != nil {
		return nil, err
	}
	p := target.provenance
	p.Reference = &reference.provenance
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	var of [2]store.Side
	for i, side := range sides {
		of[i].Class = []string{ClassTarget, ClassReference}[i]
		if of[i].Index, err = side.numbered.Index(ctx); err != nil {
			return nil, err
		}
	}
	index, err := store.Oppose(ctx, of, store.OpposeOptions{Meta: meta, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return New(index)
}

// A Made tells how its terms were made: a Corpus, or Statistics.
type Made interface {
	Provenance() table.Provenance
	Pruned() bool
}

// Comparable returns an error unless the terms of two corpora, or of statistics, can be
// compared: a [table.DifferenceError] if they were analysed in different ways, one that
// wraps table.ErrPruned if the terms of one are bounded by document frequency, or
// table.ErrRareLeftOut if its shards left out their rare terms.
func Comparable(target, reference Made) error {
	if target == nil || reference == nil {
		return usage.Errorf("a nil corpus was given")
	}
	if err := table.SameAnalysis(target.Provenance().Analysis, reference.Provenance().Analysis); err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		made Made
	}{{ClassTarget, target}, {ClassReference, reference}} {
		if side.made.Pruned() {
			return fmt.Errorf("the %s: %w; count it without bounds", side.name, table.ErrPruned)
		}
		if s, ok := side.made.(*Statistics); ok && s.Missing() > 0 {
			return fmt.Errorf("the %s: %w cannot be compared: a term that one side left out would count as absent there; count it without --local-min-df",
				side.name, table.ErrRareLeftOut)
		}
	}
	return nil
}
