package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
	rows, err := uniteTerms(a, b, sign)
	if err != nil {
		return nil, err
	}
	if out.Cells.Documents < 0 {
		return nil, errNoPart
	}
	if uint64(rows.text) > math.MaxUint32 {
		return nil, fmt.Errorf("table: names of %d bytes together are more than statistics hold", rows.text)
	}
	out.Cells.Form = max(a.Cells.Form, b.Cells.Form)
	sum := rowSum{out: out, a: a, b: b, left: left, right: right}
	sum.appendAll(rows)
	if out.Cells.Form == Counts && out.Cells.InexactSquares() {
		out.Cells.Form = LargeCounts
		sum.appendAll(rows)
	}
	out.Cells.settleMargins(&a.Cells.Margins)
	if out.Cells.impossible || sign < 0 && out.Check() != nil {
		return nil, errNoPart
	}
	return out, nil
}

// A rowSum adds up the terms of two operands.
type rowSum struct {
	out, a, b   *Table
	left, right *Operand
}

// appendAll appends all rows, in the order of an index.
func (s *rowSum) appendAll(rows *unitedRows) {
	sorted := PlacesByDF(rows.df)
	ordered := make([]unitedRow, len(sorted))
	for i, t := range sorted {
		ordered[t] = rows.in[i]
	}
	names, ends := make([]byte, 0, rows.text), make([]uint32, 1, len(sorted)+1)
	inA, inB := s.a.Names.spelling(), s.b.Names.spelling()
	s.out.Cells.Reserve(len(sorted), s.a.Cells.Len()+s.b.Cells.Len())
	for _, r := range ordered {
		of, term := inA, r.inA
		if term < 0 {
			of, term = inB, r.inB
		}
		from, n := of.place(int(term))
		names = AppendShort(names, of.text, from, n)
		ends = append(ends, uint32(len(names)))
		if s.out.Cells.Form == Counts && s.right.Sign > 0 {
			s.out.Cells.appendCountSum(s.left, s.right, int(r.inA), int(r.inB))
		} else {
			s.out.Cells.AppendSum(s.left, s.right, int(r.inA), int(r.inB))
		}
	}
	s.out.Names = NewDictionary(string(names), ends, sorted)
}

// NewOperand returns cells as an operand, with the numbers that their classes have among all.
func NewOperand(c *Cells, classes, all []string, sign float64) *Operand {
	o := &Operand{Cells: c, Classes: make([]uint32, len(classes)), Sign: sign}
	for i, name := range classes {
		class, _ := slices.BinarySearch(all, name)
		o.Classes[i] = uint32(class)
	}
	return o
}

// unitedRows are the terms of either operand in the order of their bytes: their document
// frequencies and their numbers in the operands, or -1.
type unitedRows struct {
	df   []uint32
	in   []unitedRow
	text int // bytes of all names
}

type unitedRow struct{ inA, inB int32 }

// uniteTerms merges the two dictionaries and returns the terms with a nonzero df, or an error
// if one is negative or too large.
func uniteTerms(a, b *Table, sign float64) (*unitedRows, error) {
	x, y := a.Names.sortedKeys(), b.Names.sortedKeys()
	most := len(x) + len(y)
	rows := &unitedRows{df: make([]uint32, most), in: make([]unitedRow, most)}
	n, signB := 0, int64(sign)
	for len(x) > 0 || len(y) > 0 {
		takeX, takeY := firstKey(x, y, a.Names, b.Names)
		inA, inB, df, size := int32(-1), int32(-1), int64(0), uint32(0)
		if takeY {
			inB, size, df = int32(y[0].id), y[0].size, signB*int64(b.Cells.DF[y[0].id])
			y = y[1:]
		}
		if takeX {
			inA, size = int32(x[0].id), x[0].size
			df += int64(a.Cells.DF[inA])
			x = x[1:]
		}
		if df < 0 {
			return nil, errNoPart
		}
		if df > math.MaxUint32 {
			return nil, TooFrequent([]byte(a.Names.Term(int(inA))))
		}
		rows.df[n], rows.in[n] = uint32(df), unitedRow{inA, inB}
		if df > 0 {
			n++
			rows.text += int(size)
		}
	}
	rows.df, rows.in = rows.df[:n], rows.in[:n]
	return rows, nil
}

// firstKey reports which of two lists has the first term, or that both have it.
func firstKey(x, y []sortedKey, ofX, ofY *Dictionary) (inX, inY bool) {
	switch {
	case len(x) == 0 || len(y) == 0:
		return len(x) > 0, len(y) > 0
	case x[0].key != y[0].key || x[0].key&0xff <= KeyBytes:
		return x[0].key <= y[0].key, y[0].key <= x[0].key
	default:
		order := cmp.Compare(ofX.Term(int(x[0].id)), ofY.Term(int(y[0].id)))
		return order <= 0, order >= 0
	}
}

// A sortedKey is a term, with the key and the length of its name.
type sortedKey struct {
	key      uint64 // see KeyOf
	id, size uint32
}

// sortedKeys returns the terms in the order of their bytes.
func (d *Dictionary) sortedKeys() []sortedKey {
	sorted := d.Sorted()
	keys := make([]sortedKey, len(sorted))
	names := d.spelling()
	for i, id := range sorted {
		from, n := names.place(int(id))
		keys[i] = sortedKey{KeyOf(prefixAt(names.text, from, n), n), id, uint32(n)}
	}
	return keys
}

// place returns where the name of a term is in the text.
func (s *spelling) place(id int) (from, n int) {
	begin, end := s.offsets[id], s.offsets[id+1]
	return int(begin), int(end - begin)
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
