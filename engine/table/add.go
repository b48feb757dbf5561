package table

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// ErrPruned is returned for statistics from which terms were left out: their sums would
// be wrong.
var ErrPruned = usage.NewError(usage.ErrData, "statistics of an index that was pruned by document frequency do not add up")

// TooFrequent returns the error of a term whose documents a column of df does not hold.
func TooFrequent(term []byte) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf("the term %q is in more than %d documents together, which statistics do not hold: count without it (--stop), or add up fewer",
		term, uint32(math.MaxUint32)))
}

// Add returns the table of the documents of t followed by those of o, as one pass
// over all of them would count them. The two sets of documents must not overlap. Sums of
// weights are dropped. The documents must have been analysed in the same way, else the
// error is a [DifferenceError]; terms must not be bounded by document frequency,
// else it wraps [ErrPruned].
func (t *Table) Add(o *Table) (*Table, error) {
	if o == nil {
		return nil, usage.Errorf("nil statistics were given")
	}
	names := []string{"the first statistics", "the other"}
	p, err := JoinProvenances([]Provenance{t.provenance, o.provenance}, func(i int) string { return names[i] })
	if err != nil {
		return nil, err
	}
	sum, err := AddCounts(t, o)
	if err != nil {
		return nil, err
	}
	sum.SetProvenance(p)
	return sum, nil
}

// Sub returns the table of the documents of t that are not in o, whose documents must
// be a part of those of t: a training set without a fold, for instance. Classes that are
// left without a document remain. Of real values, the variance within classes has the rounding error of
// that of t: where o has much larger values, count the documents that are left.
func (t *Table) Sub(o *Table) (*Table, error) {
	if o == nil {
		return nil, usage.Errorf("nil statistics were given")
	}
	rest, err := SubCounts(t, o)
	if err != nil {
		return nil, err
	}
	p := t.provenance
	p.Subsets = append(p.Subsets[:len(p.Subsets):len(p.Subsets)], SubsetRecord{
		Docs: "all but a part", Documents: rest.Documents(), Of: t.Documents(),
	})
	rest.SetProvenance(p)
	return rest, nil
}

// AddCounts returns the counts of the documents of a and b together, with the union of
// their classes and terms and without a provenance. It drops the sums of weights, which depend on
// the whole corpus.
func AddCounts(a, b *Table) (*Table, error) { return combine(a, b, 1) }

// SubCounts returns the counts of the documents of a without those of b, which must be a
// part of a. Terms without a remaining document are dropped, classes are not.
func SubCounts(a, b *Table) (*Table, error) { return combine(a, b, -1) }

var errNoPart = errors.New("statistics: the part to subtract is not a part of the whole")

func combine(a, b *Table, sign float64) (*Table, error) {
	if a.Pruned || b.Pruned {
		return nil, ErrPruned
	}
	if sign < 0 && (a.Missing > 0 || b.Missing > 0) { // a term of the whole may be too low by documents of the rest
		return nil, fmt.Errorf("%w cannot be subtracted", ErrRareLeftOut)
	}
	missing, err := AddMissing(a.Missing, b.Missing)
	if err != nil {
		return nil, err
	}
	for _, t := range []*Table{a, b} {
		if err := t.Names.Spell(context.Background(), 1); err != nil {
			return nil, err
		}
	}
	out := &Table{Missing: missing, ClassNames: slices.Concat(a.ClassNames, b.ClassNames)}
	slices.Sort(out.ClassNames)
	out.ClassNames = slices.Compact(out.ClassNames)
	out.Cells.ClassDocs, out.Cells.ClassTokens = make([]float64, len(out.ClassNames)), make([]float64, len(out.ClassNames))
	left, right := NewOperand(&a.Cells, a.ClassNames, out.ClassNames, 1), NewOperand(&b.Cells, b.ClassNames, out.ClassNames, sign)
	out.Cells.AddMargins(left)
	out.Cells.AddMargins(right)
	if out.Cells.Documents < 0 {
		return nil, errNoPart
	}
	terms, err := out.uniteTerms(a, b, sign)
	if err != nil {
		return nil, err
	}
	for out.Cells.Form = max(a.Cells.Form, b.Cells.Form); ; out.Cells.Form = LargeCounts {
		out.Cells.Reserve(len(terms), a.Cells.Len()+b.Cells.Len())
		for _, t := range terms {
			out.Cells.AppendSum(left, right, t[0], t[1])
		}
		if out.Cells.Form != Counts || !out.Cells.inexactSquares() {
			break
		}
	}
	m := &out.Cells.Margins
	m.Tokens = out.Cells.settled(m.Tokens, a.Cells.Tokens)
	for i, v := range m.ClassTokens {
		m.ClassTokens[i] = out.Cells.settled(v, a.Cells.Tokens)
	}
	if out.Cells.impossible || sign < 0 && out.Check() != nil {
		return nil, errNoPart
	}
	return out, nil
}

// uniteTerms names the terms of either table that have a document in the sum, and returns them in its order.
func (t *Table) uniteTerms(a, b *Table, sign float64) ([]United, error) {
	var terms []United
	var df []uint32
	for _, u := range Unite(a.Names, b.Names) {
		n := int64(0)
		if u[0] >= 0 {
			n = int64(a.Cells.DF[u[0]])
		}
		if u[1] >= 0 {
			n += int64(sign) * int64(b.Cells.DF[u[1]])
		}
		switch {
		case n < 0:
			return nil, errNoPart
		case n > math.MaxUint32:
			return nil, TooFrequent([]byte(u.Name(a.Names, b.Names)))
		case n > 0:
			terms, df = append(terms, u), append(df, uint32(n))
		}
	}
	ordered, sorted := make([]United, len(terms)), PlacesByDF(df)
	for i, place := range sorted {
		ordered[place] = terms[i]
	}
	var err error
	t.Names, err = MakeDictionary(context.Background(), 1, len(ordered), sorted, func(i int) string { return ordered[i].Name(a.Names, b.Names) })
	return ordered, err
}

// A United is a term of two dictionaries: its numbers there, -1 in one that does not have it.
type United [2]int

// Name returns the name of the term.
func (u United) Name(a, b *Dictionary) string {
	if u[0] >= 0 {
		return a.Term(u[0])
	}
	return b.Term(u[1])
}

// Unite returns the terms of two dictionaries in the order of their bytes.
func Unite(a, b *Dictionary) (terms []United) {
	for x, y := a.Sorted(), b.Sorted(); len(x) > 0 || len(y) > 0; {
		u, order := United{-1, -1}, 0
		switch {
		case len(x) == 0:
			order = 1
		case len(y) == 0:
			order = -1
		default:
			order = strings.Compare(a.Term(int(x[0])), b.Term(int(y[0])))
		}
		if order <= 0 {
			u[0], x = int(x[0]), x[1:]
		}
		if order >= 0 {
			u[1], y = int(y[0]), y[1:]
		}
		terms = append(terms, u)
	}
	return terms
}

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
	kept := len(t.Cells.DF) // the frequent terms come first
	for kept > 0 && t.Cells.DF[kept-1] < uint32(least) {
		kept--
	}
	if kept == len(t.Cells.DF) {
		return t, nil
	}
	missing, err := AddMissing(t.Missing, t.Cells.DF[kept])
	if err != nil {
		return nil, err
	}
	out := &Table{ClassNames: t.ClassNames, Missing: missing, provenance: t.provenance}
	out.Cells.Form = t.Cells.Form
	if kept == 0 {
		out.Cells.Start = []int{0}
	} else {
		out.Cells.Reserve(kept, t.Cells.Start[kept])
		out.Cells.AppendTerms(&t.Cells, 0, kept)
	}
	out.Cells.Margins, out.Cells.W = t.Cells.Margins, nil
	out.Names = NamedBy(kept, t.Names.Term)
	return out, nil
}

// AddMissing returns the sum of two bounds, or an error if it is none that a file holds.
func AddMissing(a, b uint32) (uint32, error) {
	if b > MostMissing-a {
		return 0, fmt.Errorf("%w: a term can lack more than %d documents", ErrRareLeftOut, uint32(MostMissing))
	}
	return a + b, nil
}
