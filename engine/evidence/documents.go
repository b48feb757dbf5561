package evidence

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
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

// Candidates are the documents of a corpus that may have an occurrence of a search.
type Candidates struct {
	// Names are the names of the documents. Where the corpus does not tell, or where they are most of its documents,
	// Any is set and there are no names.
	Names map[string]bool
	Any   bool
	// Absent are the words that no document has.
	Absent []string
}

// Of returns the documents of batches that are candidates.
func (c *Candidates) Of(batches document.Batches) document.Batches {
	if c.Any || batches == nil {
		return batches
	}
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			among := func(yield func(document.Document, error) bool) {
				for d, err := range docs {
					if (err != nil || c.Names[d.ID]) && !yield(d, err) {
						return
					}
				}
			}
			if !yield(among, nil) {
				return
			}
		}
	}
}

// mostTold bounds the memory of a [candidateReader], which has a byte for each word and document.
const mostTold = 256 << 20

// FindCandidates returns the documents of a corpus that may have an occurrence of any of some searches: those with all
// words of a pattern. The corpus does not tell if it lacks words that its documents have, because it was pruned or its
// terms are n-grams of words alone, or columns of hashes; nor where very many words are looked for.
func FindCandidates(ctx context.Context, c *corpus.Corpus, searches ...Search) (*Candidates, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	a := c.Provenance().Analysis
	q, err := newQuery(a, searches)
	if err != nil {
		return nil, err
	}
	if hasWords := ofCharacters(a) || a.NGrams == "" || strings.HasPrefix(a.NGrams, "1"); c.Pruned() || !hasWords || a.HashBits > 0 || len(q.words) > mostTold/max(1, c.Documents()) {
		return &Candidates{Any: true}, nil
	}
	x, err := corpus.Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	r := candidateReader{c: c, x: x, q: q, words: make([][]bool, len(q.words))}
	if err := r.readWords(ctx); err != nil {
		return nil, err
	}
	return r.candidates()
}

// A candidateReader reads the documents of the words of a query.
type candidateReader struct {
	c     *corpus.Corpus
	x     *postings.Index
	q     *query
	words [][]bool // by word of the query and document; nil for a word that no document has
}

// readWords reads the documents of all words.
func (r *candidateReader) readWords(ctx context.Context) error {
	m := newMatcher(r.q)
	var p postings.List
	read := func(term int) error {
		spelled := m.spelled([]byte(r.c.Term(term)))
		if len(spelled) == 0 {
			return nil
		}
		if err := r.x.ReadDocs(term, &p); err != nil {
			return err
		}
		for _, n := range spelled {
			if r.words[n] == nil {
				r.words[n] = make([]bool, r.c.Documents())
			}
			for _, doc := range p.Docs {
				r.words[n][doc] = true
			}
		}
		return nil
	}
	if len(r.q.globs) > 0 {
		return r.x.Each(ctx, r.c.Terms(), read)
	}
	return r.x.Each(ctx, len(r.q.words), func(n int) error {
		if term, ok := r.c.Lookup(r.q.words[n].text); ok {
			return read(term)
		}
		return nil
	})
}

// candidates returns the documents with all words of a pattern.
func (r *candidateReader) candidates() (*Candidates, error) {
	found, n := make([]bool, r.c.Documents()), 0
	for _, p := range r.q.patterns {
		for doc := range found {
			if !found[doc] && r.hasAll(p.words, doc) {
				found[doc] = true
				n++
			}
		}
	}
	all := &Candidates{Any: 2*n > len(found)}
	for i, docs := range r.words {
		if docs == nil {
			all.Absent = append(all.Absent, r.q.words[i].text)
		}
	}
	if all.Any {
		return all, nil
	}
	names, err := r.c.DocumentIDs()
	if err != nil {
		return nil, err
	}
	all.Names = make(map[string]bool, n)
	for doc, is := range found {
		if is {
			all.Names[names[doc]] = true
		}
	}
	return all, nil
}

// hasAll reports whether a document has all words of a pattern.
func (r *candidateReader) hasAll(words []int32, doc int) bool {
	for _, n := range words {
		if n != anyWord && (r.words[n] == nil || !r.words[n][doc]) {
			return false
		}
	}
	return true
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

// priority returns a random number for the n-th occurrence of a search in a document.
func priority(key, name uint64, n int) uint64 {
	return rand.NewPCG(key^name, uint64(n)).Uint64()
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
