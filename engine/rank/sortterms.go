package rank

import (
	"math"
	"math/bits"
	"slices"
)

// packedDigits is the number of digits of packed keys that are sorted. They lie behind the
// common prefix of all keys, so that they leave few terms out of place.
const packedDigits = 3

// packedShift is the number of bits of a packed key below the digits.
const packedShift = 64 - packedDigits*radixBits

// sort sets t.best.
//
// It sorts numbers of 64 bits by three digits: the bits of a key behind what all keys begin
// with, inverted, and below them the place of the term. Neighbours with the same digits are
// then compared by their values.
func (t *topper) sort() {
	if n := len(t.terms); radixFrom <= n && n <= math.MaxInt32 {
		t.pack()
		t.sortDigits()
		if t.settle() {
			for _, item := range t.items[:min(t.k, n)] {
				t.best = append(t.best, t.placeOf(item))
			}
			return
		}
	}
	for i := range t.terms {
		t.best = append(t.best, uint32(i))
	}
	slices.SortFunc(t.best, func(a, b uint32) int { return Order(t.candidateAt(a), t.candidateAt(b)) })
	t.best = t.best[:min(t.k, len(t.best))]
}

// packedTerms are the candidates of a topper with the leading bits of their keys.
type packedTerms struct {
	items  []uint64 // the inverted key from the first bit on that differs, and the place of the term
	spare  []uint64 // memory of as many
	places uint64   // the bits of the place
	counts [packedDigits][1 << radixBits]uint32
}

// pack sets the items and the keys, by place, and counts the digits.
func (t *topper) pack() {
	n := len(t.terms)
	keys, items := slices.Grow(t.keys[:0], n)[:n], slices.Grow(t.items[:0], n)[:n]
	t.keys, t.items, t.spare = keys, items, slices.Grow(t.spare[:0], n)[:n]
	all, either := uint64(math.MaxUint64), uint64(0)
	for i, term := range t.terms {
		key := t.key(term)
		keys[i] = key
		all &= key
		either |= key
	}
	prefix := bits.LeadingZeros64(all ^ either)
	t.places = 1<<bits.Len(uint(n-1)) - 1
	clear(t.counts[:])
	for i, key := range keys {
		item := ^key<<prefix&^t.places | uint64(i)
		items[i] = item
		for d := range t.counts {
			t.counts[d][digit(item, d)]++
		}
	}
}

// digit returns a digit of an item; 0 is the last that is sorted by. The mask of the shift spares a check of its size.
func digit(item uint64, d int) uint64 {
	return item >> ((packedShift + radixBits*d) & 63) & (1<<radixBits - 1)
}

// sortDigits sorts the items by their digits. It is stable.
func (p *packedTerms) sortDigits() {
	items, spare := p.items, p.spare // not loaded again after each store
	for d := range p.counts {
		next := &p.counts[d]
		sum := uint32(0)
		for i, n := range next {
			next[i] = sum
			sum += n
		}
		for _, item := range items {
			i := digit(item, d)
			place := next[i]
			next[i] = place + 1
			spare[place] = item
		}
		items, spare = spare, items
	}
	p.items, p.spare = items, spare
}

// settle puts items with the same digits into rank order, by insertion. It gives up and
// returns false if more than 8 moves per item are needed.
func (t *topper) settle() bool {
	items, moves := t.items, 8*len(t.items)
	for i := 1; i < len(items); i++ {
		for j := i; j > 0 && items[j]>>packedShift == items[j-1]>>packedShift && t.before(items[j], items[j-1]); j-- {
			items[j], items[j-1] = items[j-1], items[j]
			if moves--; moves < 0 {
				return false
			}
		}
	}
	return true
}

// before reports whether an item ranks before another: places are in the order of terms.
func (t *topper) before(a, b uint64) bool {
	i, j := t.placeOf(a), t.placeOf(b)
	return t.keys[i] > t.keys[j] || t.keys[i] == t.keys[j] && i < j
}

// placeOf returns the place of an item.
func (p *packedTerms) placeOf(item uint64) uint32 { return uint32(item & p.places) }

// candidateAt returns the candidate at a place.
func (t *topper) candidateAt(place uint32) Candidate {
	term := t.terms[place]
	return NewCandidate(int(term), t.values[term])
}
