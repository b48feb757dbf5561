package bestterms

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// A Forward is the forward index of a corpus: the terms of each document, and the
// documents of each class. It is immutable, safe for concurrent use, and takes 4 bytes a
// posting.
type Forward struct {
	corpus  *corpus.Corpus
	rows    *postings.Forward
	df      []uint32 // by term
	dfGroup []uint32 // by term: the group of all terms with its df
	groupDF []uint32 // by group, descending
	// memberList[memberStart[c]:memberStart[c+1]] are the documents of class c, ascending.
	memberStart []uint32
	memberList  []uint32
}

// NewForward makes the forward index of c, in time for about two passes over the
// postings. 0 threads means GOMAXPROCS.
func NewForward(ctx context.Context, c *corpus.Corpus, threads int) (*Forward, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	f := &Forward{corpus: c, df: make([]uint32, c.Terms()), dfGroup: make([]uint32, c.Terms())}
	err = pool.Stage(ctx, "forward", func(ctx context.Context) (err error) {
		f.rows, err = x.Forward(ctx, threads)
		return err
	})
	if err != nil {
		return nil, err
	}
	for t := range f.df {
		f.df[t] = uint32(c.DF(t))
		if t == 0 || f.df[t] != f.df[t-1] { // df descends
			f.groupDF = append(f.groupDF, f.df[t])
		}
		f.dfGroup[t] = uint32(len(f.groupDF) - 1)
	}
	f.listMembers()
	return f, nil
}

// listMembers sets memberList and memberStart. The labels are those of the corpus: a control
// divides those of its index.
func (f *Forward) listMembers() {
	f.memberStart = make([]uint32, len(f.corpus.Classes())+1)
	for d := range f.corpus.Documents() {
		for _, c := range f.corpus.Labels(d) {
			f.memberStart[c+1]++
		}
	}
	for c := range f.corpus.Classes() {
		f.memberStart[c+1] += f.memberStart[c]
	}
	f.memberList = make([]uint32, f.memberStart[len(f.corpus.Classes())])
	next := append([]uint32(nil), f.memberStart...)
	for d := range f.corpus.Documents() {
		for _, c := range f.corpus.Labels(d) {
			f.memberList[next[c]] = uint32(d)
			next[c]++
		}
	}
}

// Terms returns the numbers of a document's distinct terms, ascending. The slice must not
// be modified.
func (f *Forward) Terms(doc int) []uint32 { return f.rows.Terms(doc) }

// members returns the documents of a class, ascending.
func (f *Forward) members(class int) []uint32 {
	return f.memberList[f.memberStart[class]:f.memberStart[class+1]]
}
