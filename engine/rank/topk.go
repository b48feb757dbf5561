package rank

import (
	"math"
	"slices"
	"sync"
)

// TopK returns the numbers of the k best terms in rank order.
//
// If k is a small share of the terms, candidates are collected in the order of terms up to
// 2k of them. They are then cut to the best k, and later values must pass the worst of
// these: a vector comparison that nearly every value fails. If k is a larger share, a
// sample gives a threshold beforehand that probably leaves a few more than k, and a
// histogram of the keys one that leaves enough for certain: 10,000 of 130,107 terms take
// half the time that cutting takes.
func TopK(values []float64, k int) []int {
	if k == 0 {
		return nil
	}
	t := newTopper(values, k)
	defer t.release()
	t.choose()
	best := make([]int, len(t.best))
	for i, place := range t.best {
		best[i] = int(t.terms[place])
	}
	return best
}

// histogramShare is the share, one in so many terms, from which on k is large enough for a
// histogram.
const histogramShare = 128

// histogramShift is the number of low bits of a key that the histogram ignores. It leaves
// the sign, the exponent and two more bits: 64 KiB of bars.
const histogramShift = 50

// sampleEvery says which values are in the sample: one in so many.
const sampleEvery = 16

// filterBlock is the number of values that one call of atLeast compares.
const filterBlock = 4096

// A topper is one call of TopK. It keeps candidates as the numbers of their terms, four
// bytes each, and its memory is used again: a first round of 10,000 of 130,107 terms touches
// 117 pages for the first time, later ones 20, where candidates with their keys, in new
// memory, were 157 pages each time, at 1.5 µs a page.
type topper struct {
	k      int
	values []float64
	limit  int // number of candidates at which they are cut to the best k

	threshold float64 // values below it fail, once wasCut is set
	tiesFail  bool    // those equal to it fail, too
	wasCut    bool

	terms []uint32 // the candidates, ascending
	best  []uint32 // the places of the best k of them, in rank order
	keys  []uint64 // of a sample, or of the candidates that are cut
	packedTerms
}

// toppers keeps the memory of toppers.
var toppers = sync.Pool{New: func() any { return new(topper) }}

// mostKept is the number of candidates up to which the memory for them is kept, 24 bytes each.
const mostKept = 1 << 16

// newTopper returns a topper, which is to be released.
func newTopper(values []float64, k int) *topper {
	t := toppers.Get().(*topper)
	t.k, t.values, t.limit = k, values, len(values)+1
	t.threshold, t.tiesFail, t.wasCut = math.Inf(-1), false, false
	t.terms, t.best = t.terms[:0], t.best[:0]
	return t
}

// release gives the memory of t back.
func (t *topper) release() {
	t.values = nil
	if max(cap(t.terms), cap(t.best), cap(t.keys), cap(t.items)) <= mostKept {
		toppers.Put(t)
	}
}

// choose sets t.terms to terms that have the k best among them, and t.best.
func (t *topper) choose() {
	switch {
	case t.k == 0:
		return
	case t.k < len(t.values)/histogramShare:
		t.limit = 2 * t.k
	case !t.sampleThreshold():
		t.setThreshold()
	}
	t.addAll()
	if len(t.terms) < t.k { // the sample was no good one
		t.setThreshold()
		t.addAll()
	}
	t.sort()
}

// sampleThreshold sets the threshold to the value that has a few more than k values above
// it, by a sample of the values. It returns false if the sample would be too small, or k
// too large a share of the values.
func (t *topper) sampleThreshold() bool {
	expected := float64(t.k) / sampleEvery
	rank, n := int(expected+4*math.Sqrt(expected))+1, len(t.values)/sampleEvery
	if t.k < 1<<10 || rank > n/2 {
		return false
	}
	sample := slices.Grow(t.keys[:0], n)[:n]
	t.keys = sample
	for i := range sample {
		sample[i] = NewCandidate(0, t.values[i*sampleEvery+sampleEvery/2]).Key
	}
	edge := valueOf(kthKey(sample, rank))
	if math.IsNaN(edge) {
		return false
	}
	t.threshold, t.wasCut = edge, true
	t.terms = slices.Grow(t.terms[:0], sampleEvery*rank+filterBlock)
	return true
}

// setThreshold sets the threshold to the lower edge of the histogram bar that holds the value of
// rank k, and makes room for all values that pass it.
func (t *topper) setThreshold() {
	bars := make([]uint32, 1<<(64-histogramShift))
	for _, v := range t.values {
		bars[NewCandidate(0, v).Key>>histogramShift]++
	}
	bar, passed := len(bars), 0
	for passed < t.k {
		bar--
		passed += int(bars[bar])
	}
	t.threshold = valueOf(uint64(bar) << histogramShift)
	if t.wasCut = !math.IsNaN(t.threshold); !t.wasCut { // the bar is that of -Inf or NaN
		passed = len(t.values)
	}
	t.terms = slices.Grow(t.terms[:0], passed+filterBlock)
}

// valueOf returns the value that a key encodes.
func valueOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}

// addAll makes the k best of the values, and perhaps others, the candidates; fewer if fewer
// pass the threshold.
func (t *topper) addAll() {
	t.terms = t.terms[:0]
	for from := 0; from < len(t.values); from += filterBlock {
		t.addBlock(from, min(from+filterBlock, len(t.values)))
	}
}

// addBlock adds the values [from, to) that pass the threshold.
func (t *topper) addBlock(from, to int) {
	if !t.wasCut || math.IsNaN(t.threshold) { // everything may pass, NaN too
		for i := from; i < to; i++ {
			t.addTerm(uint32(i))
		}
		return
	}
	n := len(t.terms)
	t.terms = slices.Grow(t.terms, to-from)
	found := t.terms[n : n+to-from]
	found = found[:atLeast(found, t.values[from:to], t.threshold)]
	if t.limit <= len(t.values) { // rare: few pass
		for _, i := range found { // addTerm writes no further than here
			if term := uint32(from) + i; t.values[term] > t.threshold || !t.tiesFail && t.values[term] == t.threshold {
				t.addTerm(term)
			}
		}
		return
	}
	for i := range found {
		found[i] += uint32(from)
	}
	t.terms = t.terms[:n+len(found)]
}

// atLeast sets dst to the places of the values that are at least the threshold, and returns how
// many these are; NaN is not. Values are compared eight at a time, because nearly all fail.
func atLeast(dst []uint32, values []float64, threshold float64) (n int) {
	const step = 8
	for i := 0; i < len(values); i += step {
		if len(values)-i >= step {
			if v := (*[step]float64)(values[i:]); !(v[0] >= threshold || v[1] >= threshold || v[2] >= threshold || v[3] >= threshold ||
				v[4] >= threshold || v[5] >= threshold || v[6] >= threshold || v[7] >= threshold) {
				continue
			}
		}
		for j, v := range values[i:min(i+step, len(values))] {
			if v >= threshold {
				dst[n] = uint32(i + j)
				n++
			}
		}
	}
	return n
}

// addTerm adds a candidate, and cuts the candidates to the best k at the limit.
func (t *topper) addTerm(term uint32) {
	t.terms = append(t.terms, term)
	if len(t.terms) >= t.limit {
		t.keepBest()
	}
}

// keepBest cuts the candidates to the best k, and makes values fail that are no better: of
// equal values the later term is worse.
func (t *topper) keepBest() {
	t.keys = t.keys[:0]
	for _, term := range t.terms {
		t.keys = append(t.keys, t.key(term))
	}
	worst := kthKey(t.keys, t.k)
	ties, n := t.k, 0
	for _, key := range t.keys {
		if key > worst {
			ties--
		}
	}
	for _, term := range t.terms {
		switch key := t.key(term); {
		case key < worst:
			continue
		case key == worst:
			if ties == 0 {
				continue
			}
			ties--
		}
		t.terms[n] = term
		n++
	}
	t.terms, t.threshold, t.tiesFail, t.wasCut = t.terms[:n], valueOf(worst), true, true
}

// key returns the key of the value of a term.
func (t *topper) key(term uint32) uint64 { return NewCandidate(0, t.values[term]).Key }

// kthKey returns the key of rank k, from 1, the largest being the first, by quickselect. It
// reorders the keys.
func kthKey(keys []uint64, k int) uint64 {
	low, high := 0, len(keys)-1
	for low < high {
		p := partition(keys, low, high)
		switch {
		case p == k-1:
			return keys[p]
		case p < k-1:
			low = p + 1
		default:
			high = p - 1
		}
	}
	return keys[k-1]
}

// partition moves the keys of keys[low:high+1] that are above a pivot, the median of three,
// in front of it and returns the index of the pivot.
func partition(keys []uint64, low, high int) int {
	mid := low + (high-low)/2
	for _, p := range [][2]int{{mid, low}, {high, low}, {high, mid}} {
		if keys[p[0]] > keys[p[1]] {
			keys[p[0]], keys[p[1]] = keys[p[1]], keys[p[0]]
		}
	}
	keys[mid], keys[high] = keys[high], keys[mid]
	pivot, next := keys[high], low
	for i := low; i < high; i++ {
		v := keys[i]
		keys[i] = keys[next] // without a branch, which could not be predicted
		keys[next] = v
		if v > pivot {
			next++
		}
	}
	keys[next], keys[high] = keys[high], keys[next]
	return next
}
