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

// sortTerms returns the places of the k best of the terms, which ascend, in rank order.
//
// It sorts numbers of 64 bits by three digits: the bits of a key behind what all keys begin
// with, inverted, and below them the place of the term. Neighbours with the same digits are
// then compared by their values.
func sortTerms(terms []uint32, values []float64, k int) []uint32 {
	best := make([]uint32, min(k, len(terms)))
	if radixFrom <= len(terms) && len(terms) <= math.MaxInt32 {
		p := packedTerms{terms: terms, values: values}
		p.pack()
		p.sort()
		if p.settle() {
			for i, item := range p.items[:len(best)] {
				best[i] = uint32(item & p.places)
			}
			return best
		}
	}
	places := make([]uint32, len(terms))
	for i := range places {
		places[i] = uint32(i)
	}
	slices.SortFunc(places, func(a, b uint32) int {
		return Order(NewCandidate(int(a), values[terms[a]]), NewCandidate(int(b), values[terms[b]]))
	})
	return places[:copy(best, places)]
}

// packedTerms are terms with the leading bits of their keys.
type packedTerms struct {
	terms  []uint32
	values []float64
	items  []uint64 // the inverted key from the first bit on that differs, and the place of the term
	places uint64   // the bits of the place
	counts [packedDigits][1 << radixBits]uint32
}

// pack sets the items and counts their digits.
func (p *packedTerms) pack() {
	n := len(p.terms)
	p.items = make([]uint64, n)
	all, either := uint64(math.MaxUint64), uint64(0)
	for i, term := range p.terms {
		key := NewCandidate(0, p.values[term]).Key
		p.items[i] = key
		all &= key
		either |= key
	}
	prefix := bits.LeadingZeros64(all ^ either)
	p.places = 1<<bits.Len(uint(n-1)) - 1
	for i, key := range p.items {
		item := ^key<<prefix&^p.places | uint64(i)
		p.items[i] = item
		for d := range p.counts {
			p.counts[d][digit(item, d)]++
		}
	}
}

// digit returns a digit of an item; 0 is the last that is sorted by.
func digit(item uint64, d int) uint64 {
	return item >> (packedShift + radixBits*d) & (1<<radixBits - 1)
}

// sort sorts the items by their digits. It is stable.
func (p *packedTerms) sort() {
	from, to := p.items, make([]uint64, len(p.items))
	for d := range p.counts {
		next := &p.counts[d]
		sum := uint32(0)
		for i, n := range next {
			next[i] = sum
			sum += n
		}
		for _, item := range from {
			place := &next[digit(item, d)]
			to[*place] = item
			*place++
		}
		from, to = to, from
	}
	p.items = from
}

// settle puts items with the same digits into rank order, by insertion. It gives up and returns false if
// more than 8 moves per item are needed.
func (p *packedTerms) settle() bool {
	items, moves := p.items, 8*len(p.items)
	for i := 1; i < len(items); i++ {
		for j := i; j > 0 && items[j]>>packedShift == items[j-1]>>packedShift && p.before(items[j], items[j-1]); j-- {
			items[j], items[j-1] = items[j-1], items[j]
			if moves--; moves < 0 {
				return false
			}
		}
	}
	return true
}

// before reports whether the term of item a ranks before that of item b.
func (p *packedTerms) before(a, b uint64) bool {
	x, y := p.terms[a&p.places], p.terms[b&p.places]
	return NewCandidate(int(x), p.values[x]).before(NewCandidate(int(y), p.values[y]))
}
