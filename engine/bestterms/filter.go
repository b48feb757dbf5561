package bestterms

import (
	"fmt"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// A Filter tells which classes a document may be in: those it has a positive term of. It
// is outside all others, which no classifier need be asked for. A Filter is immutable and
// safe for concurrent use.
type Filter struct {
	// Classes are the classes of the [Choice], in its order.
	Classes []string

	selectionClass []int // by class: its place among the selection's classes
	// classes[classStart[i]:classStart[i+1]] are the classes that feature i is positive
	// for, ascending.
	classStart []uint32
	classes    []uint32
}

// Filter makes the filter for rows over the features of a selection. A selection that
// lacks a positive term, or a class, would leave out documents of the class: Filter then
// returns a [usage.ErrContradiction].
func (b *Choice) Filter(s *selection.Selection) (*Filter, error) {
	feature := make(map[string]int, len(s.Features))
	for i, f := range s.Features {
		feature[f.Term] = i
	}
	place := make(map[string]int, len(s.Classes))
	for i, c := range s.Classes {
		place[c] = i
	}
	classes := make([][]uint32, len(s.Features))
	f := &Filter{classStart: make([]uint32, 1, len(s.Features)+1)}
	for i, c := range b.Classes {
		own, ok := place[c.Class]
		if !ok {
			return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, usage.Cut(c.Class))
		}
		f.Classes, f.selectionClass = append(f.Classes, c.Class), append(f.selectionClass, own)
		for _, t := range c.Positive {
			at, ok := feature[t.Term]
			if !ok {
				return nil, fmt.Errorf("%w: it lacks %q, a positive term of %q; take both from the same corpus",
					usage.ErrContradiction, usage.Cut(t.Term), usage.Cut(c.Class))
			}
			classes[at] = append(classes[at], uint32(i))
		}
	}
	for _, list := range classes {
		f.classes = append(f.classes, list...)
		f.classStart = append(f.classStart, uint32(len(f.classes)))
	}
	return f, nil
}

// Possible appends to dst the places in Classes of the classes that the document of row r
// may be in, ascending.
func (f *Filter) Possible(dst []int, r vectors.Row) []int {
	from := len(dst)
	for _, index := range r.Index {
		if uint64(index) >= uint64(len(f.classStart)) {
			continue // no feature of the selection
		}
		for _, c := range f.classes[f.classStart[index-1]:f.classStart[index]] {
			dst = append(dst, int(c))
		}
	}
	slices.Sort(dst[from:])
	return dst[:from+len(slices.Compact(dst[from:]))]
}

// OneAgainstRest yields the rows that a binary classifier of one class learns from: those
// that may be in the class, with the single label 1 if they are and -1 if not. class is a
// place in Classes. The labels of a row are valid until the next one.
func (f *Filter) OneAgainstRest(class int, in iter.Seq2[vectors.Row, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		var possible []int
		var label [1]int
		for r, err := range in {
			if err != nil {
				yield(vectors.Row{}, err)
				return
			}
			if possible = f.Possible(possible[:0], r); !slices.Contains(possible, class) {
				continue
			}
			label[0] = -1
			if slices.Contains(r.Labels, f.selectionClass[class]) {
				label[0] = 1
			}
			r.Labels = label[:]
			if !yield(r, nil) {
				return
			}
		}
	}
}
