package store

import (
	"cmp"
	"context"
	"errors"
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
	out := &Statistics{Classes: slices.Concat(a.Classes, b.Classes)}
	slices.Sort(out.Classes)
	out.Classes = slices.Compact(out.Classes)
	out.ClassDocs, out.ClassTokens = make([]float64, len(out.Classes)), make([]float64, len(out.Classes))
	left, right := out.operand(a, 1), out.operand(b, sign)
	out.AddMargins(left)
	out.AddMargins(right)
	rows := uniteTerms(a, b, sign)
	if out.Documents < 0 || slices.ContainsFunc(rows, func(r unitedRow) bool { return r.df < 0 }) {
		return nil, errNoPart
	}
	out.Terms = dictionaryOf(len(rows), func(i int) string { return rows[i].term })
	out.Reserve(len(rows), 0)
	for _, r := range rows {
		out.AppendSum(left, right, r.inA, r.inB)
	}
	if !out.Settled() {
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

// A unitedRow is a term of either operand. inA and inB are its numbers there, or -1 if
// the operand lacks it.
type unitedRow struct {
	term     string
	inA, inB int
	df       float64
}

// uniteTerms merges the two dictionaries in byte order and returns the terms with a
// nonzero df in store order.
func uniteTerms(a, b *Statistics, sign float64) []unitedRow {
	sa, sb := a.Terms.Sorted(), b.Terms.Sorted()
	rows := make([]unitedRow, 0, max(len(sa), len(sb)))
	for len(sa) > 0 || len(sb) > 0 {
		r := unitedRow{inA: -1, inB: -1}
		order := 0
		switch {
		case len(sa) == 0:
			order = 1
		case len(sb) == 0:
			order = -1
		default:
			order = cmp.Compare(a.Terms.Term(int(sa[0])), b.Terms.Term(int(sb[0])))
		}
		if order <= 0 {
			r.inA, sa = int(sa[0]), sa[1:]
			r.term = a.Terms.Term(r.inA)
			r.df = float64(a.DF[r.inA])
		}
		if order >= 0 {
			r.inB, sb = int(sb[0]), sb[1:]
			r.term = b.Terms.Term(r.inB)
			r.df += sign * float64(b.DF[r.inB])
		}
		if r.df != 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(i, j unitedRow) int { return cmp.Compare(j.df, i.df) })
	return rows
}
