package store

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// Totals are the counts of the whole corpus, which all terms share. Tokens and what belongs to them
// are 0 and nil unless asked for.
type Totals = table.Margins

// Totals returns the numbers of documents and, if tokens is set, of tokens. The first
// call with tokens makes a pass over the postings; the result is kept.
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

// countTokens computes x.tokens and x.classTokens in a pass over all terms.
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

// addParts returns the sums of the tokens of all chunks. Tokens are always summed
// within each chunk of terms, then over the chunks, so that the sums of real values
// have the same bits for any number of workers, and whether they are counted or come
// from cells.
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

// A tokenPart holds the tokens of one chunk of terms, in all and for the classes in
// which its terms occur. All parts together have no more entries than there are cells.
type tokenPart struct {
	total  float64
	class  []uint32
	tokens []float64
}

// A tokenSum is a [Visitor] that sums the tokens of one chunk after another.
type tokenSum struct {
	part    *tokenPart
	classes []float64 // all zero between chunks; the last is for unlabelled documents
	met     []uint32
}

// begin finishes the current chunk and starts that of part.
func (s *tokenSum) begin(part *tokenPart, classes int) {
	if s.classes == nil {
		s.classes = make([]float64, classes+1)
	}
	s.end()
	s.part = part
}

// end stores the sums of the current chunk in its part.
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

// addTile adds the tokens of a tile of cells.
func (s *tokenSum) addTile(t *table.Tile) {
	for _, cf := range t.CF {
		s.part.total += cf
	}
	for i, c := range t.Class {
		s.add(c, t.S[i])
	}
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

// ClassSizes returns the number of documents of each class.
func (x *Index) ClassSizes() []uint32 {
	sizes := make([]uint32, len(x.Classes))
	if !x.multi {
		for from := 0; from < len(x.labels); {
			n := runLength(x.labels[from:])
			sizes[x.labels[from]] = uint32(n)
			from += n
		}
		return sizes
	}
	for _, c := range x.labels {
		sizes[c]++
	}
	return sizes
}

// runLength returns how many of the first labels, which ascend, are the same. It takes
// steps of one, two, four, ...: a million increments of fifty counters took 3 ms.
func runLength(labels []uint32) int {
	end := 1
	for end < len(labels) && labels[end] == labels[0] {
		end *= 2
	}
	end = min(end, len(labels))
	from := end / 2 // of the run
	n, _ := slices.BinarySearch(labels[from:end], labels[0]+1)
	return from + n
}
