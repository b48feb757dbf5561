package keyness

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file computes the values that terms have where documents are divided by chance.

// A drawing computes the values of all terms in divisions of the documents of some corpora, which are
// numbered one behind the other.
type drawing struct {
	c     *Comparison
	sides []*side
	first []uint32 // the number of each side's first document
	*divisions
}

// newDrawing returns the divisions of the documents of some sides into parts, the first of which has so
// many documents. It needs the lists.
func (c *Comparison) newDrawing(part, draws int, seed uint64, sides ...*side) *drawing {
	d := &drawing{c: c, sides: sides}
	var tokens []float64
	for _, s := range sides {
		d.first = append(d.first, uint32(len(tokens)))
		tokens = append(tokens, s.parts.tokens...)
	}
	d.divisions = newDivisions(tokens, part, draws, seed)
	return d
}

// A drawn is a term in one division.
type drawn struct {
	value             float64 // 0 if it is not defined
	sign              int
	tokens, documents pairCounts
}

const (
	// blockDraws bounds the divisions that are held at a time. Each worker has scorers for every one.
	blockDraws = 64
	// blockBytes bounds the memory of the divisions of a block.
	blockBytes = 16 << 20
)

// run calls f for every term that the documents have, in every draw. Calls for a term are made in turn, and so are those with
// the same worker.
func (d *drawing) run(ctx context.Context, f func(worker, place, number int, v drawn)) error {
	size := min(blockDraws, max(1, blockBytes/(d.documents/8+1)))
	workers := make([]*drawWorker, pool.Threads(d.c.Options.Threads))
	var indexes []*postings.Index
	for _, s := range d.sides {
		indexes = append(indexes, s.index)
	}
	n := len(d.c.pairs)
	for from := 0; from < d.draws; from += size {
		block, err := d.block(ctx, d.c.Options.Threads, from, min(from+size, d.draws))
		if err != nil {
			return err
		}
		clear(workers)
		err = postings.RunOver(ctx, indexes, d.c.Options.Threads, (n+judgedTerms-1)/judgedTerms, func(worker, chunk int) error {
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
		term := of.target
		if s == w.c.reference {
			term = of.reference
		}
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

// value returns the term that was read last in a division.
func (w *drawWorker) value(division int) drawn {
	d := w.count(division)
	by := w.c.by
	if by.listed != nil {
		j := by.listed(w.split(division))
		d.value, d.sign = j.value, j.sign
	} else if s, t := w.scorers[division].of(w.c.unit), d.of(w.c.unit); s.t1 > 0 && s.t2 > 0 {
		d.value, d.sign = by.value(s, t), cmp.Compare(s.gap(t), 0)
	}
	if math.IsNaN(d.value) {
		d.value = 0
	}
	return d
}

// count counts the term in both parts.
func (w *drawWorker) count(division int) (d drawn) {
	v := &w.block[division]
	for _, p := range w.term {
		if v.has(p.doc) {
			d.tokens.a += p.tf
			d.documents.a++
		} else {
			d.tokens.b += p.tf
			d.documents.b++
		}
	}
	return d
}

func (d *drawn) of(u Unit) pairCounts {
	if u == Documents {
		return d.documents
	}
	return d.tokens
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

// reaches reports whether a value is at least as far from 0 as another, within what rounding may do.
func reaches(value, other float64) bool { return math.Abs(value) >= leastReaching(other) }

// leastReaching returns the least distance from 0 that reaches a value; all reach one that is not
// defined.
func leastReaching(value float64) float64 {
	if math.IsNaN(value) {
		return 0
	}
	return math.Abs(value) * (1 - 1e-12)
}
