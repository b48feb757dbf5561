package store

import "github.com/termsift/termsift/engine/pool"

// ClassCodes returns the class of each document in the sample; the number of classes stands
// for an unlabelled one. It returns nil unless documents count once each, have one label at
// most, and there are few classes: up to 255. The slice must not be modified.
func (s *Sample) ClassCodes() []uint8 {
	if s.x.multi || s.weights != nil {
		return nil
	}
	return s.codes.bytes
}

// FirstShort returns the first term whose documents [Index.ShortLists] returns, as those
// of all later terms.
func (x *Index) FirstShort() int { return x.numDense() }

// ShortLists returns the documents of the terms of a range from [Index.FirstShort] on, term
// by term. It must be called, and the slice be read, within a function that [Index.Run] or
// [Index.Guard] runs.
func (x *Index) ShortLists(terms pool.Range) ([]uint32, error) {
	if err := x.ready(terms, false); err != nil {
		return nil, err
	}
	base := x.start[x.numDense()]
	return x.flat[x.start[terms.From]-base : x.start[terms.To]-base], nil
}
