package evidence

import (
	"context"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// This file asks an index which documents can have an occurrence.

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
			if !yield(c.among(docs), nil) {
				return
			}
		}
	}
}

// among returns the documents of a stream that are candidates.
func (c *Candidates) among(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if (err != nil || c.Names[d.ID]) && !yield(d, err) {
				return
			}
		}
	}
}

// FindCandidates returns the documents of a corpus that may have an occurrence of any of some searches: those with
// all words of a pattern. The corpus does not tell if it lacks words that its documents have, because it was pruned or its
// terms are n-grams of words alone, or columns of hashes.
func FindCandidates(ctx context.Context, c *corpus.Corpus, searches ...Search) (*Candidates, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	a := c.Provenance().Analysis
	q, err := newQuery(a, searches)
	if err != nil {
		return nil, err
	}
	if hasWords := ofCharacters(a) || a.NGrams == "" || strings.HasPrefix(a.NGrams, "1"); c.Pruned() || !hasWords || a.HashBits > 0 {
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
