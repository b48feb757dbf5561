package classify

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/kernels"
)

// trainMultinomial learns from counts, or from any weights of 0 and more.
func trainMultinomial(ctx context.Context, m *Matrix, o NaiveBayesOptions) (*naiveBayes, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.Alpha = cmp.Or(o.Alpha, 1)
	if !o.OneVsRest {
		if b, err := trainCounts(ctx, m, o); b != nil || err != nil {
			return b, err
		}
	}
	if err := m.checkCounts(); err != nil {
		return nil, err
	}
	return trainWeights(ctx, m, o)
}

// trainWeights learns from rows of any weights.
func trainWeights(ctx context.Context, m *Matrix, o NaiveBayesOptions) (*naiveBayes, error) {
	t := newMultinomial(m, o, newLogs(o.Alpha, mostLogs))
	if o.OneVsRest {
		t.againstRest(m)
	}
	err := t.b.cells.learn(ctx, m, o.Threads, summing{
		add: func(sums []float64, touched []uint32, row int) []uint32 {
			index, value := m.Row(row)
			return addValues(sums, touched, index, value, 1)
		},
		finish: t.finish,
	})
	return t.b, err
}

// trainCounts learns one decision among all classes, if the rows are counts that
// [countCells] can add up.
func trainCounts(ctx context.Context, m *Matrix, o NaiveBayesOptions) (*naiveBayes, error) {
	logs := newLogs(o.Alpha, mostLogs)
	none := logs.of(0)
	x, tokens, err := countCells(ctx, m, o.Threads, func(count float64) float64 { return logs.of(count) - none })
	if x == nil {
		return nil, err
	}
	t := newMultinomial(m, o, logs)
	for class, n := range tokens {
		t.b.each[class] = none - kernels.Log(float64(n)+t.prior)
	}
	t.b.cells = *x
	return t.b, nil
}

func newMultinomial(m *Matrix, o NaiveBayesOptions, l logs) *multinomial {
	return &multinomial{b: newNaiveBayes(kindMultinomial, m, o, m.sizes()), logs: l, prior: o.Alpha * float64(m.Columns)}
}

// mostLogs is how many logarithms of small counts are kept: making them takes 10 µs.
const mostLogs = 1024

// multinomial is the state of learning; classes write only their own elements.
type multinomial struct {
	b     *naiveBayes
	logs  logs
	prior float64   // alpha V
	total []float64 // of columns over all rows; nil without rest
	all   float64
}

// againstRest sums up the columns over all rows.
func (t *multinomial) againstRest(m *Matrix) {
	t.total = make([]float64, m.Columns)
	for i, column := range m.Index {
		t.total[column] += float64(m.Value[i])
	}
	b := t.b
	b.absent = &absences{make([]uint32, m.Columns), make([]uint32, len(m.Classes)), 1, make([]float64, m.Columns)}
	none := t.logs.of(0)
	for column, n := range t.total {
		t.all += n
		b.absent.kind[column], b.absent.value[column] = uint32(column), none-t.logs.of(n)
	}
}

// finish turns S(t,c) into ln(alpha+S(t,c)) - ln alpha, against the rest less the same
// of the rest, and less what absent says already.
func (t *multinomial) finish(class int, columns []uint32, sums []float64) {
	tokens, none := 0.0, t.logs.of(0)
	for _, s := range sums {
		tokens += s
	}
	t.b.each[class] = none - kernels.Log(tokens+t.prior)
	if t.total == nil {
		for i, s := range sums {
			sums[i] = t.logs.of(s) - none
		}
		return
	}
	t.b.each[class] = kernels.Log(max(t.all-tokens, 0)+t.prior) - kernels.Log(tokens+t.prior)
	for i, s := range sums {
		total := t.total[columns[i]]
		sums[i] = (t.logs.of(s) - t.logs.of(max(total-s, 0))) - (none - t.logs.of(total))
	}
}
