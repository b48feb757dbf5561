package corpus

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/ingest"
)

// checkTokens returns an error that wraps [ingest.ErrOverflow] if the values of the
// corpora add up to more than can be represented exactly, see [ingest.MaxTokens]. Errors
// call corpus i by name(i).
func checkTokens(ctx context.Context, corpora []*Corpus, name func(i int) string) error {
	var total ingest.TokenTotal
	for i, c := range corpora {
		x, err := c.numbered.Index(ctx)
		if err != nil {
			return err
		}
		own := ingest.TokenTotal{Real: x.Real()}
		if own.Sum, err = x.MostTokens(ctx); err != nil {
			return err
		}
		if own.TooLarge() && !own.Real { // MostTokens is only an upper bound
			s, err := c.Statistics(ctx, CountOptions{})
			if err != nil {
				return err
			}
			own.Sum = s.Cells.Tokens
		}
		if total.Join(own); total.TooLarge() {
			return fmt.Errorf("%w: up to %s the sum is %.6g; counts may add up to 2^53, real values to 2^63: take fewer documents, or smaller values", ingest.ErrOverflow, name(i), total.Sum)
		}
	}
	return nil
}
