package evidence

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// A Document is a document with a term.
type Document struct {
	ID     string
	Labels []string
	TF     float64 // occurrences of the term, or its value
	Length float64 // tokens of the document, or the sum of its values
}

// Documents returns for each term the n documents of a corpus in which it occurs most
// often; of equal ones that which was read first. A term that the corpus lacks has none.
func Documents(ctx context.Context, c *corpus.Corpus, n int, terms ...string) ([][]Document, error) {
	switch {
	case c == nil:
		return nil, usage.Errorf("a nil corpus was given")
	case n <= 0:
		return nil, usage.Errorf("the number of documents must be positive, not %d", n)
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	lengths, err := x.DocumentTokens(ctx)
	if err != nil {
		return nil, err
	}
	names, err := x.DocumentIDs()
	if err != nil {
		return nil, err
	}
	order, err := x.InputOrder()
	if err != nil {
		return nil, err
	}
	place := make([]int, len(order)) // in the input, by document
	for at, doc := range order {
		place[doc] = at
	}
	found := make([][]Document, len(terms))
	var p postings.List
	err = x.Each(ctx, len(terms), func(i int) error {
		term, ok := c.Lookup(terms[i])
		if !ok {
			return nil
		}
		if err := x.Read(term, &p); err != nil {
			return err
		}
		for _, at := range mostFrequent(&p, place, n) {
			doc := p.Docs[at]
			d := Document{ID: names.Term(int(doc)), TF: p.TF[at], Length: lengths.Of[doc]}
			for _, class := range c.Labels(int(doc)) {
				d.Labels = append(d.Labels, c.Classes()[class])
			}
			found[i] = append(found[i], d)
		}
		return nil
	})
	return found, err
}

// mostFrequent returns the places in a list of the n largest frequencies.
func mostFrequent(p *postings.List, place []int, n int) []int {
	at := make([]int, len(p.Docs))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int {
		return cmp.Or(cmp.Compare(p.TF[j], p.TF[i]), cmp.Compare(place[p.Docs[i]], place[p.Docs[j]]))
	})
	return at[:min(n, len(at))]
}
