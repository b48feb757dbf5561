// Package matrix counts terms in classes from a sparse matrix of the caller's, without an
// index: what CountVectorizer or another program has counted already.
//
// It takes a [Matrix], in rows or columns as scipy has them, and the [Labels] of its
// documents, and gives the statistics that rankings are made of. Measures have the same
// bits as from an index of the same documents.
//
// Begin reading with [Matrix.Statistics] in matrix.go.
//
// The package never makes postings of a matrix of counts, and copies none that is by rows.
package matrix

import (
	"context"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Index is the type of the numbers of documents and terms in a matrix.
type Index interface{ int32 | int64 }

// Value is the type of the values of a matrix.
type Value interface {
	uint8 | int32 | int64 | float32 | float64
}

// A Matrix is a sparse matrix of documents and terms in the memory of the caller, which is
// read in place and never written: scipy's csr_matrix or, with ByColumn, its csc_matrix.
//
// A line is a document, or with ByColumn a term. The elements of line i are those from
// Start[i] to Start[i+1]: Index has the number of the term (with ByColumn the document),
// in any order, each once a line; Values has the number of occurrences, or a weight. Whole
// values are counts. Explicit zeros are as if they were absent.
type Matrix[I Index, V Value] struct {
	Documents, Terms int
	ByColumn         bool
	Start            []I // lines+1
	Index            []I
	Values           []V // nil: every element is 1
}

// Options are the options of [Matrix.Statistics]. Its zero value will do.
type Options struct {
	// Terms are the names of the terms by column, each different; nil names them by the
	// decimal numbers of their columns, from 0.
	Terms []string
	// Classes are the names of the classes, each different; nil names them by their numbers.
	Classes []string
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The statistics do not depend on it.
	Threads int
}

// Statistics counts every term in every class. The statistics are those of an index of the
// same documents: every measure gives the same values to the bit. They do not refer to the
// memory of the matrix or the labels, only to the names.
//
// Terms without a document and classes without one are left out. [Columns] returns the
// column of each term. Memory is bounded by the lengths of the slices, not by Terms and
// Classes.
//
// Lengths and options that do not fit together are a usage.ErrUsage. Elements that no
// matrix of counts or weights has are a usage.ErrData that names the place: values that
// are negative or not finite, numbers out of range, an element that stands twice in a
// line. The matrix must not be changed during the call.
func (m *Matrix[I, V]) Statistics(ctx context.Context, y *Labels, o Options) (s *table.Table, err error) {
	return m.task().statistics(ctx, y, &o)
}

// task returns a task that knows the matrix, nil for none.
func (m *Matrix[I, V]) task() *task {
	if m == nil {
		return nil
	}
	n := &numbers[I]{m.Start, m.Index}
	return &task{
		lines: n, elements: &valued[I, V]{n, m.Values}, documents: m.Documents, terms: m.Terms, byColumn: m.ByColumn,
		starts: len(m.Start), indices: len(m.Index), values: len(m.Values), valued: m.Values != nil,
	}
}

// begin checks the arguments of a call.
func (t *task) begin(y *Labels, o *Options) error {
	if t == nil {
		return usage.Errorf("matrix: a nil matrix was given")
	}
	t.labels, t.options = y, o
	if err := t.checkShape(); err != nil {
		return err
	}
	if err := t.checkStart(t.indices); err != nil {
		return err
	}
	return y.check(t.documents)
}

// columnsKey is the key under which the statistics keep the columns of their terms.
type columnsKey struct{}

// Columns returns, by term number, the columns of the terms of statistics that
// [Matrix.Statistics] has returned, nil for others. The slice must not be modified.
func Columns(s *table.Table) []uint32 {
	if s == nil {
		return nil
	}
	return s.Derive(columnsKey{}, func() any { return []uint32(nil) }).([]uint32)
}

// name returns the name of a column.
func (o *Options) name(column uint32) string {
	if o.Terms != nil {
		return o.Terms[column]
	}
	return strconv.FormatUint(uint64(column), 10)
}

// narrowFrom is the number of columns for each element from which on columns are renumbered.
const narrowFrom = 16

// A task is one call of [Matrix.Statistics] or [Matrix.Score].
type task struct {
	lines
	elements
	labels    *Labels
	options   *Options
	documents int
	terms     int
	byColumn  bool

	starts, indices, values int // lengths of the slices
	valued                  bool

	docs    *documents
	columns []uint32 // of the caller's matrix, by column; nil if they are the same
}

// statistics is [Matrix.Statistics].
func (t *task) statistics(ctx context.Context, y *Labels, o *Options) (s *table.Table, err error) {
	if err := t.begin(y, o); err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "count", func(ctx context.Context) error {
		if t.docs, err = t.labels.number(t.documents, t.options.Classes); err != nil {
			return err
		}
		if err = t.narrow(); err != nil {
			return err
		}
		s, err = t.count(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// isWide reports whether a matrix has far more columns than elements.
func (t *task) isWide() bool { return !t.byColumn && t.terms/narrowFrom > t.indices+t.starts }

// narrow replaces a matrix that has far more columns than elements by one with the columns
// that have elements alone, so that memory is bounded by the lengths of its slices.
func (t *task) narrow() error {
	if !t.isWide() {
		return nil
	}
	var columns []uint64
	for line := range t.lineCount() {
		if _, _, err := t.checkLine(line); err != nil {
			return err
		}
		for i, to := t.bounds(line); i < to; i++ {
			columns = append(columns, uint64(t.number(i)))
		}
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	t.columns = make([]uint32, len(columns))
	for i, column := range columns {
		t.columns[i] = uint32(column)
	}
	t.renumber(columns)
	t.terms = len(columns)
	return nil
}

// column returns the column of the caller's matrix.
func (t *task) column(at uint32) uint32 {
	if t.columns != nil {
		return t.columns[at]
	}
	return at
}
