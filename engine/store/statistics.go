package store

import (
	"cmp"
	"errors"
	"slices"
)

// Statistics are the counts of every term in every class where it occurs: all
// that a measure looks at. They are immutable, safe for concurrent use, and a
// commutative monoid: [Add] and [Sub] give the numbers of one pass over the
// documents together, exactly as long as counts stay below 2^53 and values are
// counts.
//
// Counts are held in float64, ready for the formulas.
type Statistics struct {
	Documents float64 // unlabelled ones included
	Labelled  float64
	Tokens    float64 // of all terms in all documents

	Classes     []string  // by bytes
	ClassDocs   []float64 // documents of each class
	ClassTokens []float64

	Terms *Dictionary // by document frequency, descending, then bytes
	DF    []float64   // distinct documents with the term
	CF    []float64   // occurrences in them

	// Cells of term t are the elements [CellStart[t], CellStart[t+1]) of the
	// columns below, in ascending order of their class.
	CellStart []int
	CellClass []uint32
	A, S, Q   []float64 // documents, occurrences, sum of squared tf
	W         []float64 // sum of weights; nil unless asked for
	Weighting Weighting // of W

	// Pruned says that terms were left out when the index was built.
	Pruned bool
}

// ErrPruned is returned for statistics that lack terms: their sums would be
// wrong.
var ErrPruned = errors.New("statistics of an index that was pruned by document frequency do not add up")

// Add gives the statistics of both sets of documents together. Classes and
// terms are united. Sums of weights are not carried over: they depend on the
// whole corpus.
func Add(a, b *Statistics) (*Statistics, error) { return combine(a, b, 1) }

// Sub gives the statistics of the documents of a that are not in b, a part of
// it. Terms without a document left are dropped, classes are not.
func Sub(a, b *Statistics) (*Statistics, error) { return combine(a, b, -1) }

func combine(a, b *Statistics, sign float64) (*Statistics, error) {
	if a.Pruned || b.Pruned {
		return nil, ErrPruned
	}
	out := &Statistics{
		Documents: a.Documents + sign*b.Documents,
		Labelled:  a.Labelled + sign*b.Labelled,
		Tokens:    a.Tokens + sign*b.Tokens,
	}
	mapA, mapB := out.uniteClasses(a, b, sign)
	rows := uniteTerms(a, b, sign)
	if out.Documents < 0 || slices.ContainsFunc(rows, func(r unitedRow) bool { return r.df < 0 }) {
		return nil, errors.New("statistics: the part to subtract is not a part of the whole")
	}
	out.fill(a, b, rows, mapA, mapB, sign)
	return out, nil
}

// uniteClasses fills the class columns and gives the new number of each class.
func (s *Statistics) uniteClasses(a, b *Statistics, sign float64) (fromA, fromB []uint32) {
	s.Classes = slices.Concat(a.Classes, b.Classes)
	slices.Sort(s.Classes)
	s.Classes = slices.Compact(s.Classes)
	s.ClassDocs = make([]float64, len(s.Classes))
	s.ClassTokens = make([]float64, len(s.Classes))
	place := func(x *Statistics, sign float64) []uint32 {
		to := make([]uint32, len(x.Classes))
		for i, name := range x.Classes {
			c, _ := slices.BinarySearch(s.Classes, name)
			to[i] = uint32(c)
			s.ClassDocs[c] += sign * x.ClassDocs[i]
			s.ClassTokens[c] += sign * x.ClassTokens[i]
		}
		return to
	}
	return place(a, 1), place(b, sign)
}

// A unitedRow is a term of either operand; -1 where one lacks it.
type unitedRow struct {
	term   string
	inA    int
	inB    int
	df, cf float64
}

// uniteTerms merges the two dictionaries in the order of their bytes, then
// puts what is left into store order.
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
			r.df, r.cf = a.DF[r.inA], a.CF[r.inA]
		}
		if order >= 0 {
			r.inB, sb = int(sb[0]), sb[1:]
			r.term = b.Terms.Term(r.inB)
			r.df += sign * b.DF[r.inB]
			r.cf += sign * b.CF[r.inB]
		}
		if r.df != 0 {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(i, j unitedRow) int { return cmp.Compare(j.df, i.df) })
	return rows
}

// fill adds the cells of the united rows.
func (s *Statistics) fill(a, b *Statistics, rows []unitedRow, mapA, mapB []uint32, sign float64) {
	s.Terms = dictionaryOf(len(rows), func(i int) string { return rows[i].term })
	s.CellStart = make([]int, 1, len(rows)+1)
	for _, r := range rows {
		s.DF = append(s.DF, r.df)
		s.CF = append(s.CF, r.cf)
		s.uniteCells(a.cells(r.inA), b.cells(r.inB), a, b, mapA, mapB, sign)
		s.CellStart = append(s.CellStart, len(s.CellClass))
	}
}

// cells gives the range of a term's cells; empty for -1.
func (s *Statistics) cells(term int) [2]int {
	if term < 0 {
		return [2]int{}
	}
	return [2]int{s.CellStart[term], s.CellStart[term+1]}
}

func (s *Statistics) uniteCells(ra, rb [2]int, a, b *Statistics, mapA, mapB []uint32, sign float64) {
	i, j := ra[0], rb[0]
	for i < ra[1] || j < rb[1] {
		var class uint32
		var docs, sum, squares float64
		takeA := i < ra[1] && (j == rb[1] || mapA[a.CellClass[i]] <= mapB[b.CellClass[j]])
		takeB := j < rb[1] && (i == ra[1] || mapB[b.CellClass[j]] <= mapA[a.CellClass[i]])
		if takeA {
			class, docs, sum, squares = mapA[a.CellClass[i]], a.A[i], a.S[i], a.Q[i]
			i++
		}
		if takeB {
			class = mapB[b.CellClass[j]]
			docs += sign * b.A[j]
			sum += sign * b.S[j]
			squares += sign * b.Q[j]
			j++
		}
		if docs != 0 {
			s.addCell(class, docs, sum, squares)
		}
	}
}

func (s *Statistics) addCell(class uint32, docs, sum, squares float64) {
	s.CellClass = append(s.CellClass, class)
	s.A = append(s.A, docs)
	s.S = append(s.S, sum)
	s.Q = append(s.Q, squares)
}
