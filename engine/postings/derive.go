package postings

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file goes from posting lists back to documents. What is made of the documents of an index is a source like those
// that were read.

// Subset numbers some of the documents, as if [Number] had seen no others: terms without a document in the subset are
// dropped, the others are ordered by their frequencies in the subset, and real values become counts if all that remain
// are whole numbers. Terms that were pruned from the index are missing from the subset too. keepClasses keeps classes
// without a document in the subset.
func (x *Index) Subset(ctx context.Context, docs *roaring.Bitmap, keepClasses bool, opt BuildOptions) (*Numbered, error) {
	if !docs.IsEmpty() && uint64(docs.Maximum()) >= uint64(x.Documents()) {
		return nil, fmt.Errorf("postings: document %d of %d cannot be in a subset", docs.Maximum(), x.Documents())
	}
	return derived(ctx, "subset", []*Index{x}, opt, func(ctx context.Context) (src Source, err error) {
		ids, err := x.DocumentIDs()
		if err != nil {
			return src, err
		}
		order, err := x.InputOrder()
		if err != nil {
			return src, err
		}
		order = slices.DeleteFunc(order, func(d uint32) bool { return !docs.Contains(d) })
		src.Dictionary, src.LabelStart = x.Terms, []uint32{0}
		err = pool.Ranges(ctx, 1, len(order), func(from, to int) {
			for _, d := range order[from:to] {
				src.IDs = append(src.IDs, ids.Term(int(d)))
				src.Labels = append(src.Labels, x.Labels(int(d))...)
				src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
			}
		})
		if err != nil {
			return src, err
		}
		if src.Classes = x.Classes; !keepClasses {
			src.dropClasses()
		}
		src.Columns, err = x.rows(ctx, order, true)
		isCount := func(v float64) bool { return v >= 1 && v <= math.MaxUint32 && v == math.Trunc(v) }
		if src.Values != nil && !slices.ContainsFunc(src.Values, func(v float64) bool { return !isCount(v) }) {
			src.Counts = make([]uint32, len(src.Values))
			for i, v := range src.Values {
				src.Counts[i] = uint32(v)
			}
			src.Values = nil
		}
		return src, err
	})
}

// dropClasses drops the classes that no document has.
func (src *Source) dropClasses() {
	names, class := src.Classes, make([]uint32, len(src.Classes)) // the new number, from 1
	src.Classes = nil
	for i, c := range src.Labels {
		if class[c] == 0 {
			src.Classes = append(src.Classes, names[c])
			class[c] = uint32(len(src.Classes))
		}
		src.Labels[i] = class[c] - 1
	}
}

// Oppose numbers the documents of two indexes: every document of a side has the class of that side and no other. The
// input order is that of the sides and, within a side, that of the document numbers. Terms of the two sides are the
// same if their bytes are.
func Oppose(ctx context.Context, sides [2]*Index, classes [2]string, opt BuildOptions) (*Numbered, error) {
	if classes[0] == classes[1] {
		return nil, fmt.Errorf("postings: both sides are of class %q", classes[0])
	}
	return derived(ctx, "oppose", sides[:], opt, func(ctx context.Context) (src Source, err error) {
		for _, x := range sides {
			if err := x.Terms.Spell(ctx, opt.Threads); err != nil {
				return src, err
			}
		}
		a, b := sides[0].Terms, sides[1].Terms
		united := table.Unite(a, b)
		sorted, number := make([]uint32, len(united)), [2][]uint32{make([]uint32, a.Len()), make([]uint32, b.Len())}
		for i, u := range united {
			sorted[i] = uint32(i)
			for side, t := range u {
				if t >= 0 {
					number[side][t] = uint32(i)
				}
			}
		}
		src.Dictionary = table.AppendedBy(len(united), sorted, func(dst []byte, i int) []byte {
			return append(dst, united[i].Name(a, b)...)
		})
		src.Classes, src.LabelStart = classes[:], []uint32{0}
		for side, x := range sides {
			ids, err := x.DocumentIDs()
			if err != nil {
				return src, err
			}
			for d := range x.Documents() {
				src.IDs, src.Labels = append(src.IDs, ids.Term(d)), append(src.Labels, uint32(side))
				src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
			}
			rows, err := x.rows(ctx, x.everyDocument(), true)
			if err != nil {
				return src, err
			}
			for i, t := range rows.Terms {
				rows.Terms[i] = number[side][t]
			}
			if rows.Values == nil && sides[1-side].Real() {
				rows.Values = make([]float64, len(rows.Counts))
				for i, n := range rows.Counts {
					rows.Values[i] = float64(n)
				}
				rows.Counts = nil
			}
			src.Parts = append(src.Parts, rows)
		}
		return src, nil
	})
}

// derived numbers a source that is made of indexes. It names the terms, as the indexes may be closed.
func derived(
	ctx context.Context, stage string, of []*Index, opt BuildOptions, source func(ctx context.Context) (Source, error),
) (*Numbered, error) {
	var n *Numbered
	opt.Consume = true
	err := pool.Stage(ctx, stage, func(ctx context.Context) error {
		return UseEach(of, func() error {
			for _, x := range of {
				if x.file == nil {
					continue
				}
				if err := x.file.CheckNames(); err != nil {
					return err
				}
			}
			src, err := source(ctx)
			if err != nil {
				return err
			}
			if n, err = Number(ctx, src, opt); err != nil {
				return err
			}
			for _, x := range of {
				n.head.Pruned = n.head.Pruned || x.Pruned
			}
			return n.head.Terms.Spell(ctx, opt.Threads)
		})
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}

// everyDocument returns the numbers of all documents.
func (x *Index) everyDocument() []uint32 {
	docs := make([]uint32, x.Documents())
	for d := range docs {
		docs[d] = uint32(d)
	}
	return docs
}

// rows returns the terms of documents, in this order, and, if values is set, their values. It counts the terms of all
// documents in the lists, and then puts them into their places.
func (x *Index) rows(ctx context.Context, docs []uint32, values bool) (c Columns, err error) {
	size := make([]uint32, x.Documents())
	err = x.eachList(ctx, false, func(_ uint32, p *List) {
		for _, d := range p.Docs {
			size[d]++
		}
	})
	if err != nil {
		return c, err
	}
	const leftOut = math.MaxUint64
	next := slices.Repeat([]uint64{leftOut}, len(size)) // by document: the place of its next term
	total := uint64(0)
	c.DocStart = make([]uint64, 1, len(docs)+1)
	for _, d := range docs {
		next[d], total = total, total+uint64(size[d])
		c.DocStart = append(c.DocStart, total)
	}
	c.Terms = make([]uint32, total)
	switch {
	case values && x.Real():
		c.Values = make([]float64, total)
	case values:
		c.Counts = make([]uint32, total)
	}
	return c, x.eachList(ctx, values, func(term uint32, p *List) {
		for i, d := range p.Docs {
			at := next[d]
			if at == leftOut {
				continue
			}
			next[d], c.Terms[at] = at+1, term
			if c.Counts != nil {
				c.Counts[at] = uint32(p.TF[i])
			} else if c.Values != nil {
				c.Values[at] = p.TF[i]
			}
		}
	})
}

// eachList calls f with the list of every term, and its values if they are asked for.
func (x *Index) eachList(ctx context.Context, values bool, f func(term uint32, p *List)) error {
	var p List
	chunks := x.Chunks()
	return x.Run(ctx, 1, len(chunks), func(_, i int) error {
		if err := x.Ready(chunks[i], values); err != nil {
			return err
		}
		for t := chunks[i].From; t < chunks[i].To; t++ {
			x.Decode(t, &p)
			if values {
				p.TF = x.Values.Read(x.Start[t], x.Start[t+1], p.TF)
			}
			f(uint32(t), &p)
		}
		return nil
	})
}

// A Forward lists the terms of each document of an index. It is immutable and safe for
// concurrent use, and takes 4 bytes per posting and 8 per document.
type Forward struct{ rows Columns }

// Documents returns the number of documents.
func (f *Forward) Documents() int { return len(f.rows.DocStart) - 1 }

// Len returns the number of (document, term) pairs.
func (f *Forward) Len() int { return len(f.rows.Terms) }

// Terms returns the numbers of a document's distinct terms, ascending. The slice must
// not be modified.
func (f *Forward) Terms(doc int) []uint32 {
	return f.rows.Terms[f.rows.DocStart[doc]:f.rows.DocStart[doc+1]]
}

// Forward returns the terms of each document. The index does not keep the result, which is as large as the lists;
// callers keep it as long as they need it.
func (x *Index) Forward(ctx context.Context) (*Forward, error) {
	rows, err := x.rows(ctx, x.everyDocument(), false)
	return &Forward{rows}, err
}
