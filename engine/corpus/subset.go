package corpus

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/zeebo/xxh3"
)

// ErrNoDocuments is returned for a subset without documents.
var ErrNoDocuments = usage.NewError(usage.ErrNothing, "no documents")

// SubsetOptions say how a part of a corpus is made. The zero value makes the corpus that a
// build of the documents alone would make.
type SubsetOptions struct {
	// KeepClasses keeps the classes that none of the documents has, so that parts of a
	// corpus, such as folds, have the same classes. Without it, a subset without any label
	// is an error.
	KeepClasses bool
	// KeepEmpty allows a subset in which no document has a term, which is an error
	// otherwise. Data sets need it: their rows include those of empty documents.
	KeepEmpty bool
	// Docs says in the Provenance how the documents were chosen: the expression that
	// [ParseQuery] read, or the caller's own words.
	Docs string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Subset makes a corpus of some documents, given by their numbers. Except for its
// Provenance, it is the corpus that a build of these documents alone gives, but made
// without their text, in about the time in which counted documents become an index. If the
// terms of the corpus were bounded by document frequency, the subset has no other terms:
// the bounds remain those of the whole corpus.
//
// The error is [ErrNoDocuments] if docs is empty, [ingest.ErrNoLabels] if no document has
// a label though the corpus has classes, and [ingest.ErrEmpty] if none has a term, unless the options
// allow it.
func (c *Corpus) Subset(ctx context.Context, docs *roaring.Bitmap, opt SubsetOptions) (*Corpus, error) {
	if docs == nil {
		return nil, usage.Errorf("a nil bitmap of documents was given")
	}
	switch n := c.Documents(); {
	case docs.IsEmpty() && opt.Docs != "":
		return nil, fmt.Errorf("%w: none of the %d matches %s", ErrNoDocuments, n, usage.Cut(opt.Docs))
	case docs.IsEmpty():
		return nil, fmt.Errorf("%w: none of the %d was asked for", ErrNoDocuments, n)
	case uint64(docs.Maximum()) >= uint64(n):
		return nil, usage.Errorf("document %d was asked for; the corpus has %d, from 0 on", docs.Maximum(), n)
	case !opt.KeepClasses && len(c.Classes()) > 0 && !c.anyLabel(docs):
		return nil, fmt.Errorf("%w: none of the %d documents asked for says its class", ingest.ErrNoLabels, docs.GetCardinality())
	}
	record, err := c.record(docs, opt.Docs)
	if err != nil {
		return nil, err
	}
	p := c.provenance
	p.Subsets = append(p.Subsets[:len(p.Subsets):len(p.Subsets)], record)
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	all, err := c.numbered.Index(ctx)
	if err != nil {
		return nil, err
	}
	part, err := all.Subset(ctx, docs, opt.KeepClasses, postings.BuildOptions{Meta: meta, Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	if part.Head().Terms.Len() == 0 && !opt.KeepEmpty {
		return nil, fmt.Errorf("%w: none of the %d documents asked for has a term", ingest.ErrEmpty, docs.GetCardinality())
	}
	return newCorpus(part)
}

// anyLabel reports whether any of the documents has a label.
func (c *Corpus) anyLabel(docs *roaring.Bitmap) bool {
	found := false
	docs.Iterate(func(d uint32) bool {
		found = len(c.Labels(int(d))) > 0
		return !found
	})
	return found
}

// record describes a subset of the corpus for the Provenance. The hash is over the places
// of the documents in the input.
func (c *Corpus) record(docs *roaring.Bitmap, how string) (table.SubsetRecord, error) {
	order, err := c.head().InputOrder()
	if err != nil {
		return table.SubsetRecord{}, err
	}
	h := xxh3.New()
	var buffer [4]byte
	for place, d := range order {
		if docs.Contains(d) {
			binary.LittleEndian.PutUint32(buffer[:], uint32(place))
			_, _ = h.Write(buffer[:])
		}
	}
	return table.SubsetRecord{Docs: how, Documents: int(docs.GetCardinality()), Of: c.Documents(), Hash: fmt.Sprintf("%016x", h.Sum64())}, nil
}

// A Matched is the result of [Corpus.Match].
type Matched struct {
	Docs *roaring.Bitmap // may be empty
	// Warnings name the parts of the expression that match no document.
	Warnings []string
}

// Match returns the documents that a query matches. If the query names a class that the
// corpus does not have, and the name does not end in *, the error is a [QueryError]
// that wraps a [usage.UnknownError].
func (c *Corpus) Match(f *Query) (*Matched, error) {
	if f == nil {
		return nil, usage.Errorf("a nil query was given")
	}
	if err := f.checkClasses(c.Classes()); err != nil {
		return nil, err
	}
	ids, err := c.head().DocumentIDs()
	if err != nil {
		return nil, err
	}
	m := f.Matcher()
	var docs []uint32
	var labels []string
	for d := range c.Documents() {
		labels = labels[:0]
		for _, l := range c.Labels(d) {
			labels = append(labels, c.Classes()[l])
		}
		if m.Match(ids.Term(d), labels) {
			docs = append(docs, uint32(d))
		}
	}
	return &Matched{Docs: bitmap.FromIDs(docs), Warnings: m.Warnings()}, nil
}
