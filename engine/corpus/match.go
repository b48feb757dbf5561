package corpus

import (
	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/usage"
)

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
