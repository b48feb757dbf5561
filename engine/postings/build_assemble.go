package postings

import (
	"context"
	"slices"
)

// This file writes the lists of an index whose terms are already numbered from the
// lists of existing indexes.

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
