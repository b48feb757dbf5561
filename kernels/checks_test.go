package kernels

import (
	"math"
	"testing"
)

// The assembly trusts its arguments: the exported functions must refuse what does
// not fit.
func TestWrongLengths(t *testing.T) {
	bitmap, counts := make([]byte, 8192), make([]uint32, 2)
	words, numbers, pairs := make([]uint32, 3), make([]float64, 3), make([][2]float64, 3)
	for name, call := range map[string]func(){
		"Classify, short lower case":  func() { Classify(bitmap, bitmap[:10], make([]uint64, 128), Letters) },
		"Classify, few masks":         func() { Classify(bitmap[:65], make([]byte, 65), make([]uint64, 1), Letters) },
		"Occupied, short destination": func() { Occupied(counts, words) },
		"DeviationMaxima, few numbers": func() {
			DeviationMaxima(numbers, []int{0, 1, 2, 3}, words, numbers[:2], numbers, pairs, 1, Signed)
		},
		"DeviationMaxima, few segments": func() {
			DeviationMaxima(numbers[:1], []int{0, 1, 2, 3}, words, numbers, numbers[:1], pairs, 1, Signed)
		},
		"DeviationMaxima, unknown form": func() {
			DeviationMaxima(numbers, []int{0, 1, 2, 3}, words, numbers, numbers, pairs, 1, 3)
		},
		"DeviationMaxima, no classes": func() {
			DeviationMaxima(numbers, []int{0, 1, 2, 3}, words, numbers, numbers, nil, 1, Signed)
		},
		"DeviationMaxima, a class too large": func() {
			DeviationMaxima(numbers[:1], []int{0, 1}, []uint32{3}, numbers[:1], numbers[:1], pairs, 1, Signed)
		},
		"DeviationMaxima, descending": func() {
			DeviationMaxima(numbers[:2], []int{0, 5, 3}, words, numbers, numbers[:2], pairs, 1, Signed)
		},
		"PlaneMaxima, few sums":       func() { PlaneMaxima(numbers, words[:2], make([]uint16, 9), 3, 0, 3, pairs, 1, Signed) },
		"PlaneMaxima, unknown form":   func() { PlaneMaxima(numbers, words, make([]uint16, 9), 3, 0, 3, pairs, 1, 3) },
		"PlaneMaxima, few counts":     func() { PlaneMaxima(numbers, words, make([]uint16, 8), 3, 0, 3, pairs, 1, Signed) },
		"PlaneMaxima, short planes":   func() { PlaneMaxima(numbers, words, make([]uint16, 9), 2, 0, 3, pairs, 1, Signed) },
		"PlaneMaxima, long planes":    func() { PlaneMaxima(numbers, words, make([]uint16, 9), math.MaxInt, 0, 3, pairs, 1, Signed) },
		"PlaneMaxima, few planes":     func() { PlaneMaxima(numbers, words, make([]uint16, 9), 3, 0, 2, pairs, 1, Signed) },
		"PlaneMaxima, none of them":   func() { PlaneMaxima(numbers, words, make([]uint16, 2), 3, 0, 0, nil, 1, Signed) },
		"PlaneMaxima, a plane below":  func() { PlaneMaxima(numbers, words, make([]uint16, 9), 3, -1, 3, pairs, 1, Signed) },
		"PlaneMaxima, beyond planes":  func() { PlaneMaxima(numbers, words, make([]uint16, 9), 3, 4, 3, pairs, 1, Signed) },
		"PlaneMaxima, less than none": func() { PlaneMaxima(numbers, words, make([]uint16, 9), 3, 0, -1, nil, 1, Signed) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			call()
		}()
	}
}
