package postings

import (
	"context"
	"math/bits"

	"github.com/termsift/termsift/engine/pool"
)

// A Forward lists the terms of each document of an index. It is immutable and safe for
// concurrent use, and takes 4 bytes per posting and 8 per document.
type Forward struct {
	start []uint64 // documents+1
	terms []uint32
}

// Documents returns the number of documents.
func (f *Forward) Documents() int { return len(f.start) - 1 }

// Len returns the number of (document, term) pairs.
func (f *Forward) Len() int { return len(f.terms) }

// Terms returns the numbers of a document's distinct terms, ascending. The slice must
// not be modified.
func (f *Forward) Terms(doc int) []uint32 { return f.terms[f.start[doc]:f.start[doc+1]] }

const (
	// forwardPostings is about the number of postings in a bucket of documents: its
	// terms are placed within a megabyte.
	forwardPostings = 1 << 18
	// forwardBuckets bounds the number of buckets. Each is two streams that are written
	// at the same time.
	forwardBuckets = 1 << 9
	// forwardShift is the number of bits of a document's number within its bucket.
	forwardShift = 16
	// forwardParts is the number of parts into which terms are cut for the workers. It
	// does not depend on their number.
	forwardParts = 1 << 6
)

// Forward returns the terms of each document. It transposes the lists. The index does not keep the result, which is as large
// as the lists; callers keep it as long as they need it.
//
// The lists are transposed in two passes, as when they were made (build_transpose.go).
// The first goes over the terms and appends each posting to the bucket of its document.
// The second moves the terms of each bucket to the places of their documents. Each part
// of the terms has its own range in every bucket, in the order of the parts, so that
// the terms of a document ascend and the result does not depend on the number of
// threads.
func (x *Index) Forward(ctx context.Context, threads int) (*Forward, error) {
	f := &Forward{start: make([]uint64, x.Documents()+1), terms: make([]uint32, x.NumPostings())}
	n := uint64(len(f.terms))
	b := forwarding{Forward: f, x: x, low: make([]uint16, n), shift: forwardBits(x.Documents(), n)}
	b.parts = pool.Split(x.Terms.Len(), int64(n/forwardParts)+TermCost, 1, func(t int) int64 { return int64(x.DocFreq[t]) })
	b.places = make([][]uint64, len(b.parts))
	for _, step := range []func(context.Context, int) error{b.count, b.distribute, b.collect} {
		if err := step(ctx, threads); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// forwardBits returns the base-2 logarithm of the number of documents in a bucket.
func forwardBits(documents int, postings uint64) int {
	buckets := min(max(postings/forwardPostings, 1), forwardBuckets)
	return min(bits.Len64(uint64(documents)/buckets), forwardShift)
}

// A forwarding is the state of the two passes. The postings of a bucket occupy the
// range in terms and low that its documents have in the result.
type forwarding struct {
	*Forward
	x      *Index
	shift  int
	parts  []pool.Range // of terms
	places [][]uint64   // part, bucket -> the number of its postings, later where they begin
	first  []uint64     // bucket -> its first posting; and the end
	low    []uint16     // posting -> document within the bucket
}

func (b *forwarding) buckets() int { return b.Documents()>>b.shift + 1 }

// count counts the postings of every part in every bucket and assigns their places.
func (b *forwarding) count(ctx context.Context, threads int) error {
	readers := make([]List, pool.Threads(threads))
	err := b.x.Run(ctx, threads, len(b.parts), func(worker, part int) error {
		if err := b.x.Ready(b.parts[part], false); err != nil {
			return err
		}
		counts := make([]uint64, b.buckets())
		for t := b.parts[part].From; t < b.parts[part].To; t++ {
			b.x.Decode(t, &readers[worker])
			for _, d := range readers[worker].Docs {
				counts[d>>b.shift]++
			}
		}
		b.places[part] = counts
		return nil
	})
	b.first = make([]uint64, 0, b.buckets()+1)
	next := uint64(0)
	for k := range b.buckets() {
		b.first = append(b.first, next)
		for _, places := range b.places {
			if places != nil { // nil for a part that was not counted, see err
				places[k], next = next, next+places[k]
			}
		}
	}
	b.first = append(b.first, next)
	return err
}

// distribute runs the first pass.
func (b *forwarding) distribute(ctx context.Context, threads int) error {
	readers := make([]List, pool.Threads(threads))
	return b.x.Run(ctx, threads, len(b.parts), func(worker, part int) error {
		places, terms, low, shift := b.places[part], b.terms, b.low, b.shift
		for t := b.parts[part].From; t < b.parts[part].To; t++ {
			b.x.Decode(t, &readers[worker])
			for _, d := range readers[worker].Docs {
				bucket := d >> shift
				at := places[bucket]
				places[bucket] = at + 1
				terms[at], low[at] = uint32(t), uint16(d-bucket<<shift)
			}
		}
		return nil
	})
}

// collect runs the second pass.
func (b *forwarding) collect(ctx context.Context, threads int) error {
	copies := make([][]uint32, pool.Threads(threads))
	return pool.Run(ctx, threads, b.buckets(), func(worker, bucket int) error {
		from, to := b.first[bucket], b.first[bucket+1]
		first := bucket << b.shift
		next := b.start[first:min(first+1<<b.shift, b.Documents())]
		low := b.low[from:to]
		for _, d := range low {
			next[d]++
		}
		place := from
		for i, n := range next {
			next[i], place = place, place+n
		}
		copies[worker] = append(copies[worker][:0], b.terms[from:to]...)
		for i, t := range copies[worker] {
			at := &next[low[i]]
			b.terms[*at] = t
			*at++
		}
		// Each start has advanced to the end of its document, which is the start of the
		// next.
		copy(next[min(1, len(next)):], next)
		if len(next) > 0 {
			next[0] = from
		}
		if bucket == b.buckets()-1 {
			b.start[b.Documents()] = to
		}
		return nil
	})
}
