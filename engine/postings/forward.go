package postings

import (
	"context"
)

// A Forward lists the terms of each document of an index. It is immutable and safe for
// concurrent use, and takes 4 bytes per posting and 8 per document.
type Forward struct {
	start []uint64 // documents+1
	terms []uint32
}

// Documents returns the number of documents.
func (f *Forward) Documents() int { return len(f.start) - 1 }

// Len returns the number of (document, term) pairs.
func (f *Forward) Len() int { return len(f.terms) }

// Terms returns the numbers of a document's distinct terms, ascending. The slice must
// not be modified.
func (f *Forward) Terms(doc int) []uint32 { return f.terms[f.start[doc]:f.start[doc+1]] }

// Forward returns the terms of each document: it counts the terms of all documents in the lists, and then puts them
// into their places. The index does not keep the result, which is as large as the lists; callers keep it as long as
// they need it.
func (x *Index) Forward(ctx context.Context) (*Forward, error) {
	terms := make([]uint32, x.NumPostings())
	start := make([]uint64, x.Documents()+2) // start[d+2]: the number of terms of document d
	err := x.eachList(ctx, func(_ uint32, docs []uint32) {
		for _, d := range docs {
			start[d+2]++
		}
	})
	if err != nil {
		return nil, err
	}
	for d := range x.Documents() {
		start[d+2] += start[d+1]
	}
	next := start[1:] // by document: the place of its next term; in the end, that of the first one of the next document
	err = x.eachList(ctx, func(term uint32, docs []uint32) {
		for _, d := range docs {
			terms[next[d]] = term
			next[d]++
		}
	})
	return &Forward{start[:len(start)-1], terms}, err
}

// eachList calls f with the documents of every term.
func (x *Index) eachList(ctx context.Context, f func(term uint32, docs []uint32)) error {
	var p List
	chunks := x.Chunks()
	return x.Run(ctx, 1, len(chunks), func(_, i int) error {
		if err := x.Ready(chunks[i], false); err != nil {
			return err
		}
		for t := chunks[i].From; t < chunks[i].To; t++ {
			x.Decode(t, &p)
			f(uint32(t), p.Docs)
		}
		return nil
	})
}
