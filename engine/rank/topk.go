package rank

import (
	"math"
	"slices"
	"sync"

	"github.com/termsift/termsift/kernels"
)

// TopK returns the numbers of the k best terms in rank order.
//
// A histogram of the keys gives a value that k terms or a few more reach. These are sorted; where
// they are many more, the k best of them whenever there are too many.
func TopK(values []float64, k int) []int {
	t := newTopper(values, k)
	defer t.release()
	best := make([]int, len(t.best))
	for i, c := range t.best {
		best[i] = int(c.Term)
	}
	return best
}

// histogramShift is the number of low bits of a key that the histogram ignores. It leaves
// the sign, the exponent and two more bits: 64 KiB of bars.
const histogramShift = 50

// A topper is one call of TopK. Its memory is used again.
type topper struct {
	best  []Candidate // the k best in rank order
	found [filterBlock]uint32
	spare []Candidate // memory of as many
	bars  [1 << (64 - histogramShift)]uint32
}

// toppers keeps the memory of toppers.
var toppers = sync.Pool{New: func() any { return new(topper) }}

// mostKept is the number of candidates up to which the memory for them is kept, 32 bytes each.
const mostKept = 1 << 16

// newTopper returns a topper, which is to be released, with the k best terms.
func newTopper(values []float64, k int) *topper {
	t := toppers.Get().(*topper)
	t.best = t.best[:0]
	if k > 0 {
		t.choose(values, k)
	}
	return t
}

// release gives the memory of t back.
func (t *topper) release() {
	if max(cap(t.best), cap(t.spare)) <= mostKept {
		toppers.Put(t)
	}
}

// sampleEvery says which values are in the sample: one in so many.
const sampleEvery = 16

// choose sets t.best. The values of a sample say which value a few more than k reach; if fewer do, all
// values are asked.
func (t *topper) choose(values []float64, k int) {
	expected := float64(k) / sampleEvery
	t.collect(values, t.leastOf(values, sampleEvery, int(expected+4*math.Sqrt(expected))+1), k)
	if len(t.best) < k {
		t.collect(values, t.leastOf(values, 1, k), k)
	}
	t.cut(k)
}

// cut leaves the k best in rank order.
func (t *topper) cut(k int) {
	t.spare = slices.Grow(t.spare[:0], len(t.best))[:len(t.best)]
	SortCandidates(t.best, t.spare)
	t.best = t.best[:k]
}

// collect sets t.best to the terms whose values are at least least, or to all if that is NaN. Where many
// terms have one value, it keeps the k best of those that it has met: a later term must have more.
func (t *topper) collect(values []float64, least float64, k int) {
	t.best = t.best[:0]
	if math.IsNaN(least) {
		for i, v := range values {
			t.best = append(t.best, NewCandidate(i, v))
		}
		return
	}
	for from := 0; from < len(values); from += filterBlock {
		block := values[from:min(from+filterBlock, len(values))]
		for _, i := range t.found[:kernels.AtLeast(t.found[:], block, least)] {
			t.best = append(t.best, NewCandidate(from+int(i), block[i]))
		}
		if len(t.best) > max(2*k, mostMet) {
			t.cut(k)
			least = math.Nextafter(valueOf(t.best[k-1].Key), math.Inf(1))
		}
	}
}

// mostMet is the number of candidates from which all but the k best are left out.
const mostMet = 1 << 14

// filterBlock is the number of values that one call of a kernel compares.
const filterBlock = 4096

// leastOf returns the lower edge of the bar of a histogram that has the value of a rank among every
// so many values, or NaN where no value is to be left out.
func (t *topper) leastOf(values []float64, every, rank int) float64 {
	clear(t.bars[:])
	n := 0
	for i := every / 2; i < len(values); i += every {
		t.bars[NewCandidate(0, values[i]).Key>>histogramShift]++
		n++
	}
	if rank > n {
		return math.NaN()
	}
	bar := len(t.bars)
	for n = 0; n < rank; n += int(t.bars[bar]) {
		bar--
	}
	return valueOf(uint64(bar) << histogramShift)
}

// valueOf returns the value that a key encodes.
func valueOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}
