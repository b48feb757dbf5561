package corpus

import (
	"context"
	"encoding/json"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// The classes of a corpus that [Contrast] returns.
const (
	ClassTarget    = "target"
	ClassReference = "reference"
)

// ContrastOptions say how two corpora are joined.
type ContrastOptions struct {
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Contrast compares a target corpus with a reference, to find the key words of the target.
// It returns a corpus of the documents of both, with two classes, [ClassTarget] and
// [ClassReference], in place of their own labels; any measure can rank its terms. A
// document that is in both corpora counts twice: the caller must see to it that they are
// disjoint.
//
// Documents keep the order of their numbers, those of the target first. The corpora must
// have been analysed in the same way, else the error is an [table.DifferenceError]. Their
// terms must not be bounded by document frequency, else the error wraps table.ErrPruned: a
// term that only one of them left out would count as absent there. See [table.Comparable].
func Contrast(ctx context.Context, target, reference *Corpus, o ContrastOptions) (*Corpus, error) {
	if target == nil || reference == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	if err := table.Comparable(target.heading(), reference.heading()); err != nil {
		return nil, err
	}
	sides := []*Corpus{target, reference}
	if err := checkTokens(ctx, sides, func(i int) string { return []string{"the target", "the reference"}[i] }); err != nil {
		return nil, err
	}
	p := target.provenance
	p.Reference, p.Target = &reference.provenance, "" // the sides take the place of labels
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	var of [2]*postings.Index
	for i, side := range sides {
		if of[i], err = side.numbered.Index(ctx); err != nil {
			return nil, err
		}
	}
	n, err := postings.Oppose(ctx, of, [2]string{ClassTarget, ClassReference}, postings.BuildOptions{Meta: meta, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return newCorpus(n)
}

// heading returns what a table of the corpus says of how it was made.
func (c *Corpus) heading() *table.Table {
	t := &table.Table{Pruned: c.Pruned()}
	t.SetProvenance(c.provenance)
	return t
}
