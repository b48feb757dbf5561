package postings

import (
	"context"
	"slices"
	"sort"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// This file allocates the lists of an index whose terms are numbered, cuts the terms
// into buckets for the workers, writes the lists from those of existing indexes, and concatenates
// the results of the workers.

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

// layOut allocates the lists and the value column and returns the buckets of terms.
func (x *Index) layOut(ctx context.Context, isReal bool) ([]bucket, error) {
	x.setStarts()
	buckets, long, err := x.cutLists(ctx)
	if err == nil {
		x.makeLists(isReal, long)
	}
	return buckets, err
}

// fillLists writes the lists of the buckets, on several workers. It calls write once
// per term; write reads the list of the term from one of the indexes in from and passes
// it to the listWriter.
func (x *Index) fillLists(ctx context.Context, from []*Index, threads int, buckets []bucket, write func(term int, w *listWriter)) error {
	writers := make([]listWriter, threads)
	return RunOver(ctx, from, threads, len(buckets), func(worker, k int) error {
		w, u := &writers[worker], &buckets[k]
		w.x, w.escapes = x, nil
		w.fill(u, write)
		u.escapes = w.escapes
		return nil
	})
}

// A listWriter is the state of one worker that writes lists.
type listWriter struct {
	x        *Index
	docs     []uint32 // the unused rest of the current bucket's room
	at       uint64   // the next posting of the bucket
	escapes  []escapedCount
	scratch  []uint32 // documents of lists that are encoded as bitmaps
	postings List     // of the index that is read
	values   []float64
}

// fill writes the lists of a bucket and encodes them as bitmaps if they are long.
func (w *listWriter) fill(u *bucket, write func(term int, w *listWriter)) {
	x := w.x
	base, end := x.Start[u.first], x.Start[u.last]
	w.at = base
	if u.long {
		w.scratch = slices.Grow(w.scratch[:0], int(end-base))
		w.docs = w.scratch[:end-base]
	} else {
		w.docs = x.Flat[base-x.FirstFlat() : end-x.FirstFlat()]
	}
	for term := u.first; term < u.last; term++ {
		write(term, w)
	}
	if x.Values.real() {
		u.exact = round(x.Values.Single[base:end], x.Values.Double[base:end])
	}
	if u.long {
		u.dense = x.appendBitmaps(make([]byte, 0, 3*(end-base)), u, w.scratch[:end-base])
	}
}

// FirstFlat returns the first posting of the lists that are not bitmaps.
func (x *Memory) FirstFlat() uint64 { return x.Start[x.FirstShort()] }

// take reserves room for the next n documents. It returns that room and the number of
// its first posting.
func (w *listWriter) take(n int) (docs []uint32, at uint64) {
	docs, at = w.docs[:n], w.at
	w.docs, w.at = w.docs[n:], w.at+uint64(n)
	return docs, at
}

// filter writes the documents of a term's list that a renumbering keeps to docs, and
// their values to the column from posting at on.
func (w *listWriter) filter(r renumbering, x *Index, term int, docs []uint32, at uint64) {
	x.Decode(term, &w.postings)
	all := w.postings.Docs
	from, to, end := x.Start[term], x.Start[term+1], at+uint64(len(docs))
	if x.Real() {
		w.values = x.Values.Read(from, to, w.values)
		w.filterValues(r, docs, at)
		return
	}
	filter(r, all, x.Values.Counts[from:to], docs, w.x.Values.Counts[at:end])
	for i := x.Values.EscapesFrom(from); i < len(x.Values.EscapeAt) && x.Values.EscapeAt[i] < to; i++ {
		if number, kept := r.number(all[x.Values.EscapeAt[i]-from]); kept == 1 {
			place, _ := slices.BinarySearch(docs, number)
			w.escapes = append(w.escapes, escapedCount{at + uint64(place), x.Values.Escaped[i]})
		}
	}
}

// filterValues is filter for real values. It converts them to counts if the index that
// is written has counts.
func (w *listWriter) filterValues(r renumbering, docs []uint32, at uint64) {
	all := w.postings.Docs
	if w.x.Values.real() {
		filter(r, all, w.values, docs, w.x.Values.Double[at:at+uint64(len(docs))])
		return
	}
	w.postings.TF = slices.Grow(w.postings.TF[:0], len(docs))[:len(docs)]
	filter(r, all, w.values, docs, w.postings.TF)
	for i, v := range w.postings.TF {
		count := uint32(v)
		w.x.Values.Counts[at+uint64(i)] = uint8(min(count, Escape))
		if count >= Escape {
			w.escapes = append(w.escapes, escapedCount{at + uint64(i), count})
		}
	}
}

// copy writes the list of a term of another index, with shift added to its document
// numbers.
func (w *listWriter) copy(x *Index, term int, shift uint32) {
	x.Decode(term, &w.postings)
	docs, at := w.take(len(w.postings.Docs))
	for i, d := range w.postings.Docs {
		docs[i] = d + shift
	}
	from, to, end := x.Start[term], x.Start[term+1], at+uint64(len(docs))
	if w.x.Values.real() {
		x.Values.Read(from, to, w.x.Values.Double[at:at:end])
		return
	}
	copy(w.x.Values.Counts[at:end], x.Values.Counts[from:to])
	for i := x.Values.EscapesFrom(from); i < len(x.Values.EscapeAt) && x.Values.EscapeAt[i] < to; i++ {
		w.escapes = append(w.escapes, escapedCount{at + x.Values.EscapeAt[i] - from, x.Values.Escaped[i]})
	}
}
