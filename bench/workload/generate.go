package workload

import (
	"context"
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
	l := newLaw(p)
	number := l.shuffled()
	blocks := make([]block, p.blocks())
	counters := make([]counter, min(pool.Threads(threads), len(blocks)))
	err := pool.Run(ctx, threads, len(blocks), func(worker, i int) error {
		if c := &counters[worker]; c.times == nil {
			*c = counter{number: number, times: make([]uint32, l.Terms)}
		}
		blocks[i] = l.block(i, &counters[worker])
		return nil
	})
	all := 0
	for _, b := range blocks {
		all += len(b.terms)
	}
	src := postings.Source{
		IDs: names("d", p.Documents, documentDigits), Classes: names("c", p.Classes, classDigits), Names: names("t", p.Terms, 6),
		LabelStart: make([]uint32, 1, p.Documents+1),
		Columns: postings.Columns{
			DocStart: make([]uint64, 1, p.Documents+1), Terms: make([]uint32, 0, all), Counts: make([]uint32, 0, all),
		},
	}
	for i, b := range blocks {
		for d := range b.labelEnd {
			src.LabelStart = append(src.LabelStart, uint32(len(src.Labels))+b.labelEnd[d])
			src.DocStart = append(src.DocStart, uint64(len(src.Terms))+uint64(b.termEnd[d]))
		}
		src.Labels, src.Terms, src.Counts = append(src.Labels, b.labels...), append(src.Terms, b.terms...), append(src.Counts, b.counts...)
		blocks[i] = block{} // which is copied
	}
	return src, err
}

// A block is a run of documents.
type block struct {
	labels, terms, counts []uint32
	labelEnd, termEnd     []uint32 // of each document
}

// block makes block i.
func (l *law) block(i int, c *counter) (b block) {
	s := newStream(l.Seed, uint64(i)+1)
	var ranks []uint32
	for range l.documentsOf(i) {
		b.labels, ranks = l.document(s, b.labels, ranks[:0])
		b.terms, b.counts = c.count(ranks, b.terms, b.counts)
		b.labelEnd, b.termEnd = append(b.labelEnd, uint32(len(b.labels))), append(b.termEnd, uint32(len(b.terms)))
	}
	return b
}

// A counter makes the terms of a document of its tokens.
type counter struct {
	number []uint32 // rank -> number of the term
	times  []uint32 // that the term occurs in the document at hand, else 0
}

// count appends the terms with these ranks, ascending by number, and how often
// each of them occurs.
func (c *counter) count(ranks, terms, counts []uint32) (_, _ []uint32) {
	from := len(terms)
	for _, rank := range ranks {
		t := c.number[rank]
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
