package postings

import (
	"context"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file allocates the lists of an index whose terms are numbered, cuts the terms
// into buckets for the workers, and concatenates the results of the workers.

const (
	// bucketPostings bounds a bucket of several terms, whose lists then take a
	// megabyte. Half or twice as many postings change the time by 3 %. If that would
	// make more than about mostBuckets buckets, they are larger.
	bucketPostings = 1 << 18
	mostBuckets    = 1 << 13
)

// A bucket is a range of terms of the index, with the lists that are made of it.
type bucket struct {
	first, last int    // terms [first, last)
	long        bool   // whether the lists are encoded as bitmaps
	dense       []byte // the bitmaps
	escapes     []escapedCount
	exact       bool // whether float32 holds all values exactly
}

// An escapedCount is a count that does not fit into a byte.
type escapedCount struct {
	at    uint64 // posting
	count uint32
}

// sortEscapes sorts counts, of which there are few, by posting. slices.SortFunc would compile
// one more sort, 15 KB of every library and program.
func sortEscapes(escapes []escapedCount) {
	sort.Slice(escapes, func(i, j int) bool { return escapes[i].at < escapes[j].at })
}

// cutLists cuts the terms into buckets. The lists of the terms [0, long) are to be
// encoded as bitmaps.
func (x *Index) cutLists(ctx context.Context) (buckets []bucket, long int, err error) {
	bound := LongFrom(x.Documents())
	most := max(bucketPostings, x.Start[len(x.DocFreq)]/mostBuckets)
	last := &bucket{}
	err = pool.Ranges(ctx, 1, len(x.DocFreq), func(from, to int) {
		for term := from; term < to; term++ {
			isLong := x.DocFreq[term] >= bound
			n := term - last.first
			if term == 0 || last.long != isLong || n == 1<<termBits || x.Start[term+1]-x.Start[last.first] > most {
				buckets = append(buckets, bucket{first: term, long: isLong})
				last = &buckets[len(buckets)-1]
			}
			last.last = term + 1
			if isLong {
				long = term + 1
			}
		}
	})
	return buckets, long, err
}

// makeLists allocates the lists and the value column.
func (x *Index) makeLists(isReal bool, long int) {
	total := x.Start[len(x.DocFreq)]
	if isReal {
		x.Values.Single, x.Values.Double = make([]float32, total), make([]float64, total)
	} else {
		x.Values.Counts = make([]uint8, total)
	}
	x.Flat = make([]uint32, total-x.Start[long])
	x.DenseAt = make([]uint64, long+1)
}

// appendBitmaps appends the bitmaps of a bucket, whose documents are docs, to dst, and
// records in DenseAt where each ends.
func (x *Index) appendBitmaps(dst []byte, u *bucket, docs []uint32) []byte {
	base := x.Start[u.first]
	for term := u.first; term < u.last; term++ {
		dst = bitmap.Append(dst, docs[x.Start[term]-base:x.Start[term+1]-base])
		for len(dst)%8 != 0 {
			dst = append(dst, 0)
		}
		x.DenseAt[term+1] = uint64(len(dst)) // within the bucket, until joinLists
	}
	return dst
}

// round writes values to dst as float32 and reports whether all of them are exact.
func round(dst []float32, values []float64) bool {
	exact := true
	for i, v := range values {
		dst[i] = float32(v)
		exact = exact && float64(dst[i]) == v
	}
	return exact
}

// joinLists concatenates the bitmaps and the escaped counts of the buckets.
func (x *Index) joinLists(ctx context.Context, threads int, buckets []bucket) error {
	size, escapes, exact := 0, 0, true
	for _, u := range buckets {
		size += len(u.dense)
		escapes += len(u.escapes)
		exact = exact && u.exact
	}
	if exact {
		x.Values.Double = nil
	}
	if escapes > 0 {
		x.Values.EscapeAt, x.Values.Escaped = make([]uint64, 0, escapes), make([]uint32, 0, escapes)
	}
	before := uint64(0)
	for _, u := range buckets {
		for _, e := range u.escapes {
			x.Values.EscapeAt, x.Values.Escaped = append(x.Values.EscapeAt, e.at), append(x.Values.Escaped, e.count)
		}
		if u.long {
			for term := u.first; term < u.last; term++ {
				x.DenseAt[term+1] += before
			}
		}
		before += uint64(len(u.dense))
	}
	x.Dense = make([]byte, size)
	return pool.Run(ctx, threads, len(buckets), func(_, k int) error {
		if u := &buckets[k]; u.long {
			copy(x.Dense[x.DenseAt[u.first]:], u.dense)
			u.dense = nil
		}
		return nil
	})
}
