package bagofwords

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// A Vocabulary is the terms of a matrix by number, with their columns. It never changes, and all of its
// methods may be called at the same time.
type Vocabulary struct {
	analyzer *analysis.Analyzer
	binary   bool
	names    []string
	uses     []use    // nil if the terms were given
	byName   []uint32 // the numbers in the order of the names; nil if the terms were given
	columns  []int32  // -1 for terms that are left out
	kept     int
	bytes    int // of the names that are kept

	counters *counters
}

// left is the column of a term that is left out.
const left = -1

func newVocabulary(a *analysis.Analyzer, j *joined, binary bool) *Vocabulary {
	return &Vocabulary{analyzer: a, binary: binary, names: j.names, uses: j.uses, byName: j.byName}
}

// New makes a vocabulary of given terms, whose columns are their places. Of the options, it takes Analysis and
// Binary.
func New(terms []string, o Options) (*Vocabulary, error) {
	a, err := analysis.New(o.Analysis)
	if err != nil {
		return nil, err
	}
	v := &Vocabulary{analyzer: a, binary: o.Binary, names: terms, columns: make([]int32, len(terms)), kept: len(terms)}
	places := make(map[string]int, len(terms))
	for i, name := range terms {
		if before, ok := places[name]; ok {
			return nil, usage.Errorf("terms %d and %d of the vocabulary are the same, %q", before, i, usage.Cut(name))
		}
		places[name] = i
		v.columns[i] = int32(i)
		v.bytes += len(name)
	}
	v.counters = &counters{}
	return v, nil
}

// limit leaves out the terms that the bounds leave out, and gives the others their columns.
func (v *Vocabulary) limit(o Options) {
	keep := make([]bool, len(v.names))
	var candidates []uint32
	for _, n := range v.byName {
		if df := int(v.uses[n].documents); df >= o.MinDF && (o.MaxDF == 0 || df <= o.MaxDF) {
			keep[n] = true
			candidates = append(candidates, n)
		}
	}
	if o.MaxFeatures > 0 && len(candidates) > o.MaxFeatures {
		slices.SortStableFunc(candidates, func(a, b uint32) int { return cmp.Compare(v.uses[b].occurrences, v.uses[a].occurrences) })
		for _, n := range candidates[o.MaxFeatures:] {
			keep[n] = false
		}
	}
	v.keep(keep)
}

// keep gives the terms that are kept their columns.
func (v *Vocabulary) keep(keep []bool) {
	v.columns, v.kept, v.bytes, v.counters = make([]int32, len(v.names)), 0, 0, &counters{}
	for _, n := range v.byName {
		if v.columns[n] = left; keep[n] {
			v.columns[n] = int32(v.kept)
			v.bytes += len(v.names[n])
			v.kept++
		}
	}
}

// Len is the number of terms that are kept.
func (v *Vocabulary) Len() int { return v.kept }

// Bytes is the length of the names of the terms that are kept.
func (v *Vocabulary) Bytes() int { return v.bytes }

// LeftOut is the number of terms that the bounds have left out.
func (v *Vocabulary) LeftOut() int { return len(v.names) - v.kept }

// A Term is a column of a vocabulary with the number of its documents and its occurrences in the texts that
// the vocabulary is of. Both are 0 if the terms were given.
type Term struct {
	Name                   string
	Column                 int
	Documents, Occurrences int64
}

// Terms yields the terms that are kept in the order of their numbers.
func (v *Vocabulary) Terms(yield func(Term) bool) {
	for n, column := range v.columns {
		if column == left {
			continue
		}
		t := Term{Name: v.names[n], Column: int(column)}
		if v.uses != nil {
			t.Documents, t.Occurrences = v.uses[n].documents, v.uses[n].occurrences
		}
		if !yield(t) {
			return
		}
	}
}

// Keep returns the vocabulary of some of the terms, and the rows of [Fit] as rows of it.
// A term stays unless its element of keep, in the order of Terms, is 0.
func (v *Vocabulary) Keep(keep []uint8, rows *Rows) (*Vocabulary, *Rows, error) {
	if len(keep) != v.kept {
		return nil, nil, usage.Errorf("there are %d choices for %d terms", len(keep), v.kept)
	}
	if rows.vocabulary != v {
		return nil, nil, usage.Errorf("the rows are not those of the texts that the vocabulary was fitted to")
	}
	if v.byName == nil {
		return nil, nil, usage.Errorf("the terms of this vocabulary were given, so all of them are kept")
	}
	all := make([]bool, len(v.names))
	next := 0
	for n, column := range v.columns {
		if column != left {
			all[n] = keep[next] != 0
			next++
		}
	}
	less := &Vocabulary{analyzer: v.analyzer, binary: v.binary, names: v.names, uses: v.uses, byName: v.byName}
	less.keep(all)
	return less, less.fittedRows(rows.parts), nil
}

// rowsOf returns the rows of the texts that the vocabulary was fitted to.
func (v *Vocabulary) fittedRows(parts []*rowBlocks) *Rows {
	r := &Rows{vocabulary: v, parts: parts, columns: v.columns}
	for n, column := range v.columns {
		if column != left {
			r.stored += v.uses[n].documents
		}
	}
	return r
}
