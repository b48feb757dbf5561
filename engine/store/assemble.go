package store

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// assemble makes the lists and the column of an index, whose terms are numbered, from
// lists that are there already: write hands those of a term to the writer.
func (x *Index) assemble(ctx context.Context, threads int, isReal bool, write func(term int, w *listWriter)) error {
	x.setStarts()
	buckets, long, err := x.cutLists(ctx)
	if err != nil {
		return err
	}
	x.makeLists(isReal, long)
	writers := make([]listWriter, threads)
	err = pool.Run(ctx, threads, len(buckets), func(worker, k int) error {
		writers[worker].x = x
		writers[worker].fill(&buckets[k], write)
		return nil
	})
	if err != nil {
		return err
	}
	return x.joinLists(ctx, threads, buckets)
}

// A listWriter writes the lists of one bucket after another.
type listWriter struct {
	x        *Index
	u        *bucket
	docs     []uint32 // of the bucket
	at       uint64   // the next posting
	scratch  []uint32 // memory of docs, where they become bitmaps
	postings Postings // of an index that is read
	values   []float64
}

func (w *listWriter) fill(u *bucket, write func(term int, w *listWriter)) {
	x := w.x
	base, end := x.start[u.first], x.start[u.last]
	w.u, w.at = u, base
	if u.long {
		w.scratch = slices.Grow(w.scratch[:0], int(end-base))
		w.docs = w.scratch[:end-base]
	} else {
		first := x.start[x.numDense()]
		w.docs = x.flat[base-first : end-first]
	}
	for term := u.first; term < u.last; term++ {
		write(term, w)
	}
	if x.tf.real() {
		u.exact = round(x.tf.single[base:end], x.tf.double[base:end])
	}
	if u.long {
		u.dense = x.appendBitmaps(make([]byte, 0, 3*len(w.docs)), u, w.docs)
	}
}

// next gives the places of the next n documents.
func (w *listWriter) next(n int) (docs []uint32, from, to uint64) {
	from, to = w.at, w.at+uint64(n)
	base := w.x.start[w.u.first]
	w.at = to
	return w.docs[from-base : to-base], from, to
}

// filter writes what a renumbering keeps of the list of a term, n documents.
func (w *listWriter) filter(r renumbering, x *Index, term, n int) {
	x.ReadDocs(term, &w.postings)
	docs, from, to := w.next(n)
	read := x.start[term]
	if x.Real() {
		w.filterValues(r, x, term, docs, from, to)
		return
	}
	filter(r, w.postings.Docs, x.tf.counts[read:x.start[term+1]], docs, w.x.tf.counts[from:to])
	for i := x.tf.escapesFrom(read); i < len(x.tf.escapeAt) && x.tf.escapeAt[i] < x.start[term+1]; i++ {
		if number, kept := r.number(w.postings.Docs[x.tf.escapeAt[i]-read]); kept == 1 {
			place, _ := slices.BinarySearch(docs, number)
			w.escape(from+uint64(place), x.tf.escaped[i])
		}
	}
}

// filterValues is filter for real values, which become counts where the index has
// these.
func (w *listWriter) filterValues(r renumbering, x *Index, term int, docs []uint32, from, to uint64) {
	p := &w.postings
	p.TF = x.tf.read(x.start[term], x.start[term+1], p.TF)
	if w.x.tf.real() {
		filter(r, p.Docs, p.TF, docs, w.x.tf.double[from:to])
		return
	}
	w.values = slices.Grow(w.values[:0], len(docs))[:len(docs)]
	filter(r, p.Docs, p.TF, docs, w.values)
	for i, v := range w.values {
		count := uint32(v)
		w.x.tf.counts[from+uint64(i)] = uint8(min(count, escape))
		if count >= escape {
			w.escape(from+uint64(i), count)
		}
	}
}

func (w *listWriter) escape(at uint64, count uint32) {
	w.u.escapes = append(w.u.escapes, escapedCount{at, count})
}
