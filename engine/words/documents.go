package words

import (
	"cmp"
	"context"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
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
		best := rank.Best[int]{Most: n, Order: func(i, j int) int { // of places in the list
			return cmp.Or(cmp.Compare(p.TF[j], p.TF[i]), cmp.Compare(place[p.Docs[i]], place[p.Docs[j]]))
		}}
		for at := range p.Docs {
			best.Offer(at)
		}
		for _, at := range best.Sorted() {
			doc := p.Docs[at]
			d := Document{ID: names.Term(int(doc)), TF: p.TF[at], Length: lengths[doc]}
			for _, class := range c.Labels(int(doc)) {
				d.Labels = append(d.Labels, c.Classes()[class])
			}
			found[i] = append(found[i], d)
		}
		return nil
	})
	return found, err
}

// A sample of occurrences is drawn so: each has a random number of its own, its priority, and those with the least are
// the sample: all samples are equally likely (Cohen & Kaplan, bottom-k sketches, PODC 2007), and samples of parts of
// the documents make that of all.

// keysOf returns a number for each search, by which the priorities of its occurrences are drawn.
func keysOf(searches []Search, seed uint64) []uint64 {
	keys := make([]uint64, len(searches))
	for i, s := range searches {
		text := s.Term
		if len(s.Patterns) > 0 {
			text = strings.Join(s.Patterns, "\n")
		}
		keys[i] = xxh3.HashStringSeed(text, seed)
	}
	return keys
}

// A place is where an occurrence is. Places are ordered as they are read.
type place struct{ batch, document, part, token int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.batch, q.batch), cmp.Compare(p.document, q.document), cmp.Compare(p.part, q.part), cmp.Compare(p.token, q.token))
}

// A kept is a line of a sample.
type kept struct {
	priority uint64
	place    place
	line     Line
	class    string // of the document
}

// newSample returns a sample of so many lines: those with the least priorities, and of equal ones those that were read
// first.
func newSample(most int) rank.Best[kept] {
	return rank.Best[kept]{Most: most, Order: func(a, b kept) int { return cmp.Or(cmp.Compare(a.priority, b.priority), a.place.compare(b.place)) }}
}
