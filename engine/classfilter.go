package engine

import (
	"fmt"
	"iter"
	"slices"
)

// A ClassFilter says for a document which classes it may be in: those of which it has a
// positive term. It is outside all others, and no classifier need be asked. It is
// immutable and safe for concurrent use.
type ClassFilter struct {
	// Classes are those of the [BestTerms], in its order.
	Classes []string

	own   []int    // by class: its place among the selection's classes
	first []uint32 // feature -> the first of its classes; and the end
	class []uint32 // by feature the classes that it is positive for, ascending
}

// Filter makes the filter for rows over the features of a selection. One that lacks a
// positive term, or a class, would leave documents out that belong to it: it is refused
// with [ErrContradiction].
func (b *BestTerms) Filter(s *Selection) (*ClassFilter, error) {
	feature := make(map[string]int, len(s.Features))
	for i, f := range s.Features {
		feature[f.Term] = i
	}
	place := make(map[string]int, len(s.Classes))
	for i, c := range s.Classes {
		place[c] = i
	}
	classes := make([][]uint32, len(s.Features))
	f := &ClassFilter{first: make([]uint32, 1, len(s.Features)+1)}
	for i, c := range b.Classes {
		own, ok := place[c.Class]
		if !ok {
			return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", ErrContradiction, cut(c.Class))
		}
		f.Classes, f.own = append(f.Classes, c.Class), append(f.own, own)
		for _, t := range c.Positive {
			at, ok := feature[t.Term]
			if !ok {
				return nil, fmt.Errorf("%w: it lacks %q, a positive term of %q; take both from the same corpus",
					ErrContradiction, cut(t.Term), cut(c.Class))
			}
			classes[at] = append(classes[at], uint32(i))
		}
	}
	for _, list := range classes {
		f.class = append(f.class, list...)
		f.first = append(f.first, uint32(len(f.class)))
	}
	return f, nil
}

// Possible appends the places in Classes of those that a row may be in, ascending.
func (f *ClassFilter) Possible(dst []int, r Row) []int {
	from := len(dst)
	for _, index := range r.Index {
		if uint64(index) >= uint64(len(f.first)) {
			continue // no feature of the selection
		}
		for _, c := range f.class[f.first[index-1]:f.first[index]] {
			dst = append(dst, int(c))
		}
	}
	slices.Sort(dst[from:])
	return dst[:from+len(slices.Compact(dst[from:]))]
}

// OneAgainstRest leaves of rows what a binary classifier of one class learns from: the
// documents that may be in it, with the label 1 if they are and -1 if not. class is a
// place in Classes.
func (f *ClassFilter) OneAgainstRest(class int, in iter.Seq2[Row, error]) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var possible []int
		var label [1]int
		for r, err := range in {
			if err != nil {
				yield(Row{}, err)
				return
			}
			if possible = f.Possible(possible[:0], r); !slices.Contains(possible, class) {
				continue
			}
			label[0] = -1
			if slices.Contains(r.Labels, f.own[class]) {
				label[0] = 1
			}
			r.Labels = label[:]
			if !yield(r, nil) {
				return
			}
		}
	}
}
