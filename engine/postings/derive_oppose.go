package postings

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A Side is an index whose documents become one class of another index.
type Side struct {
	Index *Index
	Class string
}

// OpposeOptions are the options of [Oppose].
type OpposeOptions struct {
	Meta    json.RawMessage
	Threads int // 0 means GOMAXPROCS
}

// Oppose returns one index of two: every document of a side has the class of that side
// and no other. The input order is that of the sides and, within a side, that of the
// document numbers. Terms of the two sides are the same if their bytes are.
func Oppose(ctx context.Context, sides [2]Side, opt OpposeOptions) (*Index, error) {
	o := opposing{sides: sides, threads: pool.Threads(opt.Threads), x: New(Memory{Meta: opt.Meta}, nil, nil)}
	documents := 0
	for i := range o.sides {
		from := o.sides[i].Index
		documents += from.Documents()
		o.x.Pruned = o.x.Pruned || from.Pruned
		o.isReal = o.isReal || from.Real()
	}
	switch {
	case sides[0].Class == sides[1].Class:
		return nil, fmt.Errorf("postings: both sides are of class %q", sides[0].Class)
	case uint64(documents) > math.MaxUint32-1:
		return nil, fmt.Errorf("postings: %d documents are more than an index holds", documents)
	}
	err := pool.Stage(ctx, "oppose", func(ctx context.Context) error {
		return UseEach(o.indexes(), func() error {
			return pool.InTurn(ctx, o.settle, o.placeDocuments, o.uniteTerms, o.copyLists)
		})
	})
	if err != nil {
		return nil, err
	}
	return o.x, nil
}

type opposing struct {
	sides   [2]Side // in the order of their classes, after placeDocuments
	threads int
	isReal  bool
	x       *Index
	terms   []table.United
}

// indexes returns the indexes of the sides.
func (o *opposing) indexes() []*Index { return []*Index{o.sides[0].Index, o.sides[1].Index} }

func (o *opposing) settle(ctx context.Context) error {
	for _, x := range o.indexes() {
		if err := x.settle(ctx, o.threads); err != nil {
			return err
		}
	}
	return nil
}

// placeDocuments fills the per-document columns of the result.
func (o *opposing) placeDocuments(ctx context.Context) (err error) {
	place := [2]uint32{0, uint32(o.sides[0].Index.Documents())} // input place of each side's first document
	if o.sides[1].Class < o.sides[0].Class {
		o.sides[0], o.sides[1] = o.sides[1], o.sides[0]
		place[0], place[1] = place[1], place[0]
	}
	x := o.x
	x.LabelStart = []uint32{0}
	for i, side := range o.sides {
		x.Classes = append(x.Classes, side.Class)
		err := pool.Ranges(ctx, 1, side.Index.Documents(), func(from, to int) {
			for d := from; d < to; d++ {
				x.Input = append(x.Input, place[i]+uint32(d))
				x.LabelOf = append(x.LabelOf, uint32(i))
				x.LabelStart = append(x.LabelStart, uint32(len(x.LabelOf)))
			}
		})
		if err != nil {
			return err
		}
	}
	var ids [2]*table.Dictionary
	for i, side := range o.sides {
		if ids[i], err = side.Index.DocumentIDs(); err != nil {
			return err
		}
	}
	x.IDs, err = table.MakeDictionary(ctx, o.threads, len(x.Input), nil, func(d int) string {
		if d < ids[0].Len() {
			return ids[0].Term(d)
		}
		return ids[1].Term(d - ids[0].Len())
	})
	return err
}

// uniteTerms merges the dictionaries of the sides and numbers the terms.
func (o *opposing) uniteTerms(ctx context.Context) (err error) {
	a, b := o.sides[0].Index, o.sides[1].Index
	for _, x := range o.indexes() {
		if err := x.Terms.Spell(ctx, o.threads); err != nil {
			return err
		}
	}
	terms := table.Unite(a.Terms, b.Terms)
	df := make([]uint32, len(terms))
	for i, u := range terms {
		for side, t := range u {
			if t >= 0 {
				df[i] += o.sides[side].Index.DocFreq[t]
			}
		}
	}
	sorted := table.PlacesByDF(df)
	o.terms, o.x.DocFreq = make([]table.United, len(terms)), make([]uint32, len(terms))
	for i, place := range sorted {
		o.terms[place], o.x.DocFreq[place] = terms[i], df[i]
	}
	o.x.Terms, err = table.MakeDictionary(ctx, o.threads, len(terms), sorted, func(term int) string { return o.terms[term].Name(a.Terms, b.Terms) })
	return err
}

// copyLists writes the lists: for each term, that of the first class, then that of the
// second.
func (o *opposing) copyLists(ctx context.Context) error {
	o.x.setStarts()
	l := o.x.newLists(o.isReal, o.threads)
	chunks, lists := o.x.Chunks(), make([]List, o.threads)
	err := RunOver(ctx, o.indexes(), o.threads, len(chunks), func(worker, i int) error {
		for term := chunks[i].From; term < chunks[i].To; term++ {
			at, shift := o.x.Start[term], uint32(0)
			for i, side := range o.sides {
				if t := o.terms[term][i]; t >= 0 {
					list := &lists[worker]
					side.Index.decodeAll(t, list)
					for i, d := range list.Docs {
						l.put(worker, at+uint64(i), d+shift, list.TF[i])
					}
					at += uint64(len(list.Docs))
				}
				shift += uint32(side.Index.Documents())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return l.finish(ctx, o.threads)
}
