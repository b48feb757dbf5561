package rank

import (
	"math"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/table"
)

// TopK returns the numbers of the k best terms in rank order.
//
// A histogram of the keys gives a value that k terms or a few more reach. These are sorted; where
// they are many more, the k best of them whenever there are too many.
func TopK(values []float64, k int) []int {
	t := newTopper(values, k)
	best := make([]int, len(t.best))
	for i, c := range t.best {
		best[i] = int(c.ID)
	}
	if max(cap(t.best), cap(t.spare)) <= mostKept {
		toppers.Put(t)
	}
	return best
}

// histogramShift is the number of low bits of a key that the histogram ignores. It leaves
// the sign, the exponent and two more bits: 64 KiB of bars.
const histogramShift = 50

// A topper is one call of TopK. Its memory is used again.
type topper struct {
	best  []Candidate // the k best in rank order
	spare []Candidate // memory of as many
	bars  [1 << (64 - histogramShift)]uint32
}

// toppers keeps the memory of toppers.
var toppers = sync.Pool{New: func() any { return new(topper) }}

// mostKept is the number of candidates up to which the memory for them is kept, 32 bytes each.
const mostKept = 1 << 16

// newTopper returns a topper with the k best terms.
func newTopper(values []float64, k int) *topper {
	t := toppers.Get().(*topper)
	t.best = t.best[:0]
	if k > 0 {
		t.choose(values, k)
	}
	return t
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
	table.SortDescending(t.best, t.spare) // which come in the order of their terms
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
	for i, v := range values {
		if !(v >= least) {
			continue
		}
		if t.best = append(t.best, NewCandidate(i, v)); len(t.best) > max(2*k, mostMet) {
			t.cut(k)
			least = math.Nextafter(valueOf(t.best[k-1].Key), math.Inf(1))
		}
	}
}

// mostMet is the number of candidates from which all but the k best are left out.
const mostMet = 1 << 14

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

// A Candidate is a term, its ID, with its value, encoded as an integer key in the order of the
// values: a larger key is better, NaN has the smallest, and -0 and +0 have the same.
type Candidate = table.Item

const signBit = 1 << 63

// NewCandidate returns the candidate of a term, by its number, with its value.
func NewCandidate(term int, value float64) Candidate {
	if math.IsNaN(value) {
		return Candidate{ID: uint32(term)}
	}
	bits := math.Float64bits(value + 0) // -0 + 0 is +0
	if bits&signBit != 0 {
		return Candidate{Key: ^bits, ID: uint32(term)}
	}
	return Candidate{Key: bits | signBit, ID: uint32(term)}
}

// before reports whether c ranks before d: by value, then by term number, which is in the
// order of document frequency and bytes.
func before(c, d Candidate) bool { return c.Key > d.Key || c.Key == d.Key && c.ID < d.ID }

// Order compares candidates by rank, for [slices.SortFunc]: it returns a negative number
// if a ranks before b.
func Order(a, b Candidate) int {
	if before(a, b) {
		return -1
	}
	return 1
}
