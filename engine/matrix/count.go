package matrix

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// count counts the matrix.
func (t *task[I, V]) count(ctx context.Context) (*corpus.Statistics, error) {
	counts, err := t.indexed(ctx)
	if err != nil {
		return nil, err
	}
	s, err := corpus.NewStatistics(counts, ingest.Provenance{Version: ingest.Version, InputHash: counts.Hash()})
	if err != nil {
		return nil, err
	}
	df := make([]uint32, t.Terms)
	for line := range t.lines() {
		t.eachElement(line, func(_, term uint32, _ float64) { df[term]++ })
	}
	columns := t.options.inOrder(df, t.column)
	for i, at := range columns {
		columns[i] = t.column(at)
	}
	s.Derive(columnsKey{}, func() any { return columns })
	return s, nil
}

// checkTotal checks the sum of all values.
func checkTotal(total float64, whole bool) error {
	if whole && total > ingest.MaxTokens || total >= ingest.MaxValue {
		return fmt.Errorf("matrix: Values: %w: they add up to %.6g; counts may add up to 2^53, real values to 2^63: scale them down", usage.ErrData, total)
	}
	return nil
}
