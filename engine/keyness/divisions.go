package keyness

import (
	"context"
	"math/bits"

	"github.com/termsift/termsift/engine/draw"
	"github.com/termsift/termsift/engine/pool"
)

// This file draws which documents are the target.

// MostDraws is the largest number of permutations.
const MostDraws = 10_000_000

// A division parts documents in two. Bit d of in is set if document d is in the first part.
type division struct {
	in     []uint64
	tokens [2]float64 // of the parts
}

func (d *division) has(doc uint32) bool { return d.in[doc/64]>>(doc%64)&1 == 1 }

// divisions are draws of a part of some documents, all parts of that size equally likely. If there are
// no more parts than draws, every part is drawn once.
type divisions struct {
	documents, part int
	draws           int
	every           bool
	seed            uint64
	tokens          []float64 // by document
	total           float64
	next            []uint32 // the documents of the next part, ascending, if every one is drawn
}

func newDivisions(tokens []float64, part, draws int, seed uint64) *divisions {
	d := &divisions{documents: len(tokens), part: part, draws: draws, seed: seed, tokens: tokens}
	for _, n := range tokens {
		d.total += n
	}
	if n, few := ways(len(tokens), part, draws); few {
		d.draws, d.every = n, true
		for doc := range uint32(part) {
			d.next = append(d.next, doc)
		}
	}
	return d
}

// ways returns the number of sets of k of n, and whether it is at most most.
func ways(n, k, most int) (number int, few bool) {
	k = min(k, n-k)
	all := uint64(1)
	for i := range uint64(k) {
		high, low := bits.Mul64(all, uint64(n)-i)
		if high > i { // the quotient has more than 64 bits
			return 0, false
		}
		if all, _ = bits.Div64(high, low, i+1); all > uint64(most) {
			return 0, false
		}
	}
	return int(all), true
}

// block makes the draws [from, to). Blocks are asked for in order.
func (d *divisions) block(ctx context.Context, threads, from, to int) ([]division, error) {
	block := make([]division, to-from)
	if d.every {
		for i := range block {
			block[i] = d.of(d.next)
			d.advance()
		}
		return block, nil
	}
	return block, pool.Run(ctx, threads, len(block), func(_, i int) error {
		block[i] = d.of(draw.Order(d.documents, d.seed, uint64(from+i))[:d.part])
		return nil
	})
}

// of returns the division of which documents are the first part.
func (d *divisions) of(first []uint32) (v division) {
	v.in = make([]uint64, (d.documents+63)/64)
	for _, doc := range first {
		v.in[doc/64] |= 1 << (doc % 64)
		v.tokens[0] += d.tokens[doc]
	}
	v.tokens[1] = d.total - v.tokens[0] // whole numbers
	return v
}

// advance makes the next part of the order of words.
func (d *divisions) advance() {
	for i := d.part - 1; i >= 0; i-- {
		if d.next[i] < uint32(d.documents-d.part+i) {
			d.next[i]++
			for j := i + 1; j < d.part; j++ {
				d.next[j] = d.next[j-1] + 1
			}
			return
		}
	}
}
