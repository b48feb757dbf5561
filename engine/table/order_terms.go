package table

import (
	"context"

	"github.com/termsift/termsift/engine/usage"
)

// OrderedTerms are terms in the order of an index.
type OrderedTerms struct {
	Order []uint32 // which of the terms that were given is this one
	Terms *Dictionary
}

// OrderTerms puts n terms, each of another name, into the order of an index. The function gives
// the name and the document frequency of a term. It returns an error if the names are too long
// together.
func OrderTerms(ctx context.Context, n int, term func(i int) (name string, df uint32)) (*OrderedTerms, error) {
	keys, names, dfOf := make([]TermKey, n), make(nameList, n), make([]uint32, n)
	size := uint64(0)
	for i := range keys {
		names[i], dfOf[i] = term(i)
		keys[i] = NewTermKey(names[i], uint32(i))
		size += uint64(len(names[i]))
	}
	if err := CheckNames(size); err != nil {
		return nil, err
	}
	SortTerms(keys, make([]TermKey, n), names)
	if ctx.Err() != nil {
		return nil, usage.Cause(ctx)
	}
	df := make([]uint32, n)
	for i, k := range keys {
		df[i] = dfOf[k.ID]
	}
	sorted, order := PlacesByDF(df), make([]uint32, n)
	for i, t := range sorted {
		order[t] = keys[i].ID
	}
	text, ends := make([]byte, 0, size), make([]uint32, 1, n+1)
	for _, i := range order {
		text = append(text, names[i]...)
		ends = append(ends, uint32(len(text)))
	}
	return &OrderedTerms{order, NewDictionary(string(text), ends, sorted)}, nil
}

// A nameList gives names by their places.
type nameList []string

// Term implements termer.
func (l nameList) Term(id int) string { return l[id] }
