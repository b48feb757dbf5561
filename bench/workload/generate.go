package workload

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// blockDocuments is the number of documents that share a generator. It is part
// of what a seed means.
const blockDocuments = 512

// Generate makes the corpus of these parameters, in memory. The terms of a
// document ascend, and so do its labels. threads is as in [pool.Threads].
func Generate(ctx context.Context, p Params, threads int) (store.Source, error) {
	if err := p.check(); err != nil {
		return store.Source{}, err
	}
	l := newLaw(p)
	blocks := make([]block, (p.Documents+blockDocuments-1)/blockDocuments)
	writers := make([]writer, min(pool.Threads(threads), len(blocks)))
	err := pool.Run(ctx, threads, len(blocks), func(worker, i int) error {
		blocks[i] = writers[worker].block(l, i)
		return nil
	})
	if err != nil {
		return store.Source{}, err
	}
	src, err := join(ctx, p, threads, blocks)
	if err != nil {
		return store.Source{}, err
	}
	src.IDs = names("d", p.Documents, 6)
	src.Classes = names("c", p.Classes, 3)
	src.Names = names("t", p.Terms, 6)
	return src, nil
}

// A block is a run of documents.
type block struct {
	labels, labelCount []uint32 // counts: one a document
	terms, counts      []uint32
	postings           []uint32 // one a document
}

// A writer is the scratch memory of one worker.
type writer struct {
	out   block
	count []uint32 // of each term in the document at hand, else 0
}

// block makes block i. What it returns has no spare capacity: all blocks are in
// memory at a time.
func (w *writer) block(l *law, i int) block {
	if w.count == nil {
		w.count = make([]uint32, l.Terms)
	}
	w.out = block{w.out.labels[:0], w.out.labelCount[:0], w.out.terms[:0], w.out.counts[:0], w.out.postings[:0]}
	s := newStream(l.Seed, uint64(i)+1)
	for range min(blockDocuments, l.Documents-i*blockDocuments) {
		w.document(l, s)
	}
	return block{
		slices.Clone(w.out.labels), slices.Clone(w.out.labelCount),
		slices.Clone(w.out.terms), slices.Clone(w.out.counts), slices.Clone(w.out.postings),
	}
}

// document appends one document.
func (w *writer) document(l *law, s *stream) {
	b := &w.out
	label, term := len(b.labels), len(b.terms)
	b.labels = l.labels(s, b.labels)
	for range l.length(s) {
		t := l.draw(s, b.labels[label:])
		if w.count[t] == 0 {
			b.terms = append(b.terms, t)
		}
		w.count[t]++
	}
	slices.Sort(b.terms[term:])
	for _, t := range b.terms[term:] {
		b.counts = append(b.counts, w.count[t])
		w.count[t] = 0
	}
	b.labelCount = append(b.labelCount, uint32(len(b.labels)-label))
	b.postings = append(b.postings, uint32(len(b.terms)-term))
}
