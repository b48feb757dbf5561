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

// Statistics are the counts of every term in every class in which it occurs, with the
// names of both: all that a measure depends on. They are immutable and safe for
// concurrent use. They form a commutative monoid: [Add] and [Sub] return what one pass
// over the resulting set of documents would return, exactly so if the values are counts
// that add up to no more than 2^53, otherwise but for rounding (see [Centred]).
type Table struct {
	Cells
	Classes   []string    // by bytes
	Terms     *Dictionary // by document frequency, descending, then bytes
	Weighting Weighting   // of W
	// Pruned reports whether terms were left out when the index was built.
	Pruned bool
	// Missing is the largest number of documents of a term that are not counted, since the
	// shards in which they are left out their rare terms: see [Table.WithoutRare]. A
	// term that occurs in more documents is there, and its df, and with it the counts of its
	// cells, are too low by no more. The margins count all documents and tokens.
	Missing uint32

	// ClassSets has the classes of the cells of each term as the bits of a word, if they were made
	// with the cells, else nil: see [Cells.SetsOfClasses].
	ClassSets []uint64
}

// Check returns an error for cells that no corpus with these margins has.
func (s *Table) Check() error {
	bounds, err := NewBounds(&s.Margins, s.Centred != nil || s.LowQ != nil)
	if err != nil {
		return err
	}
	if names := s.Terms.Len(); names != s.Cells.Terms() {
		return fmt.Errorf("%d names of %d terms", names, s.Cells.Terms())
	}
	if t, err := bounds.CheckTerms(&s.Cells); err != nil {
		return fmt.Errorf("term %q: %w", usage.Cut(s.Terms.Term(t)), err)
	}
	return nil
}

// OrderedTerms are terms in the order of an index.
type OrderedTerms struct {
	Order []uint32 // which of the terms that were given is this one
	Terms *Dictionary
}

// OrderTerms puts n terms, each of another name, into the order of an index. The function gives
// the name and the document frequency of a term. It returns an error if the names are too long
// together.
func OrderTerms(ctx context.Context, n int, term func(i int) (name string, df uint32)) (*OrderedTerms, error) {
	keys, names, dfOf := make([]TermKey, n), make(nameList, n), make([]uint32, n)
	size := uint64(0)
	for i := range keys {
		names[i], dfOf[i] = term(i)
		keys[i] = NewTermKey(names[i], uint32(i))
		size += uint64(len(names[i]))
	}
	if err := CheckNames(size); err != nil {
		return nil, err
	}
	SortTerms(keys, make([]TermKey, n), names)
	if ctx.Err() != nil {
		return nil, usage.Cause(ctx)
	}
	df := make([]uint32, n)
	for i, k := range keys {
		df[i] = dfOf[k.ID]
	}
	sorted, order := PlacesByDF(df), make([]uint32, n)
	for i, t := range sorted {
		order[t] = keys[i].ID
	}
	text, ends := make([]byte, 0, size), make([]uint32, 1, n+1)
	for _, i := range order {
		text = append(text, names[i]...)
		ends = append(ends, uint32(len(text)))
	}
	return &OrderedTerms{order, NewDictionary(string(text), ends, sorted)}, nil
}

// A nameList gives names by their places.
type nameList []string

// Term implements termer.
func (l nameList) Term(id int) string { return l[id] }

// ErrPruned is returned for statistics from which terms were left out: their sums would
// be wrong.
var ErrPruned = usage.NewError(usage.ErrData, "statistics of an index that was pruned by document frequency do not add up")

// tooFrequent returns the error of a term whose documents a column of df does not hold.
func TooFrequent(term []byte) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf("the term %q is in more than %d documents together, which statistics do not hold: count without it (--stop), or add up fewer",
		term, uint32(math.MaxUint32)))
}

// Add returns the statistics of the documents of a and b together, with the union of
// their classes and terms. It drops the sums of weights, which depend on the whole
// corpus.
func Add(a, b *Table) (*Table, error) { return combine(a, b, 1) }

// Sub returns the statistics of the documents of a without those of b, which must be a
// part of a. Terms without a remaining document are dropped, classes are not.
func Sub(a, b *Table) (*Table, error) { return combine(a, b, -1) }

var errNoPart = errors.New("statistics: the part to subtract is not a part of the whole")

func combine(a, b *Table, sign float64) (*Table, error) {
	if a.Pruned || b.Pruned {
		return nil, ErrPruned
	}
	missing, err := combinedMissing(a, b, sign)
	if err != nil {
		return nil, err
	}
	out := &Table{Missing: missing, Classes: slices.Concat(a.Classes, b.Classes)}
	slices.Sort(out.Classes)
	out.Classes = slices.Compact(out.Classes)
	out.ClassDocs, out.ClassTokens = make([]float64, len(out.Classes)), make([]float64, len(out.Classes))
	left, right := out.OperandOf(a, 1), out.OperandOf(b, sign)
	out.AddMargins(left)
	out.AddMargins(right)
	rows, err := uniteTerms(a, b, sign)
	if err != nil {
		return nil, err
	}
	if out.Documents < 0 {
		return nil, errNoPart
	}
	if uint64(rows.text) > math.MaxUint32 {
		return nil, fmt.Errorf("store: names of %d bytes together are more than statistics hold", rows.text)
	}
	sum := rowSum{out: out, a: a, b: b, left: left, right: right, counts: sign > 0 && a.CountsWith(&b.Cells)}
	sum.appendAll(rows)
	if !sum.counts && !out.Settled() || sign < 0 && out.Check() != nil {
		return nil, errNoPart
	}
	return out, nil
}

// A rowSum adds up the terms of two operands.
type rowSum struct {
	out, a, b   *Table
	left, right *Operand
	counts      bool // see cells.AppendCountSum
}

// appendAll appends all rows, in the order of an index.
func (s *rowSum) appendAll(rows *unitedRows) {
	sorted := PlacesByDF(rows.df)
	ordered := make([]unitedRow, len(sorted))
	for i, t := range sorted {
		ordered[t] = rows.in[i]
	}
	names, ends := make([]byte, 0, rows.text), make([]uint32, 1, len(sorted)+1)
	s.out.Reserve(len(sorted), s.a.Len()+s.b.Len())
	for _, r := range ordered {
		of, term := s.a.Terms, r.inA
		if term < 0 {
			of, term = s.b.Terms, r.inB
		}
		text, from, n := of.place(int(term))
		names = AppendShort(names, text, from, n)
		ends = append(ends, uint32(len(names)))
		if s.counts {
			s.out.AppendCountSum(s.left, s.right, int(r.inA), int(r.inB))
		} else {
			s.out.AppendSum(s.left, s.right, int(r.inA), int(r.inB))
		}
	}
	s.out.Terms = NewDictionary(string(names), ends, sorted)
}

// operand returns x as an operand for s, with the numbers that its classes have in s.
func (s *Table) OperandOf(x *Table, sign float64) *Operand {
	o := &Operand{Cells: &x.Cells, Classes: make([]uint32, len(x.Classes)), Sign: sign}
	for i, name := range x.Classes {
		class, _ := slices.BinarySearch(s.Classes, name)
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
	x, y := a.Terms.sortedKeys(), b.Terms.sortedKeys()
	most := len(x) + len(y)
	rows := &unitedRows{df: make([]uint32, most), in: make([]unitedRow, most)}
	n, signB := 0, int64(sign)
	for len(x) > 0 || len(y) > 0 {
		takeX, takeY := firstKey(x, y, a.Terms, b.Terms)
		inA, inB, df, size := int32(-1), int32(-1), int64(0), uint32(0)
		if takeY {
			inB, size, df = int32(y[0].id), y[0].size, signB*int64(b.DF[y[0].id])
			y = y[1:]
		}
		if takeX {
			inA, size = int32(x[0].id), x[0].size
			df += int64(a.DF[inA])
			x = x[1:]
		}
		if df < 0 {
			return nil, errNoPart
		}
		if df > math.MaxUint32 {
			return nil, TooFrequent([]byte(a.Terms.Term(int(inA))))
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
	for i, id := range sorted {
		text, from, n := d.place(int(id))
		keys[i] = sortedKey{KeyOf(prefixAt(text, from, n), n), id, uint32(n)}
	}
	return keys
}

// place returns a text with the name of a term, and where it is there.
func (d *Dictionary) place(id int) (text string, from, n int) {
	if d.name != nil {
		name := d.name(id)
		return name, 0, len(name)
	}
	begin, end := d.offsets[id], d.offsets[id+1]
	return d.text, int(begin), int(end - begin)
}
