package engine

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/store"
)

// SubsetOptions say how a part of a corpus is made. The zero value makes the corpus
// that the documents alone would be.
type SubsetOptions struct {
	// KeepClasses keeps the classes that none of the documents has, so that parts of a
	// corpus, such as folds, have the same ones. A subset without any label is an error
	// unless they are kept.
	KeepClasses bool
	// Docs says how the documents were chosen, for the Provenance: the expression that
	// [ParseDocs] took, or words of the caller's.
	Docs string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// A SubsetRecord says which documents of a corpus a subset has.
type SubsetRecord struct {
	Docs      string `json:"docs,omitempty"` // see SubsetOptions
	Documents int    `json:"documents"`
	Of        int    `json:"of"` // documents of the whole corpus
	// Hash is the xxh3-64 of the documents' places in its input, ascending.
	Hash string `json:"hash"`
}

// Subset makes a corpus of some documents, given by their numbers: the same, but for
// its Provenance, as a build of these documents alone, without their text. It takes
// about as long as counted documents take to become an index. A corpus whose terms
// were bounded by document frequency has no others in a subset: the bounds remain those
// of the whole.
//
// No documents at all give [ErrNoDocuments], documents without any label
// [ErrNoLabels], those without any term [ErrEmpty].
func (c *Corpus) Subset(ctx context.Context, docs *roaring.Bitmap, opt SubsetOptions) (*Corpus, error) {
	switch n := c.Documents(); {
	case docs.IsEmpty() && opt.Docs != "":
		return nil, fmt.Errorf("%w: none of the %d matches %s", ErrNoDocuments, n, cut(opt.Docs))
	case docs.IsEmpty():
		return nil, fmt.Errorf("%w: none of the %d was asked for", ErrNoDocuments, n)
	case uint64(docs.Maximum()) >= uint64(n):
		return nil, usage("document %d was asked for; the corpus has %d, from 0 on", docs.Maximum(), n)
	case !opt.KeepClasses && !c.anyLabel(docs):
		return nil, fmt.Errorf("%w: none of the %d documents asked for says its class", ErrNoLabels, docs.GetCardinality())
	}
	p := c.provenance
	p.Subsets = append(p.Subsets[:len(p.Subsets):len(p.Subsets)], c.record(docs, opt.Docs))
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	index, err := c.index.Subset(ctx, docs, store.SubsetOptions{KeepClasses: opt.KeepClasses, Meta: meta, Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	if index.Terms.Len() == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents asked for has a term", ErrEmpty, docs.GetCardinality())
	}
	return newCorpus(index)
}

func (c *Corpus) anyLabel(docs *roaring.Bitmap) bool {
	found := false
	docs.Iterate(func(d uint32) bool {
		found = len(c.Labels(int(d))) > 0
		return !found
	})
	return found
}

// record describes a subset.
func (c *Corpus) record(docs *roaring.Bitmap, how string) SubsetRecord {
	h := xxh3.New()
	var buffer [4]byte
	for place, d := range c.index.InputOrder() {
		if docs.Contains(d) {
			binary.LittleEndian.PutUint32(buffer[:], uint32(place))
			_, _ = h.Write(buffer[:])
		}
	}
	return SubsetRecord{Docs: how, Documents: int(docs.GetCardinality()), Of: c.Documents(), Hash: fmt.Sprintf("%016x", h.Sum64())}
}
