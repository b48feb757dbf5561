package matrix

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// Sums sets sums, which has an element for each term, to the sums of the columns. A matrix by
// columns is refused, and so are errors of elements as in [Matrix.Statistics], but an element may
// stand twice.
func (m *Matrix[I, V]) Sums(ctx context.Context, sums []float64) error {
	t, err := m.rows(len(sums))
	if err != nil {
		return err
	}
	clear(sums)
	for line := range m.Documents {
		if err := ctx.Err(); err != nil {
			return usage.Cause(ctx)
		}
		from, to := t.bounds(line)
		if !addValues(sums, m.Index[from:to], m.line(from, to)) {
			return t.badLine(line)
		}
	}
	return nil
}

// Shares sets to, which has an element for each of Index, to the share of its row that an element
// is, times the weight of its term: c-TF-IDF where rows are classes. With root it is the root of the
// share. A row without a sum has zeros. What [Matrix.Sums] refuses is refused here.
func (m *Matrix[I, V]) Shares(ctx context.Context, threads int, weights []float64, root bool, to []float64) error {
	t, err := m.rows(len(weights))
	if err != nil {
		return err
	}
	if len(to) != len(m.Index) {
		return usage.Errorf("matrix: there is room for %d values of %d elements", len(to), len(m.Index))
	}
	chunks := pool.Split(m.Documents, sharesElements, 1, func(line int) int64 { return int64(m.Start[line+1] - m.Start[line]) })
	return pool.Run(ctx, threads, len(chunks), func(_, chunk int) error {
		for line := chunks[chunk].From; line < chunks[chunk].To; line++ {
			a, b := t.bounds(line)
			if !shares(to[a:b], weights, m.Index[a:b], m.line(a, b), root) {
				return t.badLine(line)
			}
		}
		return nil
	})
}

// sharesElements is the number of elements that a worker of [Matrix.Shares] takes at once.
const sharesElements = 1 << 16

// rows checks the shape of a matrix by rows.
func (m *Matrix[I, V]) rows(columns int) (*task, error) {
	t := m.task()
	switch {
	case t == nil:
		return nil, usage.Errorf("matrix: a nil matrix was given")
	case m.ByColumn:
		return nil, usage.Errorf("matrix: it is by columns, and must be by rows")
	case columns != m.Terms:
		return nil, usage.Errorf("matrix: there are %d values for %d terms", columns, m.Terms)
	}
	t.labels, t.options = &Labels{}, &Options{}
	if err := t.checkShape(); err != nil {
		return nil, err
	}
	return t, t.checkStart(t.indices)
}

// line returns the values of a line, nil if all are 1.
func (m *Matrix[I, V]) line(from, to int) []V {
	if m.Values == nil {
		return nil
	}
	return m.Values[from:to]
}

// badLine returns the error of a line that has one.
func (t *task) badLine(line int) error {
	_, _, err := t.checkLine(line)
	return err
}

// addValues adds a line to sums. ok says whether all is in range.
func addValues[I Index, V Value](sums []float64, index []I, values []V) (ok bool) {
	for i, at := range index {
		v := 1.0
		if values != nil {
			v = float64(values[i])
		}
		if uint64(at) >= uint64(len(sums)) || !isValue(v) {
			return false
		}
		sums[at] += v
	}
	return true
}

// isValue reports whether v can be a value.
func isValue(v float64) bool { return v >= 0 && v < ingest.MaxValue }

// shares sets to for a line, see [Matrix.Shares]. ok says whether all is in range.
func shares[I Index, V Value](to, weights []float64, index []I, values []V, root bool) (ok bool) {
	sum := float64(len(index))
	if values != nil {
		sum = 0
		for _, v := range values {
			if !isValue(float64(v)) {
				return false
			}
			sum += float64(v)
		}
	}
	share := 1 / sum
	if sum == 0 {
		share = 0
	}
	for i, at := range index {
		if uint64(at) >= uint64(len(weights)) {
			return false
		}
		v := share
		if values != nil {
			v *= float64(values[i])
		}
		if root {
			v = math.Sqrt(v)
		}
		to[i] = v * weights[at]
	}
	return true
}
