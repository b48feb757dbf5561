package table

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// This file counts the terms of documents into cells. It takes documents by the numbers of their terms, with whole
// counts. The counts of the terms in one class are numbers in an array, which serves one class after the other: see
// count_counter.go. [Rows.Count] counts documents that are there, all of a class together; a [Tally] those of a stream,
// which wait until there are enough of them. Sums of whole numbers do not depend on their order.

// ErrInexact says that sums of squares may be 2^53 or more, which [Rows.Count] does not add.
var ErrInexact = errors.New("table: sums of squares may be inexact")

// Rows are documents with whole counts of their terms.
type Rows struct {
	Documents
	Terms    int   // a number above those of all terms
	Elements int64 // pairs of a document and a term
	// Size returns the number of elements of a document.
	Size func(doc uint32) int64
	// Reader returns a reader for one goroutine.
	Reader func() Reader
	// Kept has the terms that are counted, by their numbers; nil for all.
	Kept []bool
	// Order returns the terms that have a document, by the numbers of documents of all, in the
	// order that they have in the
	Order func(df []uint32) ([]uint32, error)
}

// A Reader reads documents for one goroutine.
type Reader interface {
	// Add adds a document to a counter and returns how many elements it has.
	Add(c *Counter, doc uint32) (elements int, err error)
	// Terms returns the terms of a document that was added. The slice is valid until the next call.
	Terms(doc uint32) []uint32
	// Prefetch has the first elements of a document on their way while another one is counted: those
	// of a class lie here and there in memory.
	Prefetch(doc uint32)
}

// Count counts the documents into cells, which have the margins of documents; those of tokens are
// set. The error is [ErrInexact], or that of a reader, of Order or of ctx.
func (r *Rows) Count(ctx context.Context, threads int, out *Cells) error {
	order, ends := r.ByClass(nil)
	groups := Groups(order, ends, max(len(order), 1), threads, r.Elements, func(i int) int64 { return r.Size(order[i]) })
	lists, counters, readers := make([]list, len(groups)), make([]*Counter, pool.Threads(threads)), make([]Reader, pool.Threads(threads))
	counter := func(worker int) *Counter {
		if counters[worker] == nil {
			counters[worker], readers[worker] = &Counter{}, r.Reader()
			counters[worker].grow(r.Terms)
		}
		return counters[worker]
	}
	err := pool.Run(ctx, threads, len(groups), func(worker, i int) (err error) {
		c := counter(worker)
		lists[i], err = c.group(groups[i].Docs, readers[worker])
		return err
	})
	if err != nil {
		return err
	}
	if !exact(counters, r.Elements) {
		return ErrInexact
	}
	if lists, err = join(ctx, threads, groups, lists, r.Classes+1, counter); err != nil {
		return err
	}
	if r.Kept != nil {
		for i := range lists {
			lists[i].keep(r.Kept)
		}
	}
	a, err := assemble(ctx, threads, lists, r.Terms, r.Several, out)
	if err != nil {
		return err
	}
	terms, err := r.Order(a.df())
	if err != nil {
		return err
	}
	return a.finish(ctx, threads, terms)
}

// group counts documents of a class.
func (c *Counter) group(docs []uint32, r Reader) (list, error) {
	elements := 0
	for i, d := range docs {
		if i+1 < len(docs) {
			r.Prefetch(docs[i+1])
		}
		n, err := r.Add(c, d)
		if err != nil {
			return list{}, err
		}
		elements += n
	}
	return c.end(elements, func() {
		for _, d := range docs {
			c.meet(r.Terms(d))
		}
	}), nil
}

// Documents are the classes of documents: those of document d are Of[Start[d]:Start[d+1]],
// ascending.
type Documents struct {
	Classes int
	Of      []uint32
	Start   []uint32 // documents+1
	Several bool     // some document has several classes
}

// A Group is documents that are counted together: all of a class, or a part of them.
type Group struct {
	Class uint32 // or the number behind the last
	Docs  []uint32
	From  int // the place of the first in the order of [Documents.ByClass]
}

// ByClass returns the documents by class, then by number, in the memory of room if it has enough,
// and where each class ends. The class behind the last one is that of all documents if some have
// several classes, else of those without a class.
func (d *Documents) ByClass(room []uint32) (order []uint32, ends []int) {
	n := len(d.Start) - 1
	ends = make([]int, d.Classes+1)
	for _, class := range d.Of {
		ends[class]++
	}
	others := func(doc int) bool { return d.Several || d.Start[doc] == d.Start[doc+1] }
	for doc := range n {
		if others(doc) {
			ends[d.Classes]++
		}
	}
	from := 0
	for class, docs := range ends {
		ends[class], from = from, from+docs
	}
	order = slices.Grow(room[:0], from)[:from]
	place := func(class uint32, doc int) {
		order[ends[class]] = uint32(doc)
		ends[class]++
	}
	for doc := range n {
		for _, class := range d.Of[d.Start[doc]:d.Start[doc+1]] {
			place(class, doc)
		}
		if others(doc) {
			place(uint32(d.Classes), doc)
		}
	}
	return order, ends
}

// blockElements is the most elements of a group, which is counted without a look at the context.
const blockElements = 1 << 23

// Groups cuts documents in the order of [Documents.ByClass] into groups of so many documents at
// most. size returns the number of elements of the document at a place of the order, and
// elements is the number of all.
func Groups(order []uint32, ends []int, most, threads int, elements int64, size func(i int) int64) (groups []Group) {
	target := int64(math.MaxInt64)
	if threads = pool.Threads(threads); threads > 1 {
		target = elements/int64(2*threads) + 1
	}
	target = min(target, blockElements)
	from := 0
	for class, end := range ends {
		for _, r := range pool.Split(end-from, target, 1, func(i int) int64 { return size(from + i) }) {
			for part := from + r.From; part < from+r.To; part += most {
				groups = append(groups, Group{Class: uint32(class), Docs: order[part:min(part+most, from+r.To)], From: part})
			}
		}
		from = end
	}
	return groups
}

// join returns the lists of so many classes, that behind the last included, from those of groups.
func join(ctx context.Context, threads int, groups []Group, of []list, classes int, counter func(worker int) *Counter) ([]list, error) {
	parts := make([][]list, classes)
	for i, g := range groups {
		parts[g.Class] = append(parts[g.Class], of[i])
	}
	joined := make([]list, classes)
	return joined, pool.Run(ctx, threads, classes, func(worker, class int) error {
		switch own := parts[class]; len(own) {
		case 0:
		case 1:
			joined[class] = own[0]
		default:
			joined[class] = counter(worker).join(own)
		}
		return nil
	})
}
