package score

import (
	"github.com/termsift/termsift/kernels"
)

// This file holds the few numerical functions that only the measures need; kernels has the others.

// ratio returns x/y, and 0 for 0/0.
func ratio(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

// quantiles keep normal quantiles of rates count/n by class and count, for counts
// up to a limit: a quantile takes 40 ns.
type quantiles struct {
	limit           int
	inside, outside []float64 // 0 = not computed
}

// quantilesMax bounds each table to 512 KiB.
const quantilesMax = 1 << 16

func newQuantiles(classes int, documents float64) quantiles {
	limit := int(min(documents+1, float64(quantilesMax/max(1, classes))))
	return quantiles{limit, make([]float64, classes*limit), make([]float64, classes*limit)}
}

// of gives the quantile of the rate count/n, clipped.
func (q *quantiles) of(table []float64, class int, count, n float64) float64 {
	i := int(count)
	if i >= q.limit || float64(i) != count {
		return clippedQuantile(count / n)
	}
	kept := &table[class*q.limit+i]
	if *kept == 0 {
		*kept = clippedQuantile(count / n)
	}
	return *kept
}

// Rates of exactly 0 and 1 have no finite quantile. Clipping, not replacing,
// keeps one occurrence in a large class above none.
const bnsClip = 0.0005

func clippedQuantile(p float64) float64 { return kernels.Probit(min(max(p, bnsClip), 1-bnsClip)) }

// lowGap returns a*b - c*d, where a and c are what two sums lack of the exact ones: with
// [kernels.DiffOfProducts] of the sums themselves the difference that exact ones have.
func lowGap(a, b, c, d float64) float64 { return float64(a*b) - float64(c*d) }
