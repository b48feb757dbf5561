package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// oddNumbers are those that break a rule somewhere.
var oddNumbers = []float64{
	0, math.Copysign(0, -1), 1, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
	-math.SmallestNonzeroFloat64, 0x1p-1022, -0x1p-1022, 0x1.ffffffffffffep-1023, 0x1p52, 0x1p53,
	math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0xFFF8000000001234), math.Float64frombits(0x7FF0000000000001),
}

type deviator = func(dst []float64, of Deviation, counts []uint32, stride int, sizes, weights []float64, total float64, occurrences []float64)

func TestMaxDeviations(t *testing.T) {
	forEach(t, func(p implementation) deviator { return p.maxDeviations }, func(t *testing.T, deviations deviator) {
		r := rand.New(rand.NewPCG(19, 20))
		// NaN around the slices would be no maximum: infinity is seen.
		allCounts, allSizes, allWeights := newGround[uint32](t, 3*most+10, 0xFFFFFFFF), newGround(t, most, math.Inf(1)), newGround(t, most, math.Inf(-1))
		allResults, allOccurrences := newGround(t, 4, 1.5), newGround(t, 4, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				kind, terms := r.IntN(6), 1+r.IntN(3)
				stride := n + r.IntN(3)
				counts := allCounts.take((terms-1)*stride+n, at)
				sizes, weights := allSizes.take(n, at), allWeights.take(n, somePlaces[r.IntN(len(somePlaces))])
				for i := range counts {
					counts[i] = r.Uint32() >> r.IntN(32)
					if kind == 4 {
						counts[i] = 0
					}
				}
				for i := range n {
					sizes[i] = float64(r.Uint32N(1 << 20))
					weights[i] = r.Float64() - float64(kind%3)/2
					if kind == 5 && r.IntN(1+n/8) == 0 {
						weights[i] = oddNumbers[r.IntN(len(oddNumbers))]
						sizes[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
					if kind == 4 { // deviations of 0 with either sign
						sizes[i], weights[i] = 0, math.Copysign(1, weights[i])
					}
				}
				total, occurrences := float64(1+r.Uint32N(1<<20)), allOccurrences.take(terms, atTail)
				for i := range occurrences {
					occurrences[i] = float64(r.Uint32N(1 << 20))
				}
				for of := Signed; of <= Square; of++ {
					dst := allResults.take(terms, atTail)
					deviations(dst, of, counts, stride, sizes, weights, total, occurrences)
					for i, got := range dst {
						want := maxDeviation(of, counts[i*stride:][:n], sizes, weights, total, occurrences[i])
						if !same(got, want) {
							t.Fatalf("%d classes, kind %d, term %d of %d, maximum %d: %v, want %v", n, kind, i, terms, of, got, want)
						}
					}
					allResults.check(t)
				}
			}
		}
	})
}

// maxDeviation is the definition.
func maxDeviation(of Deviation, counts []uint32, sizes, weights []float64, total, occurrences float64) float64 {
	largest := math.Inf(-1)
	for c, n := range counts {
		d := float64(total*float64(n)) - float64(occurrences*sizes[c])
		v := float64(d * weights[c])
		if v = []float64{v, math.Abs(v), float64(d * v)}[of]; v > largest {
			largest = v
		}
	}
	return largest + 0
}

// The definition is checked too: a table small enough to see.
func TestMaxDeviationsOfFewClasses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		counts         []uint32
		sizes, weights []float64
		want           [3]float64
	}{
		{nil, nil, nil, [3]float64{-inf, -inf, -inf}},
		{[]uint32{3, 1}, []float64{4, 6}, []float64{1, 0.5}, [3]float64{14, 14, 14 * 14}}, // d = 30-16, 10-24
		{[]uint32{0, 4}, []float64{5, 5}, []float64{1, 0.5}, [3]float64{10, 20, 400}},
		{[]uint32{3, 1}, []float64{4, 6}, []float64{nan, 0.5}, [3]float64{-7, 7, 98}},
		{[]uint32{3}, []float64{4}, []float64{nan}, [3]float64{-inf, -inf, -inf}},
		{[]uint32{2}, []float64{5}, []float64{-1}, [3]float64{0, 0, 0}}, // 0 times -1
	} {
		for of, want := range c.want {
			got := []float64{7}
			MaxDeviations(got, Deviation(of), c.counts, len(c.counts), c.sizes, c.weights, 10, []float64{4})
			if math.Float64bits(got[0]) != math.Float64bits(want) {
				t.Errorf("%v: maximum %d is %v, want %v", c.counts, of, got[0], want)
			}
		}
	}
}
