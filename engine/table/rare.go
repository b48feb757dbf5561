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

// WithoutRare returns the table without the terms that occur in fewer than least
// documents, which are most terms of a shard of a large collection and tell little. Tables
// that are made so can be added and merged. The totals still count all documents, and of a term
// each shard loses as many documents as the most frequent one has that was left out, least - 1
// at most: the sum of these bounds is Missing. A table that was bounded (MinDF, MaxDF) is an
// error that wraps [ErrPruned].
func (t *Table) WithoutRare(least int) (*Table, error) {
	if least < 0 || uint64(least) > math.MaxUint32 {
		return nil, usage.Errorf("terms can be left out below 1 to %d documents of a shard, not %d", uint32(math.MaxUint32), least)
	}
	if t.Pruned {
		return nil, ErrPruned
	}
	kept := t.frequent(uint32(least))
	if kept == len(t.Cells.DF) {
		return t, nil
	}
	missing, err := AddMissing(t.Missing, t.Cells.DF[kept])
	if err != nil {
		return nil, err
	}
	t = t.Stored()
	out := &Table{ClassNames: t.ClassNames, Missing: missing, provenance: t.provenance}
	if kept == 0 {
		out.Cells.Start = []int{0}
	} else {
		out.Cells.Reserve(kept, t.Cells.Start[kept])
		out.Cells.AppendTerms(&t.Cells, 0, kept)
	}
	out.Cells.Margins, out.Cells.W = t.Cells.Margins, nil
	out.Names = NamedBy(kept, t.Names.Term)
	return out.OfClasses()
}

// frequent returns the number of terms that occur in at least so many documents: those come
// first.
func (t *Table) frequent(least uint32) int {
	n := len(t.Cells.DF)
	for n > 0 && t.Cells.DF[n-1] < least {
		n--
	}
	return n
}

// AddMissing returns the sum of two bounds, or an error if it is none that a file holds.
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
