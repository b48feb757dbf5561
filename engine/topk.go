package engine

import (
	"math"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// A candidate is a term with its value as a key whose order is that of values:
// larger is better, not a number is worst, and the two zeros are one.
type candidate struct {
	key  uint64
	term uint32
}

const signBit = 1 << 63

func newCandidate(term int, value float64) candidate {
	if math.IsNaN(value) {
		return candidate{0, uint32(term)}
	}
	bits := math.Float64bits(value + 0) // -0 + 0 is +0
	if bits&signBit != 0 {
		return candidate{^bits, uint32(term)}
	}
	return candidate{bits | signBit, uint32(term)}
}

// before says that c ranks before d: by value, then by term number, which is the
// order of document frequency and bytes.
func (c candidate) before(d candidate) bool {
	return c.key > d.key || c.key == d.key && c.term < d.term
}

// filterBlock is the number of values that one call of the filter looks at.
const filterBlock = 4096

// topK gives the k best terms in order. Few of many are collected, in the order of
// terms, in a buffer of 2k; a full one is cut to its best k, and what follows has
// to pass the worst of them: a vector comparison that nearly every value fails.
// Where k is a larger share, a histogram of the keys tells beforehand what to pass:
// 10,000 of 130,107 take 0.4 ms then, by the buffer 0.9.
func topK(values []float64, k int) []int {
	if k == 0 {
		return nil
	}
	t := topper{k: k, threshold: math.Inf(-1)}
	if k < len(values)/histogramShare {
		t.buffer, t.scratch = make([]candidate, 0, 2*k), make([]candidate, 2*k)
	} else {
		t.filter(values)
	}
	for from := 0; from < len(values); from += filterBlock {
		t.block(values, from, min(from+filterBlock, len(values)))
	}
	t.keepBest()
	best := t.buffer
	sortCandidates(best, t.scratch)
	terms := make([]int, len(best))
	for i, c := range best {
		terms[i] = int(c.term)
	}
	return terms
}

// histogramShare: k of at least one in so many terms is found by a histogram.
const histogramShare = 128

// histogramShift leaves the sign, the exponent and two more bits of a key: 64 KiB of bars.
const histogramShift = 50

// filter sets the threshold to the lower edge of the histogram's bar that the
// value of rank k is in, and makes room for all that pass.
func (t *topper) filter(values []float64) {
	bars := make([]uint32, 1<<(64-histogramShift))
	for _, v := range values {
		bars[newCandidate(0, v).key>>histogramShift]++
	}
	bar, passed := len(bars), 0
	for passed < t.k {
		bar--
		passed += int(bars[bar])
	}
	if edge := valueOf(uint64(bar) << histogramShift); !math.IsNaN(edge) {
		t.threshold, t.wasCut = edge, true
		t.worst = candidate{newCandidate(0, edge).key, math.MaxUint32}
	} else { // among the -Inf and the undefined
		passed = len(values)
	}
	t.buffer, t.scratch = make([]candidate, 0, passed+1), make([]candidate, passed+1)
}

// valueOf is the value of a key.
func valueOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}

type topper struct {
	k               int
	buffer, scratch []candidate
	worst           candidate // of the best k so far, once there was a cut
	threshold       float64   // its value
	wasCut          bool
	passed          [filterBlock]uint32
}

func (t *topper) block(values []float64, from, to int) {
	if !t.wasCut || math.IsNaN(t.threshold) { // everything may pass, NaN too
		for i := from; i < to; i++ {
			t.add(newCandidate(i, values[i]), values)
		}
		return
	}
	n := kernels.AtLeast(t.passed[:], values[from:to], t.threshold)
	for _, i := range t.passed[:n] {
		term := from + int(i)
		if c := newCandidate(term, values[term]); c.before(t.worst) {
			t.add(c, values)
		}
	}
}

func (t *topper) add(c candidate, values []float64) {
	t.buffer = append(t.buffer, c)
	if len(t.buffer) == cap(t.buffer) {
		t.keepBest()
		t.threshold, t.wasCut = values[t.worst.term], true
	}
}

// keepBest leaves the best k in the buffer, in the order of terms still.
func (t *topper) keepBest() {
	if len(t.buffer) <= t.k {
		return
	}
	t.worst = kth(t.scratch[:copy(t.scratch, t.buffer)], t.k)
	n := 0
	for _, c := range t.buffer {
		t.buffer[n] = c // stays only if n moves on
		if !t.worst.before(c) {
			n++
		}
	}
	t.buffer = t.buffer[:n]
}

// kth gives the candidate of rank k, from 1, by quickselect.
func kth(c []candidate, k int) candidate {
	low, high := 0, len(c)-1
	for low < high {
		p := partition(c, low, high)
		switch {
		case p == k-1:
			return c[p]
		case p < k-1:
			low = p + 1
		default:
			high = p - 1
		}
	}
	return c[k-1]
}

// partition puts what ranks before the median of three in front of it and
// returns its place.
func partition(c []candidate, low, high int) int {
	mid := low + (high-low)/2
	for _, p := range [][2]int{{mid, low}, {high, low}, {high, mid}} {
		if c[p[0]].before(c[p[1]]) {
			c[p[0]], c[p[1]] = c[p[1]], c[p[0]]
		}
	}
	c[mid], c[high] = c[high], c[mid]
	pivot, next := c[high], low
	for i := low; i < high; i++ {
		v := c[i]
		c[i] = c[next] // without a branch: the outcome is a coin toss
		c[next] = v
		if v.before(pivot) {
			next++
		}
	}
	c[next], c[high] = c[high], c[next]
	return next
}

const (
	radixBits   = 11
	radixPasses = 3
	// radixFrom is the number of candidates from which three passes over them and
	// over 2,048 counters are faster than comparisons.
	radixFrom = 512
)

// sortCandidates puts candidates that are in the order of terms into rank order.
// A radix sort of the 33 bits below the common prefix of the keys leaves few of
// them out of place, and equal ones in the order of terms.
func sortCandidates(c, scratch []candidate) {
	if len(c) >= radixFrom {
		all, any := c[0].key, c[0].key
		for _, x := range c {
			all &= x.key
			any |= x.key
		}
		shift := max(0, bits.Len64(all^any)-radixBits*radixPasses)
		scratch = scratch[:len(c)]
		radixPass(scratch, c, shift)
		radixPass(c, scratch, shift+radixBits)
		radixPass(scratch, c, shift+2*radixBits)
		copy(c, scratch)
		if insertionSort(c) {
			return
		}
	}
	slices.SortFunc(c, rankOrder)
}

func rankOrder(a, b candidate) int {
	if a.before(b) {
		return -1
	}
	return 1
}

// radixPass sorts by one digit of the keys, descending, and is stable.
func radixPass(to, from []candidate, shift int) {
	const mask = 1<<radixBits - 1
	var next [1 << radixBits]int
	for _, c := range from {
		next[^(c.key>>shift)&mask]++
	}
	sum := 0
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	for _, c := range from {
		d := ^(c.key >> shift) & mask
		to[next[d]] = c
		next[d]++
	}
}

// insertionSort finishes what is nearly in order; it gives up, with false, where
// that turns out not to be so.
func insertionSort(c []candidate) bool {
	moves := 8 * len(c)
	for i := 1; i < len(c); i++ {
		for j := i; j > 0 && c[j].before(c[j-1]); j-- {
			c[j], c[j-1] = c[j-1], c[j]
			if moves--; moves < 0 {
				return false
			}
		}
	}
	return true
}
