package store

import "context"

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

// countTokens adds the tokens of every term in a fixed order: per chunk of
// terms, then over the chunks, so that real values give the same bits for any
// number of workers.
func (x *Index) countTokens(ctx context.Context, threads int) error {
	chunks := x.view().chunks
	parts := make([]tokenSum, len(chunks))
	c := &counting{opt: VisitOptions{Tokens: true, Threads: threads}}
	err := x.visit(ctx, c, chunks, func(_, chunk int) Visitor {
		parts[chunk].classes = make([]float64, len(x.Classes)+1)
		return &parts[chunk]
	})
	if err != nil {
		return err
	}
	total, classes := 0.0, make([]float64, len(x.Classes))
	for _, p := range parts {
		total += p.total
		for c := range classes {
			classes[c] += p.classes[c]
		}
	}
	x.tokens, x.classTokens = total, classes
	return nil
}

// A tokenSum is the visitor that adds up tokens.
type tokenSum struct {
	total   float64
	classes []float64 // the last for documents without a class
}

// Row implements [Visitor].
func (s *tokenSum) Row(r *Row) {
	s.total += r.CF
	for i, c := range r.Class {
		s.classes[c] += r.S[i]
	}
}

// Singles implements [Visitor].
func (s *tokenSum) Singles(_ int, classes []uint32, tf []uint8) {
	for i, c := range classes {
		s.total += float64(tf[i])
		s.classes[c] += float64(tf[i])
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
