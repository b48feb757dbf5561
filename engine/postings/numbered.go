package postings

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/table"
)

// A Numbered is a corpus whose documents and terms have their numbers. Its posting lists are made
// when something needs them: statistics of all documents, and their rows over selected terms, come
// as well from what was counted, document by document. It is safe for concurrent use.
type Numbered struct {
	head *Index                // with the lists if they came with it, else without
	made atomic.Pointer[Index] // with the lists; nil before they are made
	lock sync.RWMutex          // of rows; the lists are made under it
	rows *builder              // nil once the lists are made
}

// errNoLists says that a list was read of an index that has none.
var errNoLists = errors.New("postings: the posting lists of this index were not made")

// Number numbers the documents and terms of a corpus, as [Build] does, and keeps its postings by
// document until the lists are made. Those of real values are made at once.
func Number(ctx context.Context, src Source, opt BuildOptions) (*Numbered, error) {
	b, err := newBuilder(src, opt)
	if err != nil {
		return nil, err
	}
	if err := b.run(ctx, b.number); err != nil {
		return nil, err
	}
	if b.isReal {
		if err := b.run(ctx, b.transpose); err != nil {
			return nil, err
		}
		return Whole(b.x), nil
	}
	b.x.absent = errNoLists
	return &Numbered{head: b.x, rows: b}, nil
}

// Whole returns an index with its lists as a Numbered.
func Whole(x *Index) *Numbered {
	n := &Numbered{head: x}
	n.made.Store(x)
	return n
}

// Head returns the index for what needs no lists: the names and numbers of terms, classes and
// documents, and the labels. Methods that read lists return an error if they were made later.
func (n *Numbered) Head() *Index { return n.head }

// Index returns the index with its lists, which it makes at the first call. A call that was
// interrupted can be repeated. The error is [ErrClosed] if n was closed before there were lists.
func (n *Numbered) Index(ctx context.Context) (*Index, error) {
	if x := n.made.Load(); x != nil {
		return x, nil
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	if x := n.made.Load(); x != nil {
		return x, nil
	}
	if n.head.lifetime.ended() {
		return nil, ErrClosed
	}
	x, err := n.rows.lists(ctx)
	if err != nil {
		return nil, err
	}
	n.made.Store(x)
	n.rows = nil
	return x, nil
}

// lists makes the index with the lists. Once the rows are used up it cannot be interrupted.
func (b *builder) lists(ctx context.Context) (*Index, error) {
	whole := *b
	head := b.x.Memory
	head.Dense, head.DenseAt, head.Flat, head.Values = nil, nil, nil, Column{}
	whole.x = New(head, nil, nil)
	if err := whole.run(ctx, whole.transpose); err != nil {
		return nil, err
	}
	return whole.x, nil
}

// Close closes the index, see [Index.Close], and gives the memory of its rows back.
func (n *Numbered) Close() error {
	err := errors.Join(n.head.Close(), n.discardRows())
	if x := n.made.Load(); x != nil && x != n.head {
		err = errors.Join(err, x.Close())
	}
	return err
}

// discardRows gives the memory of the rows back to the system on all threads, if it is the builder's own
// and nobody is reading it.
func (n *Numbered) discardRows() error {
	if !n.lock.TryLock() {
		return nil
	}
	defer n.lock.Unlock()
	if n.rows == nil || !n.rows.opt.Consume {
		return nil
	}
	rows := n.rows
	n.rows = nil
	return rows.discardSource(context.Background())
}

// Rows calls f with the rows while there are any, and reports whether it did. The lists are not
// made before f has returned; f must not ask for them.
func (n *Numbered) Rows(f func(r *Rows) error) (there bool, err error) {
	n.lock.RLock()
	defer n.lock.RUnlock()
	if n.rows == nil || n.head.lifetime.ended() {
		return false, nil
	}
	return true, f(&Rows{n.rows})
}

// Count is [Index.Count], from the rows if there are any and they do.
func (n *Numbered) Count(ctx context.Context, opt CountOptions) (*table.Table, error) {
	if opt.Within == nil && opt.Weighting == "" {
		var s *table.Table
		there, err := n.Rows(func(r *Rows) (err error) {
			s, err = r.count(ctx, opt.Threads)
			return err
		})
		if there && !errors.Is(err, table.ErrInexact) {
			return s, err
		}
	}
	x, err := n.Index(ctx)
	if err != nil {
		return nil, err
	}
	return x.Count(ctx, opt)
}

// EmptyDocuments is [Index.EmptyDocuments].
func (n *Numbered) EmptyDocuments(ctx context.Context) (empty int, err error) {
	there, err := n.Rows(func(r *Rows) error {
		empty, err = r.emptyDocuments(ctx)
		return err
	})
	if there || err != nil {
		return empty, err
	}
	x, err := n.Index(ctx)
	if err != nil {
		return 0, err
	}
	return x.EmptyDocuments(ctx)
}

// Rows are the postings of a corpus of counts by document. Terms have the numbers in which they were
// counted, and some of them may not be in the index, see [Rows.Number].
type Rows struct{ b *builder }

// Width returns a number that is above those of all terms.
func (r *Rows) Width() int { return r.b.src.Dictionary.Len() }

// Number returns the number that the rows have for a term of the index.
func (r *Rows) Number(term int) uint32 { return r.b.terms[term] }

// Document returns the terms of a document, in no order, with their counts. The slices must not
// be modified.
func (r *Rows) Document(doc int) (terms, counts []uint32) {
	s := &r.b.spans[r.b.x.Input[doc]]
	p, to := &r.b.src.Parts[s.part], s.from+uint64(s.length)
	return p.Terms[s.from:to], p.Counts[s.from:to]
}

// Prefetch has the first postings of a document on their way while another one is worked on.
func (r *Rows) Prefetch(doc int) { r.b.prefetch(doc) }

// count counts all documents. The error is [table.ErrInexact] if sums of squares may be: the lists
// tell what they lose.
func (r *Rows) count(ctx context.Context, threads int) (*table.Table, error) {
	x := r.b.x
	s := x.EmptyTable()
	rows := table.Rows{
		Documents: table.Documents{Classes: len(x.Classes), Of: x.LabelOf, Start: x.LabelStart, Several: x.Multi},
		Terms:     r.Width(), Elements: int64(r.b.postings),
		Size:   func(doc uint32) int64 { return int64(r.b.spans[x.Input[doc]].length) },
		Reader: func() table.Reader { return rowReader{r} },
		Order:  func([]uint32) ([]uint32, error) { return r.b.terms, nil },
	}
	if x.Pruned {
		rows.Kept = r.kept()
	}
	return s, rows.Count(ctx, threads, &s.Cells)
}

// A rowReader reads rows as [table.Rows] needs them.
type rowReader struct{ rows *Rows }

func (r rowReader) Add(c *table.Counter, doc uint32) (elements int, err error) {
	terms, counts := r.rows.Document(int(doc))
	c.Add(terms, counts)
	return len(terms), nil
}

func (r rowReader) Terms(doc uint32) []uint32 {
	terms, _ := r.rows.Document(int(doc))
	return terms
}

func (r rowReader) Prefetch(doc uint32) { r.rows.Prefetch(int(doc)) }

// kept returns, by their numbers in the rows, which terms are in the index.
func (r *Rows) kept() []bool {
	kept := make([]bool, r.Width())
	for _, t := range r.b.terms {
		kept[t] = true
	}
	return kept
}

// emptyDocuments returns the number of documents without a term.
func (r *Rows) emptyDocuments(ctx context.Context) (int, error) {
	kept := r.kept()
	var empty atomic.Int64
	err := r.b.inRanges(ctx, r.b.x.Documents(), func(from, to int) {
		n := 0
		for d := from; d < to; d++ {
			terms, _ := r.Document(d)
			if !slices.ContainsFunc(terms, func(t uint32) bool { return kept[t] }) {
				n++
			}
		}
		empty.Add(int64(n))
	})
	return int(empty.Load()), err
}
