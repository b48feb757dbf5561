package postings

import (
	"context"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file makes lists. A builder goes through its documents and writes each posting to the place that it has in the
// list of its term. Frequent terms then get their bitmaps.

// lists are the lists of an index that are being written.
type lists struct {
	x       *Index
	docs    []uint32         // by posting
	escapes [][]escapedCount // by writer
}

// An escapedCount is a count that does not fit into a byte.
type escapedCount struct {
	at    uint64 // posting
	count uint32
}

// bitmapPostings is the number of postings of the terms whose bitmaps a worker makes at once.
const bitmapPostings = 1 << 18

// finish makes the bitmaps of frequent terms, and completes the column of values.
func (l *lists) finish(ctx context.Context, threads int) error {
	x, least := l.x, LongFrom(l.x.Documents())
	long := sort.Search(len(x.DocFreq), func(t int) bool { return x.DocFreq[t] < least })
	x.DenseAt = make([]uint64, long+1)
	chunks := pool.Split(long, bitmapPostings, 1, func(t int) int64 { return int64(x.DocFreq[t]) })
	dense := make([][]byte, len(chunks))
	err := pool.Run(ctx, threads, len(chunks), func(_, i int) error {
		for t := chunks[i].From; t < chunks[i].To; t++ {
			dense[i] = bitmap.Append(dense[i], l.docs[x.Start[t]:x.Start[t+1]])
			dense[i] = append(dense[i], make([]byte, -len(dense[i])&7)...)
			x.DenseAt[t+1] = uint64(len(dense[i])) // within the chunk so far
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, before := range chunks {
		for t := before.From; t < before.To; t++ {
			x.DenseAt[t+1] += uint64(len(x.Dense))
		}
		x.Dense = append(x.Dense, dense[i]...)
		dense[i] = nil
	}
	x.Flat = l.docs[x.Start[long]:]
	files.Discard(files.MemoryOf(l.docs[:x.Start[long]]))
	return l.finishValues(ctx, threads)
}

// finishValues rounds real values, and puts escaped counts into order.
func (l *lists) finishValues(ctx context.Context, threads int) error {
	v := &l.x.Values
	var inexact atomic.Bool
	err := pool.Ranges(ctx, threads, len(v.Double), func(from, to int) {
		for i, value := range v.Double[from:to] {
			single := float32(value)
			if v.Single[from+i] = single; float64(single) != value {
				inexact.Store(true)
			}
		}
	})
	if !inexact.Load() {
		v.Double = nil
	}
	all := slices.Concat(l.escapes...)
	sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at }) // few: smaller code than SortFunc
	for _, e := range all {
		v.EscapeAt, v.Escaped = append(v.EscapeAt, e.at), append(v.Escaped, e.count)
	}
	return err
}

// A span is the location of the postings of a document in the source.
type span struct {
	part, length uint32
	from         uint64
}

// locate sets the spans of all documents.
func (b *builder) locate(ctx context.Context) error {
	b.spans = make([]span, len(b.src.IDs))
	first := make([]int, len(b.src.Parts)+1)
	for i, p := range b.src.Parts {
		first[i+1] = first[i] + max(len(p.DocStart)-1, 0)
	}
	return pool.Run(ctx, b.threads, len(b.src.Parts), func(_, i int) error {
		start := b.src.Parts[i].DocStart
		for d := range first[i+1] - first[i] {
			b.spans[first[i]+d] = span{uint32(i), uint32(start[d+1] - start[d]), start[d]}
		}
		return nil
	})
}

// blockPostings is the number of postings that a worker counts between looks at the context.
const blockPostings = 1 << 20

// countTerms counts the documents of each term, in the order in which they lie in memory.
func (b *builder) countTerms(ctx context.Context) error {
	workers := b.workers(1)
	counts := make([][]uint32, workers)
	for i := range counts {
		counts[i] = make([]uint32, b.src.Dictionary.Len())
	}
	err := pool.Run(ctx, workers, len(b.src.Parts), func(worker, i int) error {
		df := counts[worker]
		for terms := range slices.Chunk(b.src.Parts[i].Terms, blockPostings) {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			for _, t := range terms {
				df[t]++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.df = counts[0]
	return b.inRanges(ctx, len(b.df), func(from, to int) {
		for _, own := range counts[1:] {
			for t, n := range own[from:to] {
				b.df[from+t] += n
			}
		}
	})
}

// workers returns the number of workers that have a number of so many words of four bytes for each term, which take no
// more than the postings together.
func (b *builder) workers(words int) int {
	return max(1, min(b.threads, int(b.postings)/(words*max(b.src.Dictionary.Len(), 1))))
}

// dropped is the place of postings of terms that are left out, or above.
const dropped = 1 << 62

// transpose makes the posting lists and the value column. Each worker has a part of the documents and, by term, the
// place of the next posting of these. If it is interrupted before it has used up the source, it can be run again.
func (b *builder) transpose(ctx context.Context) error {
	parts := pool.Split(len(b.spans), int64(b.postings)/int64(b.workers(2))+1, 1, func(d int) int64 { return int64(b.spans[b.x.Input[d]].length) })
	total, v := b.x.NumPostings(), &b.x.Values
	l := &lists{x: b.x, docs: make([]uint32, total), escapes: make([][]escapedCount, len(parts))}
	if b.isReal {
		v.Single, v.Double = make([]float32, total), make([]float64, total)
	} else {
		v.Counts = make([]uint8, total)
	}
	next := make([][]uint64, max(len(parts), 1))
	next[0] = slices.Repeat([]uint64{dropped}, b.src.Dictionary.Len())
	for t, id := range b.terms {
		next[0][id] = b.x.Start[t]
	}
	err := pool.Run(ctx, b.threads, len(next)-1, func(_, i int) error {
		next[i+1] = make([]uint64, len(next[0]))
		return b.eachDocument(ctx, parts[i], func(_ uint32, terms []uint32, _ *Columns, _ uint64) {
			for _, id := range terms {
				next[i+1][id]++
			}
		})
	})
	if err != nil {
		return err
	}
	for i := range next[1:] {
		for id, before := range next[i] {
			next[i+1][id] += before
		}
	}
	err = pool.Run(ctx, b.threads, len(parts), func(_, i int) error { return b.fill(ctx, l, i, parts[i], next[i]) })
	if err != nil {
		return err
	}
	b.spans = nil
	if b.opt.Consume {
		ctx = context.WithoutCancel(ctx)
		if err := b.discardSource(ctx); err != nil {
			return err
		}
	}
	return l.finish(ctx, b.threads)
}

// fill writes the postings of a part of the documents to their places.
func (b *builder) fill(ctx context.Context, l *lists, writer int, part pool.Range, next []uint64) error {
	docs, v := l.docs, &l.x.Values
	return b.eachDocument(ctx, part, func(doc uint32, terms []uint32, c *Columns, from uint64) {
		for i, id := range terms {
			at := next[id]
			if at >= dropped {
				continue
			}
			next[id], docs[at] = at+1, doc
			if b.isReal {
				v.Double[at] = c.Values[from+uint64(i)]
				continue
			}
			count := c.Counts[from+uint64(i)]
			if v.Counts[at] = uint8(min(count, Escape)); count >= Escape {
				l.escapes[writer] = append(l.escapes[writer], escapedCount{at, count})
			}
		}
	})
}

// eachDocument calls f with the documents of a part and their postings, which begin at a place in columns of the
// source.
func (b *builder) eachDocument(ctx context.Context, part pool.Range, f func(doc uint32, terms []uint32, c *Columns, from uint64)) error {
	for doc := part.From; doc < part.To; doc++ {
		if doc%256 == 0 && ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		if doc+1 < part.To {
			b.prefetch(doc + 1)
		}
		s := &b.spans[b.x.Input[doc]]
		c := &b.src.Parts[s.part]
		f(uint32(doc), c.Terms[s.from:][:s.length], c, s.from)
	}
	return nil
}

// prefetched is the number of postings that are asked for: the CPU foresees the ones behind
// them.
const prefetched = 64

// prefetch has the first postings of a document on their way while another one is worked on: those
// of a class lie here and there in memory.
func (b *builder) prefetch(doc int) {
	s := &b.spans[b.x.Input[doc]]
	c, n := &b.src.Parts[s.part], min(s.length, prefetched)
	kernels.Prefetch(c.Terms[s.from:][:n])
	if !b.isReal {
		kernels.Prefetch(c.Counts[s.from:][:n])
	}
}

// discardSource gives the memory of the source's postings back to the system, on all threads.
func (b *builder) discardSource(ctx context.Context) error {
	b.src.Columns = Columns{}
	return pool.Run(ctx, b.threads, len(b.src.Parts), func(_, i int) error {
		p := &b.src.Parts[i]
		files.Discard(files.MemoryOf(p.Terms))
		files.Discard(files.MemoryOf(p.Counts))
		files.Discard(files.MemoryOf(p.Values))
		*p = Columns{}
		return nil
	})
}
