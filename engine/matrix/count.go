package matrix

import (
	"context"
	"errors"
	"fmt"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// count counts the matrix.
func (t *task) count(ctx context.Context) (*corpus.Statistics, error) {
	counts, columns, err := t.counted(ctx)
	if errors.Is(err, errNoCounts) {
		counts, columns, err = t.indexed(ctx)
	}
	if err != nil {
		return nil, err
	}
	s, err := corpus.NewStatistics(counts, ingest.Provenance{Version: ingest.Version, InputHash: counts.Hash()})
	if err != nil {
		return nil, err
	}
	s.Derive(columnsKey{}, func() any { return columns })
	return s, nil
}

// counted counts a matrix of counts, straight from its lines.
func (t *task) counted(ctx context.Context) (*store.Statistics, []uint32, error) {
	count := t.countRows
	if t.byColumn {
		count = t.countColumns
	}
	a, err := count(ctx)
	if err != nil {
		return nil, nil, err
	}
	return t.assemble(ctx, a)
}

// checkTotal checks the sum of all values.
func checkTotal(total float64, whole bool) error {
	if whole && total > ingest.MaxTokens || total >= ingest.MaxValue {
		return fmt.Errorf("matrix: Values: %w: they add up to %.6g; counts may add up to 2^53, real values to 2^63: scale them down", usage.ErrData, total)
	}
	return nil
}
