package rank

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// A Best keeps the best of what it is offered.
type Best[T any] struct {
	Most  int              // how many; 0 keeps all
	Order func(a, b T) int // negative if a is better, never 0

	sort  func(kept []T) // nil sorts by Order
	kept  []T            // up to twice as many
	worst T              // of as many as were kept at a time, if full
	full  bool
}

// Takes reports whether one may be among the best.
func (b *Best[T]) Takes(x T) bool { return !b.full || b.Order(x, b.worst) <= 0 }

// Offer takes one.
func (b *Best[T]) Offer(x T) {
	if !b.Takes(x) {
		return
	}
	if b.kept = append(b.kept, x); b.Most > 0 && len(b.kept)/2 >= max(b.Most, leastKept) {
		b.worst, b.full = b.Sorted()[b.Most-1], true
	}
}

// Worst returns the worst of as many as are kept, the zero value until so many were chosen: what is worse need not be
// offered.
func (b *Best[T]) Worst() T { return b.worst }

// leastKept is how many are kept before the best of them are chosen, for small numbers.
const leastKept = 4

// Sorted returns the best, the best first. They are valid until the next offer.
func (b *Best[T]) Sorted() []T {
	if b.sort != nil {
		b.sort(b.kept)
	} else {
		slices.SortFunc(b.kept, b.Order)
	}
	if b.Most > 0 {
		b.kept = b.kept[:min(b.Most, len(b.kept))]
	}
	return b.kept
}

// TopK returns the numbers of the k best terms in rank order.
func TopK(values []float64, k int) []int {
	if k <= 0 {
		return nil
	}
	var spare []Candidate
	best, least := Best[Candidate]{Most: k, Order: Order, sort: func(kept []Candidate) { // they come in the order of their terms
		spare = slices.Grow(spare[:0], len(kept))[:len(kept)]
		table.SortDescending(kept, spare)
	}}, uint64(0)
	for i, v := range values {
		if c := NewCandidate(i, v); c.Key >= least {
			if best.Offer(c); best.full {
				least = best.worst.Key + 1 // later terms of the same value are worse
			}
		}
	}
	found := make([]int, 0, min(k, len(values)))
	for _, c := range best.Sorted() {
		found = append(found, int(c.ID))
	}
	return found
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
