package rank

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// CellsTell reports whether cells tell the k best terms of some class.
func (p Plan) CellsTell(ctx context.Context, s *table.Table, k int) bool {
	found, err := p.topOfCells(ctx, s, k)
	return err == nil && slices.ContainsFunc(found, func(best []Candidate) bool { return len(best) == k })
}
