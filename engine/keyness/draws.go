package keyness

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file computes the values that terms have where documents are divided by chance.

// A drawing computes the values of all terms in divisions of the documents of both corpora, those of the reference being
// numbered behind those of the target.
type drawing struct {
	c     *Comparison
	sides [2]*side
	first [2]uint32 // the number of each side's first document
	*divisions
}

// newDrawing returns the divisions that the options ask for. It needs the lists.
func (c *Comparison) newDrawing() *drawing {
	d := &drawing{c: c, sides: [2]*side{c.target, c.reference}}
	var tokens []float64
	for i, s := range d.sides {
		d.first[i] = uint32(len(tokens))
		tokens = append(tokens, s.parts.tokens...)
	}
	d.divisions = newDivisions(tokens, c.Target.Documents, c.Options.Permutations, c.Options.Seed)
	return d
}

const (
	// blockDraws bounds the divisions that are held at a time. Each worker has scorers for every one.
	blockDraws = 64
	// blockBytes bounds the memory of the divisions of a block.
	blockBytes = 16 << 20
)

// run calls f with the value, 0 if it is not defined, of every term that the documents have, in every draw. Calls for a term
// are made in turn, and so are those with the same worker.
func (d *drawing) run(ctx context.Context, f func(worker, place, number int, value float64)) error {
	size := min(blockDraws, max(1, blockBytes/(d.documents/8+1)))
	workers := make([]*drawWorker, pool.Threads(d.c.Options.Threads))
	n := len(d.c.pairs)
	for from := 0; from < d.draws; from += size {
		block, err := d.block(ctx, d.c.Options.Threads, from, min(from+size, d.draws))
		if err != nil {
			return err
		}
		clear(workers)
		err = postings.RunOver(ctx, d.c.indexes(), d.c.Options.Threads, (n+judgedTerms-1)/judgedTerms, func(worker, chunk int) error {
			if workers[worker] == nil {
				workers[worker] = d.newWorker(block)
			}
			w := workers[worker]
			for place := chunk * judgedTerms; place < min(n, (chunk+1)*judgedTerms); place++ {
				if err := w.read(d.c.pairs[place]); err != nil {
					return err
				}
				if len(w.term) == 0 {
					continue
				}
				for i := range block {
					f(worker, place, from+i, w.value(i))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A drawWorker computes the values of a block of divisions on one goroutine.
type drawWorker struct {
	*drawing
	block   []division
	scorers []scorers // by division
	term    []postedShare
	list    postings.List
	parts   listedPair
}

// A postedShare is a document with a term.
type postedShare struct {
	doc       uint32
	tf, share float64
}

func (d *drawing) newWorker(block []division) *drawWorker {
	w := &drawWorker{drawing: d, block: block, parts: listedPair{Options: &d.c.Options}}
	documents := newTotals(Documents, float64(d.part), float64(d.documents-d.part))
	for _, v := range block {
		w.scorers = append(w.scorers, d.c.scorersOf(newTotals(Tokens, v.tokens[0], v.tokens[1]), documents))
	}
	return w
}

// read reads a term. For a rank sum it puts the documents in the order of their shares, which the parts
// of a division keep.
func (w *drawWorker) read(of pair) error {
	w.term = w.term[:0]
	for i, s := range w.sides {
		term := [2]int32{of.target, of.reference}[i]
		if term < 0 {
			continue
		}
		if err := s.index.Read(int(term), &w.list); err != nil {
			return err
		}
		for j, doc := range w.list.Docs {
			tf := w.list.TF[j]
			w.term = append(w.term, postedShare{doc + w.first[i], tf, tf / s.parts.tokens[doc]})
		}
	}
	if w.c.by.ranks() {
		slices.SortStableFunc(w.term, func(a, b postedShare) int { return cmp.Compare(a.share, b.share) })
	}
	return nil
}

// value returns the value in a division of the term that was read last.
func (w *drawWorker) value(division int) (v float64) {
	by := w.c.by
	if by.listed != nil {
		v = by.listed(w.split(division)).value
	} else if s, t := w.scorers[division].of(w.c.unit), w.count(division); s.t1 > 0 && s.t2 > 0 {
		v = by.value(s, t)
	}
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// count counts the term in both parts, in the unit of the measure.
func (w *drawWorker) count(division int) (t pairCounts) {
	v := &w.block[division]
	for _, p := range w.term {
		n := p.tf
		if w.c.unit == Documents {
			n = 1
		}
		if v.has(p.doc) {
			t.a += n
		} else {
			t.b += n
		}
	}
	return t
}

// split returns the term in the documents of both parts.
func (w *drawWorker) split(division int) *listedPair {
	v, p := &w.block[division], &w.parts
	p.documents = w.scorers[division].documents
	for i, l := range []*listed{&p.target, &p.reference} {
		l.list.Docs, l.list.TF, l.shares = l.list.Docs[:0], l.list.TF[:0], l.shares[:0]
		l.lengths = &lengths{tokens: w.tokens, total: v.tokens[i]}
	}
	p.target.documents, p.reference.documents = w.part, w.documents-w.part
	for _, x := range w.term {
		l := &p.reference
		if v.has(x.doc) {
			l = &p.target
		}
		l.list.Docs, l.list.TF, l.shares = append(l.list.Docs, x.doc), append(l.list.TF, x.tf), append(l.shares, x.share)
	}
	return p
}

// leastReaching returns the least distance from 0 that reaches a value, within what rounding may do; all reach one
// that is not defined.
func leastReaching(value float64) float64 {
	if math.IsNaN(value) {
		return 0
	}
	return math.Abs(value) * (1 - 1e-12)
}

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
		block[i] = d.of(rank.DrawOrder(d.documents, d.seed, uint64(from+i))[:d.part])
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

// Permutations test terms: which documents are the target is drawn anew, as many as
// there are, and the value of every term is computed again. The null hypothesis is that the documents
// of both corpora are of one kind. Nothing is assumed of tokens.

// checkPermutations returns an error for numbers of permutations that are wrong whatever the corpora.
func (o *Options) checkPermutations() error {
	switch {
	case o.Permutations < 0 || o.Permutations > MostDraws:
		return usage.Errorf("the number of permutations must be 1 to %d, not %d", MostDraws, o.Permutations)
	case o.MaxT && o.Permutations == 0:
		return usage.Errorf("the largest value of all terms is that of permutations: say how many")
	case o.Exact && o.Permutations > 0:
		return usage.Errorf("p-values come from Fisher's exact test or from permutations: leave one away")
	}
	return nil
}

// permute sets the p-values of all terms, and the corrected ones by the largest value if the options
// ask for these.
func (c *Comparison) permute(ctx context.Context) error {
	if err := c.needDocuments(ctx, "a permutation"); err != nil {
		return err
	}
	o := &c.Options
	d := c.newDrawing()
	if d.every {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d documents have only %d divisions into %d and %d: each was taken once, and p-values are exact",
			d.documents, d.draws, c.Target.Documents, c.Reference.Documents))
	}
	if c.by.uncentred {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s is not 0 where corpora do not differ, and permutations compare distances from 0: a negative key gets no small p-value", c.by.Measure))
	}
	tested := make([]bool, len(c.pairs))
	for _, place := range c.tested {
		tested[place] = true
	}
	hits, largest := make([]uint32, len(c.pairs)), make([][]float64, pool.Threads(o.Threads))
	err := d.run(ctx, func(worker, place, number int, value float64) {
		if math.Abs(value) >= leastReaching(c.values[place]) {
			hits[place]++
		}
		if !tested[place] {
			return
		}
		if largest[worker] == nil {
			largest[worker] = make([]float64, d.draws)
		}
		largest[worker][number] = max(largest[worker][number], math.Abs(value))
	})
	if err != nil {
		return err
	}
	for place, n := range hits {
		c.lnP[place] = d.lnP(int(n))
	}
	c.drawn, c.largest = d.divisions, largestOfAll(largest, d.draws)
	return nil
}

// correctByLargest sets the corrected p-values of the tested pairs: how often the largest value of all
// that are tested reaches theirs (Westfall and Young 1993, single step). Any wrong key among those with
// p < α has probability α at most.
func (c *Comparison) correctByLargest() {
	for _, place := range c.tested {
		below := sort.SearchFloat64s(c.largest, leastReaching(c.values[place]))
		c.corrected[place] = c.drawn.lnP(c.drawn.draws - below)
	}
}

// lnP returns ln p of so many draws that reach a value. The division that was observed is one of
// all, or comes to those that were drawn.
func (d *divisions) lnP(hits int) float64 {
	if d.every {
		return kernels.Log(float64(hits) / float64(d.draws))
	}
	return kernels.Log(float64(1+hits) / float64(1+d.draws))
}

// largestOfAll returns, ascending, the largest value of each draw that any worker has seen.
func largestOfAll(of [][]float64, draws int) []float64 {
	largest := make([]float64, draws)
	for _, own := range of {
		for i, v := range own {
			largest[i] = max(largest[i], v)
		}
	}
	slices.Sort(largest)
	return largest
}
