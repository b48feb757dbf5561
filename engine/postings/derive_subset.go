package postings

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// SubsetOptions are the options of [Index.Subset]. The zero value gives the index that
// [Build] would make of the documents.
type SubsetOptions struct {
	// KeepClasses keeps classes without a document in the subset.
	KeepClasses bool
	Meta        json.RawMessage
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The subset does not depend
	// on it.
	Threads int
}

// Subset returns the index of some of the documents, as if [Build] had seen no others:
// terms without a document in the subset are dropped, the others are ordered by their
// frequencies in the subset, and real values become counts if all that remain are whole
// numbers. Terms that were pruned from the index are missing from the subset too.
//
// A first pass over the lists counts what remains of each, which determines the order
// of the terms. A second pass filters each list to its place; documents keep their
// order.
func (x *Index) Subset(ctx context.Context, docs *roaring.Bitmap, opt SubsetOptions) (*Index, error) {
	if !docs.IsEmpty() && uint64(docs.Maximum()) >= uint64(x.Documents()) {
		return nil, fmt.Errorf("postings: document %d of %d cannot be in a subset", docs.Maximum(), x.Documents())
	}
	s := subsetting{
		from: x, opt: opt, threads: pool.Threads(opt.Threads), docs: docs.ToArray(),
		number: newRenumbering(docs, x.Documents()), x: New(Memory{Meta: opt.Meta, Pruned: x.Pruned}, nil, nil),
	}
	err := pool.Stage(ctx, "subset", func(ctx context.Context) error {
		return x.use(func() error {
			return pool.InTurn(ctx, s.settle, s.keepDocuments, s.countLists, s.orderTerms, s.filterLists)
		})
	})
	if err != nil {
		return nil, err
	}
	return s.x, nil
}

type subsetting struct {
	from    *Index
	docs    []uint32 // documents of from, ascending
	number  renumbering
	opt     SubsetOptions
	threads int
	x       *Index

	df     []uint32 // by term of from: number of documents in the subset
	isReal bool
	terms  []uint32 // term number of the subset -> of from
}

func (s *subsetting) settle(ctx context.Context) error { return s.from.settle(ctx, s.threads) }

// keepDocuments fills the per-document columns of the subset.
func (s *subsetting) keepDocuments(ctx context.Context) (err error) {
	x, from := s.x, s.from
	class := s.keepClasses()
	x.LabelStart = make([]uint32, 1, len(s.docs)+1)
	err = pool.Ranges(ctx, 1, len(s.docs), func(first, to int) {
		for _, d := range s.docs[first:to] {
			own := from.Labels(int(d))
			for _, c := range own {
				x.LabelOf = append(x.LabelOf, class[c])
			}
			x.LabelStart = append(x.LabelStart, uint32(len(x.LabelOf)))
			x.Multi = x.Multi || len(own) > 1
		}
	})
	if err != nil {
		return err
	}
	x.Input = make([]uint32, len(s.docs))
	place := uint32(0)
	order, err := from.InputOrder()
	if err != nil {
		return err
	}
	for _, d := range order {
		if number, kept := s.number.number(d); kept {
			x.Input[number] = place
			place++
		}
	}
	ids, err := from.DocumentIDs()
	if err != nil {
		return err
	}
	x.IDs, err = table.MakeDictionary(ctx, s.threads, len(s.docs), nil, func(i int) string { return ids.Term(int(s.docs[i])) })
	return err
}

// keepClasses sets the classes of the subset and returns the new number of each old
// class.
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

// countLists counts the documents of every term in the subset and determines whether
// the subset has real values: some that cannot be counts of a [Source].
func (s *subsetting) countLists(ctx context.Context) error {
	s.df = make([]uint32, len(s.from.DocFreq))
	var isReal atomic.Bool
	err := s.eachList(ctx, func(_, t int, p *List) {
		for i, d := range p.Docs {
			if _, kept := s.number.number(d); kept {
				s.df[t]++
				if v := p.TF[i]; v < 1 || v > math.MaxUint32 || v != math.Trunc(v) {
					isReal.Store(true)
				}
			}
		}
	})
	s.isReal = isReal.Load()
	return err
}

// eachList calls f with the lists of all terms, on several workers.
func (s *subsetting) eachList(ctx context.Context, f func(worker, t int, p *List)) error {
	chunks, lists := s.from.Chunks(), make([]List, s.threads)
	return s.from.Run(ctx, s.threads, len(chunks), func(worker, i int) error {
		for t := chunks[i].From; t < chunks[i].To; t++ {
			s.from.decodeAll(t, &lists[worker])
			f(worker, t, &lists[worker])
		}
		return nil
	})
}

// orderTerms numbers the terms that have documents in the subset.
func (s *subsetting) orderTerms(ctx context.Context) (err error) {
	s.terms, s.x.Terms, err = s.from.Terms.ByFrequency(ctx, s.threads, func(t uint32) uint32 { return s.df[t] })
	if err != nil {
		return err
	}
	s.x.DocFreq = make([]uint32, len(s.terms))
	for i, t := range s.terms {
		s.x.DocFreq[i] = s.df[t]
	}
	s.x.setStarts()
	return s.x.Terms.Spell(ctx, s.threads) // the index may be closed
}

// filterLists writes what the lists have left.
func (s *subsetting) filterLists(ctx context.Context) error {
	l := s.x.newLists(s.isReal, s.threads)
	start := make([]uint64, len(s.from.DocFreq)) // by term of from
	for i, t := range s.terms {
		start[t] = s.x.Start[i]
	}
	err := s.eachList(ctx, func(worker, t int, p *List) {
		at := start[t]
		for i, d := range p.Docs {
			if number, kept := s.number.number(d); kept {
				l.put(worker, at, number, p.TF[i])
				at++
			}
		}
	})
	if err != nil {
		return err
	}
	return l.finish(ctx, s.threads)
}

// A renumbering maps the documents of a subset to new numbers, in the order of the old
// ones. It has one element per 64 documents: 250 KiB for a million documents, which
// stay in the second-level cache. A table of numbers would take 4 MiB and twice the
// time.
type renumbering []renumbered

type renumbered struct {
	kept   uint64 // one bit per document
	before uint32 // number of kept documents before these 64
}

func newRenumbering(docs *roaring.Bitmap, documents int) renumbering {
	r := make(renumbering, (documents+63)/64)
	docs.Iterate(func(d uint32) bool {
		r[d/64].kept |= 1 << (d % 64)
		return true
	})
	before := uint32(0)
	for i := range r {
		r[i].before = before
		before += uint32(bits.OnesCount64(r[i].kept))
	}
	return r
}

// number returns the new number of a document that is kept.
func (r renumbering) number(doc uint32) (number uint32, kept bool) {
	word := r[doc/64]
	upTo := word.kept << (^doc % 64) // the document's own bit is the highest
	return word.before + uint32(bits.OnesCount64(upTo<<1)), upTo>>63 == 1
}
