package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/usage"
)

// Statistics are the counts of every term in every class in which it occurs, with the
// names of both: all that a measure depends on. They are immutable and safe for
// concurrent use. They form a commutative monoid: [Add] and [Sub] return what one pass
// over the resulting set of documents would return, exactly so if the values are counts
// and all sums are below 2^53, otherwise but for rounding (see [cells.Centred]).
type Statistics struct {
	cells.Cells
	Classes   []string    // by bytes
	Terms     *Dictionary // by document frequency, descending, then bytes
	Weighting Weighting   // of W
	// Pruned reports whether terms were left out when the index was built.
	Pruned bool
	// Missing is the largest number of documents of a term that are not counted, since the
	// shards in which they are left out their rare terms: see [Statistics.WithoutRare]. A
	// term that occurs in more documents is there, and its df, and with it the counts of its
	// cells, are too low by no more. The margins count all documents and tokens.
	Missing uint32
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
	keys, names := make([]termKey, n), make(nameList, n)
	for i := range keys {
		names[i], _ = term(i)
		keys[i] = newTermKey(names[i], uint32(i))
	}
	sortKeys(keys, make([]termKey, n), names)
	df := make([]uint32, n)
	for i, k := range keys {
		_, df[i] = term(int(k.id))
	}
	order, sorted := orderByDF(df), make([]uint32, n)
	for t, place := range order {
		sorted[place], order[t] = uint32(t), keys[place].id
	}
	d, err := makeDictionary(ctx, 1, n, func(t int) string { return names[order[t]] })
	if err != nil {
		return nil, err
	}
	d.sortOnce.Do(func() { d.sorted = sorted })
	return &OrderedTerms{order, d}, nil
}

// A nameList gives names by their places.
type nameList []string

// Term implements termer.
func (l nameList) Term(id int) string { return l[id] }

// ErrPruned is returned for statistics from which terms were left out: their sums would
// be wrong.
var ErrPruned = usage.NewError(usage.ErrData, "statistics of an index that was pruned by document frequency do not add up")

// tooFrequent returns the error of a term whose documents a column of df does not hold.
func tooFrequent(term []byte) error {
	return usage.NewError(usage.ErrData, fmt.Sprintf("the term %q is in more than %d documents together, which statistics do not hold: count without it (--stop), or add up fewer",
		term, uint32(math.MaxUint32)))
}

// Add returns the statistics of the documents of a and b together, with the union of
// their classes and terms. It drops the sums of weights, which depend on the whole
// corpus.
func Add(a, b *Statistics) (*Statistics, error) { return combine(a, b, 1) }

// Sub returns the statistics of the documents of a without those of b, which must be a
// part of a. Terms without a remaining document are dropped, classes are not.
func Sub(a, b *Statistics) (*Statistics, error) { return combine(a, b, -1) }

var errNoPart = errors.New("statistics: the part to subtract is not a part of the whole")

func combine(a, b *Statistics, sign float64) (*Statistics, error) {
	if a.Pruned || b.Pruned {
		return nil, ErrPruned
	}
	missing, err := combinedMissing(a, b, sign)
	if err != nil {
		return nil, err
	}
	out := &Statistics{Missing: missing, Classes: slices.Concat(a.Classes, b.Classes)}
	slices.Sort(out.Classes)
	out.Classes = slices.Compact(out.Classes)
	out.ClassDocs, out.ClassTokens = make([]float64, len(out.Classes)), make([]float64, len(out.Classes))
	left, right := out.operand(a, 1), out.operand(b, sign)
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
	order := orderByDF(rows.df)
	counts := sign > 0 && a.CountsWith(&b.Cells)
	out.Reserve(len(order), max(a.Len(), b.Len()))
	names, ends, sorted := make([]byte, 0, rows.text), make([]uint32, 1, len(order)+1), make([]uint32, len(order))
	for t, i := range order {
		inA, inB := int(rows.inA[i]), int(rows.inB[i])
		if inA >= 0 {
			names = append(names, a.Terms.Term(inA)...)
		} else {
			names = append(names, b.Terms.Term(inB)...)
		}
		ends, sorted[i] = append(ends, uint32(len(names))), uint32(t)
		if counts {
			out.AppendCountSum(left, right, inA, inB)
		} else {
			out.AppendSum(left, right, inA, inB)
		}
	}
	out.Terms = sortedDictionary(names, ends, sorted)
	if !counts && !out.Settled() {
		return nil, errNoPart
	}
	return out, nil
}

// operand returns x as an operand for s, with the numbers that its classes have in s.
func (s *Statistics) operand(x *Statistics, sign float64) *cells.Operand {
	o := &cells.Operand{Cells: &x.Cells, Classes: make([]uint32, len(x.Classes)), Sign: sign}
	for i, name := range x.Classes {
		class, _ := slices.BinarySearch(s.Classes, name)
		o.Classes[i] = uint32(class)
	}
	return o
}

// unitedRows are the terms of either operand in the order of their bytes: their document
// frequencies and their numbers in the operands, or -1.
type unitedRows struct {
	df       []uint32
	inA, inB []int32
	text     int // bytes of all names
}

// uniteTerms merges the two dictionaries and returns the terms with a nonzero df, or an error
// if one is negative or too large.
func uniteTerms(a, b *Statistics, sign float64) (*unitedRows, error) {
	x, y := sortedTerms{terms: a.Terms, left: a.Terms.Sorted()}, sortedTerms{terms: b.Terms, left: b.Terms.Sorted()}
	most := len(x.left) + len(y.left)
	rows := &unitedRows{df: make([]uint32, 0, most), inA: make([]int32, 0, most), inB: make([]int32, 0, most)}
	more, moreY := x.next(), y.next()
	for more || moreY {
		inA, inB, df, size, order := int32(-1), int32(-1), int64(0), 0, 0
		switch {
		case !more:
			order = 1
		case !moreY:
			order = -1
		default:
			order = x.compare(&y)
		}
		if order <= 0 {
			inA, size = int32(x.term), len(x.name)
			df = int64(a.DF[inA])
			more = x.next()
		}
		if order >= 0 {
			inB, size = int32(y.term), len(y.name)
			df += int64(sign) * int64(b.DF[inB])
			moreY = y.next()
		}
		if df < 0 {
			return nil, errNoPart
		}
		if df > math.MaxUint32 {
			return nil, tooFrequent([]byte(a.Terms.Term(int(inA))))
		}
		if df > 0 {
			rows.df, rows.inA, rows.inB = append(rows.df, uint32(df)), append(rows.inA, inA), append(rows.inB, inB)
			rows.text += size
		}
	}
	return rows, nil
}

// sortedTerms goes through the terms of a dictionary in the order of their bytes.
type sortedTerms struct {
	terms  *Dictionary
	left   []uint32
	term   int // the current one
	name   string
	prefix uint64 // its first bytes
}

// next goes to the next term and reports whether there is one.
func (s *sortedTerms) next() bool {
	if len(s.left) == 0 {
		return false
	}
	s.term, s.left = int(s.left[0]), s.left[1:]
	s.name = s.terms.Term(s.term)
	s.prefix = prefixOf(stringBytes(s.name))
	return true
}

// compare compares the current terms.
func (s *sortedTerms) compare(o *sortedTerms) int {
	if s.prefix != o.prefix {
		return cmp.Compare(s.prefix, o.prefix)
	}
	return cmp.Compare(s.name, o.name)
}
