package rank

import (
	"math"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// A Candidate is a term with its value, encoded as an integer key in the order of the
// values: a larger key is better, NaN has the smallest, and -0 and +0 have the same.
type Candidate struct {
	Key  uint64
	Term uint32
}

const signBit = 1 << 63

// NewCandidate returns the candidate of a term, by its number, with its value.
func NewCandidate(term int, value float64) Candidate {
	if math.IsNaN(value) {
		return Candidate{0, uint32(term)}
	}
	bits := math.Float64bits(value + 0) // -0 + 0 is +0
	if bits&signBit != 0 {
		return Candidate{^bits, uint32(term)}
	}
	return Candidate{bits | signBit, uint32(term)}
}

// before reports whether c ranks before d: by value, then by term number, which is in the
// order of document frequency and bytes.
func (c Candidate) before(d Candidate) bool {
	return c.Key > d.Key || c.Key == d.Key && c.Term < d.Term
}

// filterBlock is the number of values that one call of kernels.AtLeast compares.
const filterBlock = 4096

// TopK returns the numbers of the k best terms in rank order.
//
// If k is a small share of the terms, candidates are collected in the order of terms in a
// buffer of 2k. A full buffer is cut to its best k, and later values must pass the worst
// of these: a vector comparison that nearly every value fails. If k is a larger share, a
// sample gives a threshold beforehand that probably leaves a few more than k, and a
// histogram of the keys one that leaves enough for certain: 10,000 of 130,107 terms take
// half the time that the buffer takes.
func TopK(values []float64, k int) []int {
	if k == 0 {
		return nil
	}
	t := topper{k: k, threshold: math.Inf(-1)}
	if k < len(values)/histogramShare || t.sampleThreshold(values) {
		t.buffer, t.scratch = make([]Candidate, 0, 2*k), make([]Candidate, 2*k)
	} else {
		t.setThreshold(values)
	}
	t.addAll(values)
	if len(t.buffer) < k { // the sample was no good one
		t.setThreshold(values)
		t.addAll(values)
	}
	SortCandidates(t.buffer, t.scratch)
	best := t.buffer[:min(k, len(t.buffer))]
	terms := make([]int, len(best))
	for i, c := range best {
		terms[i] = int(c.Term)
	}
	return terms
}

// histogramShare is the share, one in so many terms, from which on k is large enough for a
// histogram.
const histogramShare = 128

// histogramShift is the number of low bits of a key that the histogram ignores. It leaves
// the sign, the exponent and two more bits: 64 KiB of bars.
const histogramShift = 50

// sampleEvery says which values are in the sample: one in so many.
const sampleEvery = 16

// sampleThreshold sets the threshold to the value that has a few more than k values above
// it, by a sample of the values. It returns false if the sample would be too small, or k
// too large a share of the values.
func (t *topper) sampleThreshold(values []float64) bool {
	expected := float64(t.k) / sampleEvery
	rank, n := int(expected+4*math.Sqrt(expected))+1, len(values)/sampleEvery
	if t.k < 1<<10 || rank > n/2 {
		return false
	}
	sample := make([]Candidate, n)
	for i := range sample {
		sample[i] = NewCandidate(i, values[i*sampleEvery+sampleEvery/2])
	}
	edge := valueOf(kth(sample, rank).Key)
	if math.IsNaN(edge) {
		return false
	}
	t.cutAt(edge)
	return true
}

// cutAt makes values below edge fail.
func (t *topper) cutAt(edge float64) {
	t.threshold, t.wasCut = edge, true
	t.worst = Candidate{NewCandidate(0, edge).Key, math.MaxUint32}
}

// setThreshold sets the threshold to the lower edge of the histogram bar that holds the value of
// rank k, and allocates room for all values that pass it.
func (t *topper) setThreshold(values []float64) {
	bars := make([]uint32, 1<<(64-histogramShift))
	for _, v := range values {
		bars[NewCandidate(0, v).Key>>histogramShift]++
	}
	bar, passed := len(bars), 0
	for passed < t.k {
		bar--
		passed += int(bars[bar])
	}
	if edge := valueOf(uint64(bar) << histogramShift); !math.IsNaN(edge) {
		t.cutAt(edge)
	} else { // the bar is that of -Inf or NaN
		passed, t.wasCut = len(values), false
	}
	t.buffer, t.scratch = make([]Candidate, 0, passed+1), make([]Candidate, passed+1)
}

// valueOf returns the value that a key encodes.
func valueOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}

// A topper is one call of TopK.
type topper struct {
	k               int
	buffer, scratch []Candidate
	worst           Candidate // the worst of the best k so far; set once wasCut is
	threshold       float64   // the value of worst
	wasCut          bool
	passed          [filterBlock]uint32
}

// addAll leaves the k best of the values, and perhaps others, in the buffer; fewer if fewer
// pass the threshold.
func (t *topper) addAll(values []float64) {
	for from := 0; from < len(values); from += filterBlock {
		t.addBlock(values, from, min(from+filterBlock, len(values)))
	}
}

// addBlock adds the values [from, to) that pass the threshold.
func (t *topper) addBlock(values []float64, from, to int) {
	if !t.wasCut || math.IsNaN(t.threshold) { // everything may pass, NaN too
		for i := from; i < to; i++ {
			t.addCandidate(NewCandidate(i, values[i]), values)
		}
		return
	}
	n := kernels.AtLeast(t.passed[:], values[from:to], t.threshold)
	for _, i := range t.passed[:n] {
		term := from + int(i)
		if c := NewCandidate(term, values[term]); c.before(t.worst) {
			t.addCandidate(c, values)
		}
	}
}

// addCandidate adds a candidate to the buffer, and cuts the buffer to the best k if it is full.
func (t *topper) addCandidate(c Candidate, values []float64) {
	t.buffer = append(t.buffer, c)
	if len(t.buffer) == cap(t.buffer) {
		t.keepBest()
		t.threshold, t.wasCut = values[t.worst.Term], true
	}
}

// keepBest cuts the buffer to the best k candidates, which stay in the order of terms.
func (t *topper) keepBest() {
	if len(t.buffer) <= t.k {
		return
	}
	t.worst = kth(t.scratch[:copy(t.scratch, t.buffer)], t.k)
	n := 0
	for _, c := range t.buffer {
		t.buffer[n] = c // overwritten by the next one unless n is incremented
		if !t.worst.before(c) {
			n++
		}
	}
	t.buffer = t.buffer[:n]
}

// kth returns the candidate of rank k, from 1, by quickselect. It reorders c.
func kth(c []Candidate, k int) Candidate {
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

// partition moves the candidates of c[low:high+1] that rank before a pivot, the median of
// three, in front of it and returns the index of the pivot.
func partition(c []Candidate, low, high int) int {
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
		c[i] = c[next] // without a branch, which could not be predicted
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
	// radixFrom is the number of candidates from which on three passes over them and
	// over 2,048 counters are faster than a comparison sort.
	radixFrom = 512
)

// SortCandidates sorts candidates, given in the order of terms, into rank order. It
// radix-sorts them by the 33 bits below the common prefix of the keys, which leaves few of
// them out of place and equal ones in the order of terms, and finishes by insertion.
// scratch must be at least as long as c.
func SortCandidates(c, scratch []Candidate) {
	if len(c) >= radixFrom {
		all, any := c[0].Key, c[0].Key
		for _, x := range c {
			all &= x.Key
			any |= x.Key
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
	slices.SortFunc(c, Order)
}

// Order compares candidates by rank, for [slices.SortFunc]: it returns a negative number
// if a ranks before b.
func Order(a, b Candidate) int {
	if a.before(b) {
		return -1
	}
	return 1
}

// radixPass sorts the candidates by one digit of the keys, descending. It is stable.
func radixPass(to, from []Candidate, shift int) {
	const mask = 1<<radixBits - 1
	var next [1 << radixBits]int
	for _, c := range from {
		next[^(c.Key>>shift)&mask]++
	}
	sum := 0
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	for _, c := range from {
		d := ^(c.Key >> shift) & mask
		to[next[d]] = c
		next[d]++
	}
}

// insertionSort sorts candidates that are nearly in order. It gives up and returns false
// if more than 8 moves per candidate are needed.
func insertionSort(c []Candidate) bool {
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
