package workload

import (
	"context"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// blockDocuments is the number of documents that share a generator. It is part
// of what a seed means.
const blockDocuments = 512

// blocks is the number of blocks of the corpus.
func (p *Params) blocks() int { return (p.Documents + blockDocuments - 1) / blockDocuments }

// documentsOf is the number of documents in block i.
func (p *Params) documentsOf(i int) int { return min(blockDocuments, p.Documents-i*blockDocuments) }

// Generate makes the corpus of these parameters, in memory. The terms of a
// document ascend, and so do its labels. threads is as in [pool.Threads].
func Generate(ctx context.Context, p Params, threads int) (postings.Source, error) {
	if err := p.Validate(); err != nil {
		return postings.Source{}, fmt.Errorf("workload: %w", err)
	}
	l := newLaw(p)
	number := l.shuffled()
	blocks := make([]block, p.blocks())
	writers := make([]writer, min(pool.Threads(threads), len(blocks)))
	for w := range writers {
		writers[w].counter.number = number
	}
	err := pool.Run(ctx, threads, len(blocks), func(worker, i int) error {
		blocks[i] = writers[worker].block(l, i)
		return nil
	})
	if err != nil {
		return postings.Source{}, err
	}
	src, err := join(ctx, p, threads, blocks)
	if err != nil {
		return postings.Source{}, err
	}
	src.IDs = names("d", p.Documents, documentDigits)
	src.Classes = names("c", p.Classes, classDigits)
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
	out     block
	ranks   []uint32 // of the tokens of the document at hand
	counter counter
}

// block makes block i. What it returns has no spare capacity: all blocks are in
// memory at a time.
func (w *writer) block(l *law, i int) block {
	w.out = block{w.out.labels[:0], w.out.labelCount[:0], w.out.terms[:0], w.out.counts[:0], w.out.postings[:0]}
	s := newStream(l.Seed, uint64(i)+1)
	for range l.documentsOf(i) {
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
	b.labels, w.ranks = l.document(s, b.labels, w.ranks[:0])
	b.terms, b.counts = w.counter.count(l, w.ranks, b.terms, b.counts)
	b.labelCount = append(b.labelCount, uint32(len(b.labels)-label))
	b.postings = append(b.postings, uint32(len(b.terms)-term))
}

// A counter makes the terms of a document of its tokens.
type counter struct {
	number []uint32 // rank -> number of the term; nil: the rank itself
	times  []uint32 // that the term occurs in the document at hand, else 0
}

// count appends the terms with these ranks, ascending by number, and how often
// each of them occurs.
func (c *counter) count(l *law, ranks, terms, counts []uint32) (_, _ []uint32) {
	if c.times == nil {
		c.times = make([]uint32, l.Terms)
	}
	from := len(terms)
	for _, t := range ranks {
		if c.number != nil {
			t = c.number[t]
		}
		if c.times[t] == 0 {
			terms = append(terms, t)
		}
		c.times[t]++
	}
	slices.Sort(terms[from:])
	for _, t := range terms[from:] {
		counts = append(counts, c.times[t])
		c.times[t] = 0
	}
	return terms, counts
}

// join puts the blocks behind each other. It forgets each block as soon as it is
// copied.
func join(ctx context.Context, p Params, threads int, blocks []block) (postings.Source, error) {
	src, labels := offsets(p, blocks)
	src.Labels = make([]uint32, labels)
	src.Terms = make([]uint32, src.DocStart[p.Documents])
	src.Counts = make([]uint32, src.DocStart[p.Documents])
	err := pool.Run(ctx, threads, len(blocks), func(_, i int) error {
		first := i * blockDocuments
		copy(src.Labels[src.LabelStart[first]:], blocks[i].labels)
		copy(src.Terms[src.DocStart[first]:], blocks[i].terms)
		copy(src.Counts[src.DocStart[first]:], blocks[i].counts)
		blocks[i] = block{}
		return nil
	})
	return src, err
}

// offsets sums up where documents start, and the number of all labels.
func offsets(p Params, blocks []block) (src postings.Source, labels uint32) {
	src.LabelStart = make([]uint32, 1, p.Documents+1)
	src.DocStart = make([]uint64, 1, p.Documents+1)
	postings := uint64(0)
	for _, b := range blocks {
		for d, n := range b.labelCount {
			labels += n
			postings += uint64(b.postings[d])
			src.LabelStart = append(src.LabelStart, labels)
			src.DocStart = append(src.DocStart, postings)
		}
	}
	return src, labels
}
