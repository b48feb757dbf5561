package table

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/usage"
)

// MostMissing is the largest number of documents of a term that may not be counted.
const MostMissing = math.MaxUint32

// ErrRareLeftOut is returned where statistics from which the rare terms of shards were left
// out would give wrong counts.
var ErrRareLeftOut = usage.NewError(usage.ErrData, "statistics without the rare terms of their shards")

// WithoutRare returns the statistics without the terms that occur in fewer than least
// documents. Statistics of shards that are made so can be added: they are smaller, and Missing
// of the sum says how many documents of a term can be lost: of each shard as many as the most
// frequent term has that was left out, least - 1 at most.
func (s *Table) WithoutRare(least uint32) (*Table, error) {
	if s.Pruned {
		return nil, ErrPruned
	}
	kept := s.frequent(least)
	if kept == len(s.DF) {
		return s, nil
	}
	missing, err := AddMissing(s.Missing, s.DF[kept])
	if err != nil {
		return nil, err
	}
	out := &Table{Classes: s.Classes, Missing: missing}
	if kept == 0 {
		out.Start = []int{0}
	} else {
		out.Reserve(kept, s.Start[kept])
		out.AppendTerms(&s.Cells, 0, kept)
	}
	out.Margins, out.W = s.Margins, nil
	out.Terms = NamedBy(kept, s.Terms.Term)
	return out, nil
}

// frequent returns the number of terms that occur in at least so many documents: those come
// first.
func (s *Table) frequent(least uint32) int {
	n := len(s.DF)
	for n > 0 && s.DF[n-1] < least {
		n--
	}
	return n
}

// addMissing returns the sum of two bounds, or an error if it is none that a file holds.
func AddMissing(a, b uint32) (uint32, error) {
	if b > MostMissing-a {
		return 0, fmt.Errorf("%w: a term can lack more than %d documents", ErrRareLeftOut, uint32(MostMissing))
	}
	return a + b, nil
}

// combinedMissing returns the bound of a sum. For a difference it returns an error if there is
// one: a term of the whole may be too low by documents of the rest.
func combinedMissing(a, b *Table, sign float64) (uint32, error) {
	if sign < 0 && (a.Missing > 0 || b.Missing > 0) {
		return 0, fmt.Errorf("%w cannot be subtracted", ErrRareLeftOut)
	}
	return AddMissing(a.Missing, b.Missing)
}
