package vocabulary

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Vocabulary is the terms of a matrix by number, with their columns. It never changes, and all of its
// methods may be called at the same time.
type Vocabulary struct {
	analyzer *analysis.Analyzer
	binary   bool
	terms    *table.Dictionary
	uses     []use    // of each number; nil if the terms were given
	sorted   []uint32 // the numbers in the order of the names; nil if the terms were given
	columns  []int32  // of each number, left for terms that are left out
	kept     int
	bytes    int64                    // of the names that are kept
	first    *analysis.Counter        // of the first part of the texts; nil if the terms were given
	base     func() *analysis.Counter // knows the terms of the vocabulary, and is copied
	parts    sync.Pool                // with copies that no call has at the moment
}

// A use says how often a term occurs.
type use struct{ documents, occurrences int64 }

func (u *use) add(v partUse) {
	u.documents += int64(v.documents)
	u.occurrences += int64(v.occurrences)
}

// left is the column of a term that is left out.
const left = -1

// New makes a vocabulary of given terms, whose columns are their places. Of the options, it takes Analysis and
// Binary.
func New(terms []string, o Options) (*Vocabulary, error) {
	a, err := newAnalyzer(o.Analysis)
	if err != nil {
		return nil, err
	}
	v := &Vocabulary{analyzer: a, binary: o.Binary, columns: make([]int32, len(terms)), kept: len(terms)}
	places := make(map[string]int, len(terms))
	for i, name := range terms {
		if before, ok := places[name]; ok {
			return nil, usage.Errorf("terms %d and %d of the vocabulary are the same, %q", before, i, usage.Cut(name))
		}
		places[name] = i
		v.columns[i] = int32(i)
		v.bytes += int64(len(name))
	}
	v.terms, err = table.MakeDictionary(context.Background(), o.Threads, len(terms), nil, func(i int) string { return terms[i] })
	if err != nil {
		return nil, err
	}
	v.base = sync.OnceValue(v.newCounter)
	return v, nil
}

// within says for each number whether the bounds keep the term; nil if they keep all.
func (v *Vocabulary) within(o Options) []bool {
	keep, kept := make([]bool, v.terms.Len()), 0
	for n, u := range v.uses {
		if keep[n] = u.documents >= int64(o.MinDF) && (o.MaxDF == 0 || u.documents <= int64(o.MaxDF)); keep[n] {
			kept++
		}
	}
	if o.MaxFeatures > 0 && kept > o.MaxFeatures {
		v.keepMost(keep, kept, o.MaxFeatures)
		return keep
	}
	if kept == len(keep) {
		return nil
	}
	return keep
}

// keepMost keeps those of the kept terms that occur most often, of equal ones the first by name.
func (v *Vocabulary) keepMost(keep []bool, kept, most int) {
	candidates := make([]uint32, 0, kept)
	for _, n := range v.sorted {
		if keep[n] {
			candidates = append(candidates, n)
		}
	}
	slices.SortStableFunc(candidates, func(a, b uint32) int {
		return cmp.Compare(v.uses[b].occurrences, v.uses[a].occurrences)
	})
	for _, n := range candidates[most:] {
		keep[n] = false
	}
}

// keep gives the terms that are kept their columns, in the order of their names. nil keeps all.
func (v *Vocabulary) keep(keep []bool) {
	v.columns = make([]int32, v.terms.Len())
	for _, n := range v.sorted {
		if keep != nil && !keep[n] {
			v.columns[n] = left
			continue
		}
		v.columns[n] = int32(v.kept)
		v.kept++
	}
	if keep == nil {
		v.bytes = int64(len(v.terms.Text()))
		return
	}
	for n, kept := range keep {
		if kept {
			v.bytes += int64(len(v.terms.Term(n)))
		}
	}
}

// Len is the number of terms that are kept.
func (v *Vocabulary) Len() int { return v.kept }

// Bytes is the length of the names of the terms that are kept.
func (v *Vocabulary) Bytes() int64 { return v.bytes }

// LeftOut is the number of terms that the bounds have left out.
func (v *Vocabulary) LeftOut() int { return v.terms.Len() - v.kept }

// A Term is a term that has a column.
type Term struct {
	Name   string
	Column int
	// Documents have the term, with so many occurrences in all, among the texts of [Fit]; 0 if the
	// terms were given.
	Documents, Occurrences int64
}

// Terms yields the terms that are kept in the order of their numbers.
func (v *Vocabulary) Terms(yield func(Term) bool) {
	for n, column := range v.columns {
		if column == left {
			continue
		}
		t := Term{Name: v.terms.Term(n), Column: int(column)}
		if v.uses != nil {
			t.Documents, t.Occurrences = v.uses[n].documents, v.uses[n].occurrences
		}
		if !yield(t) {
			return
		}
	}
}

// CopyNames copies the names of the terms, in the order of Terms, one behind the other, and their offsets, which are
// Len+1. Either may be nil.
func (v *Vocabulary) CopyNames(text []byte, offsets []int64) {
	at, i := int64(0), 0
	for t := range v.Terms {
		if text != nil {
			copy(text[at:], t.Name)
		}
		if offsets != nil {
			offsets[i] = at
		}
		at, i = at+int64(len(t.Name)), i+1
	}
	if offsets != nil {
		offsets[i] = at
	}
}

// Keep returns a vocabulary of some of the terms, and the rows of [Fit] as rows of it. A term stays unless its
// element of keep, in the order of Terms, is 0. No row is copied.
func (v *Vocabulary) Keep(keep []uint8, rows *Rows) (*Vocabulary, *Rows, error) {
	switch {
	case len(keep) != v.kept:
		return nil, nil, usage.Errorf("there are %d choices for %d terms", len(keep), v.kept)
	case v.sorted == nil:
		return nil, nil, usage.Errorf("the terms of this vocabulary were given, so all of them are kept")
	case rows == nil || rows.vocabulary != v:
		return nil, nil, usage.Errorf("the rows are not those of the texts that the vocabulary was fitted to")
	}
	all, next := make([]bool, len(v.columns)), 0
	for n, column := range v.columns {
		if column != left {
			all[n] = keep[next] != 0
			next++
		}
	}
	less := &Vocabulary{analyzer: v.analyzer, binary: v.binary, terms: v.terms, uses: v.uses, sorted: v.sorted, first: v.first}
	less.keep(all)
	less.base = sync.OnceValue(less.newCounter)
	return less, less.fittedRows(rows.parts), nil
}

// fittedRows returns the rows of the texts that the vocabulary was fitted to.
func (v *Vocabulary) fittedRows(parts []*rowBlocks) *Rows {
	r := &Rows{vocabulary: v, parts: parts, columns: v.columns}
	for n, column := range v.columns {
		if column != left {
			r.stored += v.uses[n].documents
		}
	}
	return r
}

// newCounter returns a counter of the terms of the vocabulary: that of the first part of the texts has the first
// of them, and often all.
func (v *Vocabulary) newCounter() *analysis.Counter {
	c := v.first
	switch {
	case c == nil:
		c = v.analyzer.NewCounter()
	case c.Len() < v.terms.Len():
		c = c.Clone()
	}
	for n := c.Len(); n < v.terms.Len(); n++ {
		c.Add(v.terms.Term(n))
	}
	return c
}

// mostGrowth is by how many bytes the terms of texts may grow a counter.
var mostGrowth = int64(64 << 20)

// renew gives a part a counter that knows the terms of the vocabulary alone. The counter gives other terms of texts
// greater numbers, and they grow it until it is given up.
func (v *Vocabulary) renew(p *part) {
	p.counter = v.base().Clone()
	p.most = p.counter.Bytes() + mostGrowth
}

// Transform counts texts over the terms of the vocabulary. The columns of a row ascend.
func (v *Vocabulary) Transform(ctx context.Context, texts [][]byte, threads int) (*Rows, error) {
	return rowsOf(inParts(ctx, threads, texts, func(r pool.Range) (*rowBlocks, error) { return v.transform(ctx, texts, r) }))
}

// transform counts a range of texts.
func (v *Vocabulary) transform(ctx context.Context, texts [][]byte, r pool.Range) (*rowBlocks, error) {
	p, ok := v.parts.Get().(*part)
	if !ok {
		p = newPart(nil)
		v.renew(p)
	}
	defer func() {
		p.rows = nil
		v.parts.Put(p)
	}()
	p.rows = &rowBlocks{lengths: make([]uint32, 0, r.To-r.From)}
	err := p.each(ctx, v.analyzer, texts, r, func() {
		known := p.row[:0]
		for _, e := range p.row {
			if int(e.Term) < len(v.columns) && v.columns[e.Term] != left {
				if e.Term = uint32(v.columns[e.Term]); v.binary {
					e.Count = 1
				}
				known = append(known, e)
			}
		}
		p.sorter.sort(known)
		p.rows.add(known)
		if p.counter.Bytes() > p.most {
			v.renew(p)
		}
	})
	return p.rows, err
}
