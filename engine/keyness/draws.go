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
