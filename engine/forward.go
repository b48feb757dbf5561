package engine

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// A Forward is a corpus by its documents: the terms of each, for what goes from
// document to document. It is immutable and safe for concurrent use, and takes 4
// bytes a posting.
type Forward struct {
	corpus *Corpus
	rows   *store.Forward
	df     []uint32 // by term
	group  []uint32 // by term: terms of equal df are a group
	dfs    []uint32 // by group
	sizes  []uint32 // by class
	first  []uint32 // class -> the first of its members; and the end
	member []uint32 // documents, ascending within a class
}

// Forward makes the view, in about two passes over the postings. 0 threads means
// GOMAXPROCS.
func (c *Corpus) Forward(ctx context.Context, threads int) (*Forward, error) {
	f := &Forward{corpus: c, df: make([]uint32, c.Terms()), group: make([]uint32, c.Terms()), sizes: c.index.ClassSizes()}
	err := pool.Stage(ctx, "forward", func(ctx context.Context) (err error) {
		f.rows, err = c.index.Forward(ctx, threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	for t := range f.df {
		f.df[t] = uint32(c.DF(t))
		if t == 0 || f.df[t] != f.df[t-1] { // df descends
			f.dfs = append(f.dfs, f.df[t])
		}
		f.group[t] = uint32(len(f.dfs) - 1)
	}
	f.assign()
	return f, nil
}

// assign lists the documents of every class.
func (f *Forward) assign() {
	f.first = make([]uint32, len(f.sizes)+1)
	for c, n := range f.sizes {
		f.first[c+1] = f.first[c] + n
	}
	f.member = make([]uint32, f.first[len(f.sizes)])
	next := append([]uint32(nil), f.first...)
	for d := range f.corpus.Documents() {
		for _, c := range f.corpus.Labels(d) {
			f.member[next[c]] = uint32(d)
			next[c]++
		}
	}
}

// Terms lists the numbers of a document's distinct terms, ascending. The slice must
// not be modified.
func (f *Forward) Terms(doc int) []uint32 { return f.rows.Terms(doc) }

// members lists the documents of a class.
func (f *Forward) members(class int) []uint32 { return f.member[f.first[class]:f.first[class+1]] }
