package store

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// MostTokens returns an upper bound on the sum of all counts, without reading the
// lists: the most that the bytes can hold, plus the escaped counts. If values are real,
// it returns their sum, for which it reads all lists.
func (x *Index) MostTokens(ctx context.Context) (float64, error) {
	if x.Real() {
		return x.sumReals(ctx)
	}
	most := float64((escape - 1) * uint64(x.NumPostings()-len(x.tf.escaped)))
	for _, n := range x.tf.escaped {
		most += float64(n)
	}
	return most, nil
}

// sumReals returns the sum of the real values.
func (x *Index) sumReals(ctx context.Context) (sum float64, err error) {
	err = x.Each(ctx, x.Terms.Len(), func(t int) error {
		if err := x.ready(pool.Range{From: t, To: t + 1}, true); err != nil {
			return err
		}
		for _, v := range x.tf.single[x.start[t]:x.start[t+1]] {
			sum += float64(v)
		}
		return nil
	})
	return sum, err
}
