package matrix

import (
	"context"
	"errors"
	"fmt"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/count"
	"github.com/termsift/termsift/engine/usage"
)

// count counts the matrix.
func (t *task) count(ctx context.Context) (*table.Table, error) {
	counts, columns, err := t.counted(ctx)
	if errors.Is(err, errNoCounts) {
		counts, columns, err = t.indexed(ctx)
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

// counted counts a matrix of counts, straight from its lines. It returns the caller's column of
// each term, too.
func (t *task) counted(ctx context.Context) (s *table.Table, columns []uint32, err error) {
	rows := count.Rows{Documents: t.docs.byClass(), Terms: t.terms, Elements: t.stored()}
	rows.Order = func(df []uint32) ([]uint32, error) {
		columns, err = t.order(df)
		return columns, err
	}
	if t.byColumn {
		err = t.readColumns(&rows)
	} else {
		t.readRows(&rows)
	}
	if err != nil {
		return nil, nil, err
	}
	s = t.margins()
	err = rows.Count(ctx, t.options.Threads, &s.Cells)
	if errors.Is(err, count.ErrInexact) {
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

// checkTotal checks the sum of all values.
func checkTotal(total float64, whole bool) error {
	if whole && total > ingest.MaxTokens || total >= ingest.MaxValue {
		return fmt.Errorf("matrix: Values: %w: they add up to %.6g; counts may add up to 2^53, real values to 2^63: scale them down", usage.ErrData, total)
	}
	return nil
}
