package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/pool"
)

// SubsetOptions say how a part of an index is made. The zero value makes what
// [Build] would make of the documents.
type SubsetOptions struct {
	// KeepClasses keeps the classes that no document of the subset has.
	KeepClasses bool
	Meta        json.RawMessage
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The subset does not depend
	// on it.
	Threads int
}

// Subset makes the index of some of the documents, as if [Build] had seen no others:
// terms that none of them has are gone, the others are in the order of their
// frequencies there, and real values become counts where those that are left are
// whole numbers. Terms that were pruned from the index stay away from the subset.
//
// One pass over the lists counts what is left of them, which gives the order of the
// terms; a second filters each to its place, for documents keep their order. Beside the
// two indexes that takes 24 bytes a term and half a byte a document.
func (x *Index) Subset(ctx context.Context, docs *roaring.Bitmap, opt SubsetOptions) (*Index, error) {
	if !docs.IsEmpty() && uint64(docs.Maximum()) >= uint64(x.Documents()) {
		return nil, fmt.Errorf("store: document %d of %d cannot be in a subset", docs.Maximum(), x.Documents())
	}
	s := subsetting{
		from: x, opt: opt, threads: pool.Threads(opt.Threads), docs: docs.ToArray(),
		number: newRenumbering(docs, x.Documents()), x: &Index{Meta: opt.Meta, Pruned: x.Pruned},
	}
	err := pool.Stage(ctx, "subset", func(ctx context.Context) error {
		return inTurn(ctx, s.settle, s.keepDocuments, s.countLists, s.orderTerms, s.filterLists)
	})
	if err != nil {
		return nil, err
	}
	return s.x, nil
}

type subsetting struct {
	from    *Index
	docs    []uint32 // of from, ascending
	number  renumbering
	opt     SubsetOptions
	threads int
	x       *Index

	chunks []pool.Range // of the terms of from
	df     []uint32     // by term of from: documents of the subset
	isReal bool
	terms  []uint32 // term number of the subset -> of from
}

func (s *subsetting) settle(ctx context.Context) error { return s.from.settle(ctx, s.threads) }

// keepDocuments fills the columns of the documents.
func (s *subsetting) keepDocuments(ctx context.Context) (err error) {
	x, from := s.x, s.from
	class := s.keepClasses()
	x.labelStart = make([]uint32, 1, len(s.docs)+1)
	err = forRanges(ctx, 1, len(s.docs), func(first, to int) {
		for _, d := range s.docs[first:to] {
			own := from.Labels(int(d))
			for _, c := range own {
				x.labels = append(x.labels, class[c])
			}
			x.labelStart = append(x.labelStart, uint32(len(x.labels)))
			x.multi = x.multi || len(own) > 1
		}
	})
	if err != nil {
		return err
	}
	x.input = make([]uint32, len(s.docs))
	place := uint32(0)
	order, err := from.InputOrder()
	if err != nil {
		return err
	}
	for _, d := range order {
		if number, kept := s.number.number(d); kept == 1 {
			x.input[number] = place
			place++
		}
	}
	ids, err := from.DocumentIDs()
	if err != nil {
		return err
	}
	x.ids, err = makeDictionary(ctx, s.threads, len(s.docs), func(i int) string { return ids.Term(int(s.docs[i])) })
	return err
}

// keepClasses fills the classes and gives the new number of each old one.
func (s *subsetting) keepClasses() []uint32 {
	used := make([]bool, len(s.from.Classes))
	for _, d := range s.docs {
		for _, c := range s.from.Labels(int(d)) {
			used[c] = true
		}
	}
	class := make([]uint32, len(used))
	for c, name := range s.from.Classes {
		class[c] = uint32(len(s.x.Classes))
		if used[c] || s.opt.KeepClasses {
			s.x.Classes = append(s.x.Classes, name)
		}
	}
	return class
}

// countLists counts the documents of every term, and finds out whether real values are
// left.
func (s *subsetting) countLists(ctx context.Context) error {
	x, chunks := s.from, s.from.chunks()
	s.chunks = chunks
	s.df = make([]uint32, len(x.df))
	postings, isReal := make([]Postings, s.threads), make([]bool, s.threads)
	err := s.from.Run(ctx, s.threads, len(chunks), func(worker, chunk int) error {
		p := &postings[worker]
		for t := chunks[chunk].From; t < chunks[chunk].To; t++ {
			x.readDocs(t, p)
			s.df[t] = s.number.count(p.Docs)
			if x.Real() && !isReal[worker] {
				p.TF = x.tf.read(x.start[t], x.start[t+1], p.TF)
				isReal[worker] = s.keepsReal(p)
			}
		}
		return nil
	})
	s.isReal = slices.Contains(isReal, true)
	return err
}

// keepsReal says that a value of the subset is none that [Source] has as a count.
func (s *subsetting) keepsReal(p *Postings) bool {
	for i, v := range p.TF {
		if _, kept := s.number.number(p.Docs[i]); kept == 1 && (v < 1 || v > math.MaxUint32 || v != math.Trunc(v)) {
			return true
		}
	}
	return false
}

// orderTerms numbers the terms that are left.
func (s *subsetting) orderTerms(ctx context.Context) error {
	left, df := make([]uint32, 0, len(s.df)), make([]uint32, 0, len(s.df))
	for _, t := range s.from.Terms.Sorted() {
		if s.df[t] > 0 {
			left, df = append(left, t), append(df, s.df[t])
		}
	}
	places, sorted, err := s.x.numberTerms(ctx, df)
	if err != nil {
		return err
	}
	s.terms = places
	for i, place := range places {
		s.terms[i] = left[place]
	}
	return s.x.nameTerms(ctx, s.threads, sorted, func(term int) string { return s.from.Terms.Term(int(s.terms[term])) })
}

// filterLists puts what is left of the lists to their places: the long ones in the
// order of the subset, for they are encoded together, the others in that of the index.
// Their places are not in that order, but a processor waits less for writes than for
// reads: all takes 15 % less time than where they are read in the order of the subset.
func (s *subsetting) filterLists(ctx context.Context) error {
	x := s.x
	buckets, err := x.layOut(ctx, s.isReal)
	if err != nil {
		return err
	}
	long := slices.IndexFunc(append(buckets, bucket{}), func(u bucket) bool { return !u.long })
	err = x.fillLists(ctx, []*Index{s.from}, s.threads, buckets[:long], func(term int, w *listWriter) {
		docs, at := w.take(int(x.df[term]))
		w.filter(s.number, s.from, int(s.terms[term]), docs, at)
	})
	if err != nil {
		return err
	}
	escapes, err := s.filterShort(ctx)
	if err != nil {
		return err
	}
	rest := bucket{first: len(x.df), last: len(x.df), escapes: escapes, exact: true}
	if x.tf.real() {
		rest.exact = round(x.tf.single[x.firstFlat():], x.tf.double[x.firstFlat():])
	}
	return x.joinLists(ctx, s.threads, append(buckets[:long], rest))
}

// filterShort writes the short lists and gives the large counts in them.
func (s *subsetting) filterShort(ctx context.Context) ([]escapedCount, error) {
	x, chunks := s.x, s.chunks
	number := slices.Repeat([]uint32{dropped}, len(s.from.df))
	for term, t := range s.terms[x.numDense():] {
		number[t] = uint32(x.numDense() + term)
	}
	writers := make([]listWriter, s.threads)
	err := s.from.Run(ctx, s.threads, len(chunks), func(worker, chunk int) error {
		w := &writers[worker]
		w.x = x
		for t := chunks[chunk].From; t < chunks[chunk].To; t++ {
			if term := number[t]; term != dropped {
				at, end := x.start[term], x.start[term+1]
				w.filter(s.number, s.from, t, x.flat[at-x.firstFlat():end-x.firstFlat()], at)
			}
		}
		return nil
	})
	var escapes []escapedCount
	for _, w := range writers {
		escapes = append(escapes, w.escapes...)
	}
	slices.SortFunc(escapes, func(i, j escapedCount) int { return cmp.Compare(i.at, j.at) })
	return escapes, err
}
