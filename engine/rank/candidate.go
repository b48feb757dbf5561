package rank

import (
	"math"
	"math/bits"
	"slices"
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
