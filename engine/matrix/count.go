package matrix

import (
	"context"
	"errors"
	"fmt"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// count counts the matrix.
func (t *task) count(ctx context.Context) (*table.Table, error) {
	var elements *postings.Columns // of a matrix by columns, in the order of documents
	if t.byColumn {
		var err error
		if elements, err = t.checkedColumns(); err != nil {
			return nil, err
		}
	}
	counts, columns, err := t.counted(ctx, elements)
	if errors.Is(err, errNoCounts) {
		counts, columns, err = t.indexed(ctx, elements)
	}
	if err != nil {
		return nil, err
	}
	counts.SetProvenance(table.Provenance{Version: table.Version, InputHash: counts.Hash()})
	counts.Derive(columnsKey{}, func() any { return columns })
	return counts, nil
}

// errNoCounts says that a matrix is to be counted by way of an index: some value is no
// count, or the squares are too large, or something is wrong which is found there.
var errNoCounts = errors.New("matrix: not all values are counts")

// counted counts a matrix of counts: its elements, or straight its lines if there are none. It returns the caller's
// column of each term, too.
func (t *task) counted(ctx context.Context, elements *postings.Columns) (s *table.Table, columns []uint32, err error) {
	rows := table.Rows{Documents: t.docs.byClass(), Terms: t.terms, Elements: t.stored()}
	rows.Order = func(df []uint32) ([]uint32, error) {
		columns, err = t.order(df)
		return columns, err
	}
	switch {
	case elements == nil:
		rows.Size = func(doc uint32) int64 {
			from, to := t.bounds(int(doc))
			return int64(to - from)
		}
		rows.Reader = func() table.Reader { return &lineReader{task: t} }
	case elements.Counts == nil:
		return nil, nil, errNoCounts
	default:
		rows.Size = func(doc uint32) int64 { return int64(elements.DocStart[doc+1] - elements.DocStart[doc]) }
		rows.Reader = func() table.Reader { return documentReader{elements} }
	}
	s = t.margins()
	err = rows.Count(ctx, t.options.Threads, &s.Cells)
	if errors.Is(err, table.ErrInexact) {
		err = errNoCounts
	}
	if err != nil {
		return nil, nil, err
	}
	return s, t.nameTerms(s, columns), nil
}

// margins returns statistics with the classes and the numbers of documents.
func (t *task) margins() *table.Table {
	d := t.docs
	s := &table.Table{ClassNames: d.Classes}
	s.Cells.Documents, s.Cells.ClassDocs = float64(d.N), d.sizes()
	for doc := range d.N {
		if d.Start[doc] < d.Start[doc+1] {
			s.Cells.Labelled++
		}
	}
	return s
}

// order returns the columns that have a document in the order of the statistics.
func (t *task) order(df []uint32) ([]uint32, error) {
	named, frequencies := make([]uint32, 0, len(df)), make([]uint32, 0, len(df))
	err := t.byName(func(at uint32) {
		if n := df[at]; n > 0 {
			named, frequencies = append(named, at), append(frequencies, n)
		}
	})
	columns := make([]uint32, len(named))
	for i, place := range table.PlacesByDF(frequencies) {
		columns[place] = named[i]
	}
	return columns, err
}

// nameTerms sets the names of the terms. It returns the caller's columns of them, which
// it puts in place of those of the task.
func (t *task) nameTerms(s *table.Table, columns []uint32) []uint32 {
	for i, at := range columns {
		columns[i] = t.column(at)
	}
	o := *t.options
	s.Names = table.NamedBy(len(columns), func(id int) string { return o.name(columns[id]) })
	return columns
}

// A decimal goes through the numbers below n in the order of the bytes of their decimals: 0
// 1 10 100 11 12 2.
type decimal struct{ at, n uint64 }

// next goes to the next number.
func (d *decimal) next() {
	switch {
	case d.at == 0:
		d.at = 1
		return
	case d.at*10 < d.n:
		d.at *= 10
		return
	case d.at+1 >= d.n: // the last of its length
		d.at /= 10
	}
	d.at++
	for d.at%10 == 0 {
		d.at /= 10
	}
}

// byName calls f for the columns in the order of their names. It returns an error if two
// names are the same.
func (t *task) byName(f func(column uint32)) error {
	if t.options.Terms == nil && t.columns == nil {
		d := decimal{n: uint64(t.terms)}
		for range t.terms {
			f(uint32(d.at))
			d.next()
		}
		return nil
	}
	name := func(at int) string { return t.options.name(t.column(uint32(at))) }
	names := table.NamedBy(t.terms, name)
	last := ""
	for i, at := range names.Sorted() {
		own := name(int(at))
		if i > 0 && own == last {
			return usage.Errorf("matrix: Options.Terms has %q twice; names must differ", usage.Cut(own))
		}
		last = own
		f(at)
	}
	return nil
}

// indexed returns the counts of an index of the matrix, and the column of each term. elements is nil if they are to be
// read.
func (t *task) indexed(ctx context.Context, elements *postings.Columns) (*table.Table, []uint32, error) {
	if elements == nil {
		var err error
		if elements, err = t.checkedColumns(); err != nil {
			return nil, nil, err
		}
	}
	names := make([]string, t.terms)
	for i := range names {
		names[i] = t.options.name(t.column(uint32(i)))
	}
	x, err := postings.Build(ctx, postings.Source{
		IDs: make([]string, t.documents), Classes: t.docs.Classes, LabelStart: t.docs.Start, Labels: t.docs.Of, Names: names, Columns: *elements,
	}, postings.BuildOptions{Threads: t.options.Threads})
	if err != nil {
		return nil, nil, err
	}
	s, err := x.Count(ctx, postings.CountOptions{Threads: t.options.Threads})
	if err != nil {
		return nil, nil, err
	}
	df := make([]uint32, t.terms)
	for _, at := range elements.Terms {
		df[at]++
	}
	order, err := t.order(df)
	if err != nil {
		return nil, nil, err
	}
	return s, t.nameTerms(s, order), nil
}

// checkedColumns returns the elements that are not zero by document.
func (t *task) checkedColumns() (*postings.Columns, error) {
	columns := &postings.Columns{DocStart: make([]uint64, t.documents+1)}
	total, allWhole := 0.0, true
	for line := range t.lineCount() {
		sum, whole, err := t.checkLine(line)
		if err != nil {
			return nil, err
		}
		total, allWhole = total+sum, allWhole && whole
	}
	if allWhole && total > ingest.MaxTokens || total >= ingest.MaxValue {
		return nil, fmt.Errorf("matrix: Values: %w: they add up to %.6g; counts may add up to 2^53, real values to 2^63: scale them down", usage.ErrData, total)
	}
	t.fill(columns, allWhole)
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
