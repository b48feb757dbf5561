package matrix

import (
	"context"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file counts by way of an index.

// indexed returns the counts of an index of the matrix, and the column of each term.
func (t *task) indexed(ctx context.Context) (*table.Table, []uint32, error) {
	columns, err := t.checkedColumns()
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, t.terms)
	for i := range names {
		names[i] = t.options.name(t.column(uint32(i)))
	}
	x, err := postings.Build(ctx, postings.Source{
		IDs: make([]string, t.documents), Classes: t.docs.Classes, LabelStart: t.docs.Start, Labels: t.docs.Of, Names: names, Columns: columns,
	}, postings.BuildOptions{Threads: t.options.Threads})
	if err != nil {
		return nil, nil, err
	}
	s, err := x.Count(ctx, postings.CountOptions{Threads: t.options.Threads})
	if err != nil {
		return nil, nil, err
	}
	df := make([]uint32, t.terms)
	for _, at := range columns.Terms {
		df[at]++
	}
	order, err := t.order(df)
	if err != nil {
		return nil, nil, err
	}
	return s, t.nameTerms(s, order), nil
}

// checkedColumns returns the elements that are not zero by document.
func (t *task) checkedColumns() (postings.Columns, error) {
	columns := postings.Columns{DocStart: make([]uint64, t.documents+1)}
	total, allWhole := 0.0, true
	for line := range t.lineCount() {
		sum, whole, err := t.checkLine(line)
		if err != nil {
			return columns, err
		}
		total, allWhole = total+sum, allWhole && whole
	}
	if err := checkTotal(total, allWhole); err != nil {
		return columns, err
	}
	t.fill(&columns, allWhole)
	return columns, nil
}

// fill sets the elements of columns.
func (t *task) fill(columns *postings.Columns, whole bool) {
	next := columns.DocStart
	for line := range t.lineCount() {
		t.eachElement(line, func(document, _ uint32, _ float64) { next[document+1]++ })
	}
	for d := range t.documents {
		next[d+1] += next[d]
	}
	n := next[t.documents]
	columns.Terms = make([]uint32, n)
	if whole {
		columns.Counts = make([]uint32, n)
	} else {
		columns.Values = make([]float64, n)
	}
	copy(next[1:], next) // next[d+1]: the place of the next element of document d
	for line := range t.lineCount() {
		t.eachElement(line, func(document, term uint32, v float64) {
			at := next[document+1]
			next[document+1]++
			columns.Terms[at] = term
			if whole {
				columns.Counts[at] = uint32(v)
			} else {
				columns.Values[at] = v
			}
		})
	}
}

// eachElement calls f for the elements of a line that are not zero.
func (t *task) eachElement(line int, f func(document, term uint32, v float64)) {
	for i, to := t.bounds(line); i < to; i++ {
		at, v := t.number(i), t.value(i)
		switch {
		case v == 0:
		case t.byColumn:
			f(uint32(at), uint32(line), v)
		default:
			f(uint32(line), uint32(at), v)
		}
	}
}
