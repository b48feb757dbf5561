package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLogs(t *testing.T) {
	forEach(t, func(p implementation) func(dst, src []float64) { return p.logs }, func(t *testing.T, logs func(dst, src []float64)) {
		r := rand.New(rand.NewPCG(29, 30))
		allDst, allSrc := newGround(t, most, -1.5), newGround(t, most, math.Inf(1))
		for _, n := range everyLength() {
			for _, at := range somePlaces {
				src, dst := allSrc.take(n, at), allDst.take(n, somePlaces[r.IntN(len(somePlaces))])
				odd := r.IntN(4) == 0
				for i := range src {
					src[i] = math.Exp(r.Float64()*1400 - 700)
					if odd && r.IntN(4) == 0 {
						src[i] = oddNumbers[r.IntN(len(oddNumbers))]
					}
				}
				want := make([]float64, n) // the definition, one by one
				for i, x := range src {
					want[i] = Log(x)
				}
				if logs(dst, src); !slices.EqualFunc(dst, want, same) {
					t.Fatalf("of %v: %v, want %v", src, dst, want)
				}
				allDst.check(t)
				allSrc.check(t)
				if logs(src, src); !slices.EqualFunc(src, want, same) { // in place
					t.Fatalf("in place: %v, want %v", src, want)
				}
				allSrc.check(t)
			}
		}
	})
}

func TestLogsOfNone(*testing.T) { Logs(nil, nil) }
