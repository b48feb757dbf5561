package store

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
)

// Totals are the counts of the whole corpus that all terms share.
type Totals struct {
	Documents, Labelled float64
	ClassDocs           []float64
	// Of tokens, or nil and 0 unless asked for.
	Tokens      float64
	ClassTokens []float64
}

// Totals counts documents, and tokens if asked for. The tokens take a pass over
// the postings the first time and are kept.
func (x *Index) Totals(ctx context.Context, tokens bool, threads int) (*Totals, error) {
	t := &Totals{Documents: float64(x.Documents()), Labelled: float64(x.Labelled()), ClassDocs: make([]float64, len(x.Classes))}
	for c, n := range x.ClassSizes() {
		t.ClassDocs[c] = float64(n)
	}
	if !tokens {
		return t, nil
	}
	x.tokensLock.Lock()
	defer x.tokensLock.Unlock()
	if x.classTokens == nil {
		if err := x.countTokens(ctx, threads); err != nil {
			return nil, err
		}
	}
	t.Tokens, t.ClassTokens = x.tokens, x.classTokens
	return t, nil
}

// countTokens visits every term once.
func (x *Index) countTokens(ctx context.Context, threads int) error {
	chunks := x.view().chunks
	parts := make([]tokenPart, len(chunks))
	workers := make([]tokenSum, pool.Threads(threads))
	c := &counting{opt: VisitOptions{Tokens: true, Few: incrementsBelow, Threads: threads}}
	err := x.visit(ctx, c, chunks, func(worker, chunk int) Visitor {
		workers[worker].begin(&parts[chunk], len(x.Classes))
		return &workers[worker]
	})
	if err != nil {
		return err
	}
	for i := range workers {
		workers[i].end()
	}
	x.tokens, x.classTokens = addParts(parts, len(x.Classes))
	return nil
}

// addParts adds the tokens of all chunks. Tokens are always added up in this
// order, per chunk of terms, then over the chunks, so that real values give the
// same bits for any number of workers, kept counts or not.
func addParts(parts []tokenPart, classes int) (total float64, of []float64) {
	of = make([]float64, classes)
	for _, p := range parts {
		total += p.total
		for i, c := range p.class {
			of[c] += p.tokens[i]
		}
	}
	return total, of
}

// A tokenPart holds the tokens of one chunk of terms, and those of the classes
// that it meets: all chunks together have no more of them than there are cells.
type tokenPart struct {
	total  float64
	class  []uint32
	tokens []float64
}

// A tokenSum is the visitor that adds up the tokens of one chunk after another.
type tokenSum struct {
	part    *tokenPart
	classes []float64 // all 0 between chunks; the last for documents without a class
	met     []uint32
}

// begin turns to a chunk.
func (s *tokenSum) begin(part *tokenPart, classes int) {
	if s.classes == nil {
		s.classes = make([]float64, classes+1)
	}
	s.end()
	s.part = part
}

// end hands the sums of the chunk at hand over to its part.
func (s *tokenSum) end() {
	if s.part == nil {
		return
	}
	s.part.class, s.part.tokens = make([]uint32, 0, len(s.met)), make([]float64, 0, len(s.met))
	for _, c := range s.met {
		if int(c) < len(s.classes)-1 {
			s.part.class = append(s.part.class, c)
			s.part.tokens = append(s.part.tokens, s.classes[c])
		}
		s.classes[c] = 0
	}
	s.met, s.part = s.met[:0], nil
}

func (s *tokenSum) add(class uint32, tokens float64) {
	if s.classes[class] == 0 {
		s.met = append(s.met, class)
	}
	s.classes[class] += tokens
}

// Row implements [Visitor].
func (s *tokenSum) Row(r *Row) {
	s.part.total += r.CF
	for i, c := range r.Class {
		s.add(c, r.S[i])
	}
}

// Few implements [Visitor].
func (s *tokenSum) Few(_, _ int, classes []uint32, tf []uint8) {
	for i, c := range classes {
		s.part.total += float64(tf[i])
		s.add(c, float64(tf[i]))
	}
}

// ClassSizes counts the documents of each class.
func (x *Index) ClassSizes() []uint32 {
	sizes := make([]uint32, len(x.Classes))
	for _, c := range x.labels {
		sizes[c]++
	}
	return sizes
}
