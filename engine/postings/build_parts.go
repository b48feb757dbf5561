package postings

import (
	"context"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// This file cuts the documents of a build into parts and blocks for the workers, and
// counts the document frequencies of the terms.

// A part is a share of the documents that is processed by one worker at a time.
type part struct {
	blocks  []pool.Range // of documents
	df      []uint32     // by term number of the source
	from    []uint64     // by bucket: the offset of the first record, in bytes
	ends    [][]uint64   // by block and bucket: the offset after the last record
	escaped [][]uint32   // by bucket: the counts of 255 or more, in the order of the records

	// The postings of a batch of documents, concatenated.
	terms, counts []uint32
	values        []float64
}

// countTerms cuts the documents into parts and counts the document frequency of each
// term.
func (b *builder) countTerms(ctx context.Context) error {
	if err := b.cutDocuments(ctx); err != nil {
		return err
	}
	err := pool.Run(ctx, b.threads, len(b.parts), func(_, i int) error { // several goroutines clear the memory
		b.parts[i].df = make([]uint32, b.src.Dictionary.Len())
		return nil
	})
	if err != nil {
		return err
	}
	if len(b.parts) == 1 {
		b.df = b.parts[0].df
		return b.countInOrder(ctx)
	}
	err = b.eachBlock(ctx, func(p *part, _ int, docs []uint32) {
		for own := range b.batches(docs) {
			p.terms = appendPostings(b, p.terms[:0], termsOf, own)
			countOnce(p.df, p.terms)
		}
	})
	if err != nil {
		return err
	}
	b.df = make([]uint32, b.src.Dictionary.Len())
	return b.inRanges(ctx, len(b.df), func(from, to int) {
		sum := b.df[from:to]
		copy(sum, b.parts[0].df[from:to]) // new memory that is read first is mapped twice: 2.4 ms of 190 in a new process
		for _, p := range b.parts[1:] {
			for t, n := range p.df[from:to] {
				sum[t] += n
			}
		}
	})
}

// countInOrder counts the document frequencies in the order of the source, which takes
// 1.0 ns per posting instead of 2.0.
func (b *builder) countInOrder(ctx context.Context) error {
	for _, p := range b.src.Parts {
		for terms := range slices.Chunk(p.Terms, blockPostings) {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			countOnce(b.df, terms)
		}
	}
	return nil
}

// countOnce adds 1 to the frequency of every term in terms.
func countOnce(df, terms []uint32) {
	for _, t := range terms {
		df[t]++
	}
}

// batches yields docs in runs of about batchPostings postings.
func (b *builder) batches(docs []uint32) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		first, postings := 0, uint64(0)
		for i, d := range docs {
			postings += uint64(b.spans[d].length)
			if postings >= batchPostings || i == len(docs)-1 {
				if !yield(docs[first : i+1]) {
					return
				}
				first, postings = i+1, 0
			}
		}
	}
}

// appendPostings appends the postings that documents have in a column of the source.
// Documents grouped by class are scattered over the source. The copies of several
// documents overlap their cache misses, whereas a loop over the postings waits for each
// miss: counting included, 2.0 ns per posting against 3.5 without copies.
func appendPostings[T any](b *builder, dst []T, column func(*Columns) []T, docs []uint32) []T {
	for _, d := range docs {
		at := &b.spans[d]
		dst = append(dst, column(&b.src.Parts[at.part])[at.from:][:at.length]...)
	}
	return dst
}

func termsOf(c *Columns) []uint32   { return c.Terms }
func countsOf(c *Columns) []uint32  { return c.Counts }
func valuesOf(c *Columns) []float64 { return c.Values }

// A span is the location of the postings of a document in the source.
type span struct {
	part, length uint32
	from         uint64
}

// span locates the postings of all documents.
func (b *builder) span(ctx context.Context) error {
	b.spans = make([]span, len(b.src.IDs))
	type piece struct {
		pool.Range // of the documents of a part of the source
		part       int
		first      int // document of the source: the first of the part
	}
	var pieces []piece
	first := 0
	for i, p := range b.src.Parts {
		n := max(len(p.DocStart)-1, 0)
		for from := 0; from < n; from += rangeItems {
			pieces = append(pieces, piece{pool.Range{From: from, To: min(from+rangeItems, n)}, i, first})
		}
		first += n
	}
	return pool.Run(ctx, b.threads, len(pieces), func(_, i int) error {
		c := pieces[i]
		start := b.src.Parts[c.part].DocStart
		for d := c.From; d < c.To; d++ {
			b.spans[c.first+d] = span{uint32(c.part), uint32(start[d+1] - start[d]), start[d]}
		}
		return nil
	})
}

// lengths returns the numbers of postings of the documents in their order.
func (b *builder) lengths(ctx context.Context) ([]uint32, error) {
	lengths := make([]uint32, len(b.x.Input))
	return lengths, b.inRanges(ctx, len(lengths), func(from, to int) {
		for i, d := range b.x.Input[from:to] {
			lengths[from+i] = b.spans[d].length
		}
	})
}

// cutDocuments cuts the documents, in their order, into parts with about equal numbers
// of postings, and the parts into blocks.
func (b *builder) cutDocuments(ctx context.Context) error {
	lengths, err := b.lengths(ctx)
	if err != nil {
		return err
	}
	b.parts = make([]part, b.wantedParts())
	total, parts := b.postings, uint64(len(b.parts))
	target := min(blockPostings, total/(8*parts)+1)
	var block pool.Range
	before, postings := uint64(0), uint64(0) // postings before the block, and in it
	return b.inOrder(ctx, len(lengths), func(from, to int) {
		for i, n := range lengths[from:to] {
			postings += uint64(n)
			block.To = from + i + 1
			if postings >= target || block.To-block.From == 1<<docBits || block.To == len(b.x.Input) {
				p := &b.parts[before*parts/(total+1)]
				p.blocks = append(p.blocks, block)
				block.From = block.To
				before, postings = before+postings, 0
			}
		}
	})
}

// wantedParts returns the number of parts: one for a single worker, otherwise up to
// four per worker, so that a slow part delays the others little: with a part for each of 16
// workers, 60 of the 374 ms of building L were spent waiting for the slowest. Each part costs one
// count per term. All parts together take at most 4 bytes per posting, or a quarter of
// that if it allows at least one part per worker.
func (b *builder) wantedParts() int {
	if b.threads == 1 {
		return 1
	}
	perTerm := int(b.postings) / max(b.src.Dictionary.Len(), 1)
	each := min(max(perTerm/(4*b.threads), 1), 4)
	return max(min(b.threads*each, perTerm), 1)
}

// eachBlock calls f for every block. The blocks of a part come one after the other, the
// parts run on all workers.
func (b *builder) eachBlock(ctx context.Context, f func(p *part, block int, docs []uint32)) error {
	return pool.Run(ctx, b.threads, len(b.parts), func(_, i int) error {
		p := &b.parts[i]
		for n, block := range p.blocks {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			f(p, n, b.x.Input[block.From:block.To])
		}
		return nil
	})
}
