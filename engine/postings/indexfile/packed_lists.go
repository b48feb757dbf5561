package indexfile

import (
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file unpacks the packed lists of an index. The lists of a group of terms are
// unpacked when one of them is first needed, and are kept.

// placePacked computes where the packed lists of each group of terms begin, from the
// group of the first short list on, and where the last ends.
func (x *indexFile) placePacked() {
	first, terms := x.FirstShort()/groupTerms, len(x.DocFreq)
	x.packedAt = make([]uint64, 1, (terms+groupTerms-1)/groupTerms-first+1)
	p, at := packing{documents: x.Documents()}, uint64(0)
	for g := first; g*groupTerms < terms; g++ {
		from, to := max(g*groupTerms, x.FirstShort()), min((g+1)*groupTerms, terms)
		for t := from; t < to; {
			p = p.of(int(x.DocFreq[t]))
			n := 1
			if x.DocFreq[t] == x.DocFreq[to-1] { // df descends: the remaining lists are as long
				n = to - t
			}
			at += uint64(n * p.size)
			t += n
		}
		x.packedAt = append(x.packedAt, at)
	}
}

// unpackLists verifies and unpacks the short lists of a group of terms.
func (x *indexFile) unpackLists(terms pool.Range) error {
	group := terms.From/groupTerms - x.FirstShort()/groupTerms
	from, to := int(x.packedAt[group]), int(x.packedAt[group+1])
	if err := x.body.verify(flatSection, from, to); err != nil {
		return err
	}
	data, p := x.body.content(flatSection), packing{documents: x.Documents()}
	for t := max(terms.From, x.FirstShort()); t < terms.To; t++ {
		p = p.of(int(x.DocFreq[t]))
		if p.df == 1 && p.unpackSingles(x.Flat[x.Start[t]-x.FirstFlat():][:terms.To-t], data[from:]) {
			return nil // df descends: the lists that are left are as long
		}
		if !p.unpack(x.ShortList(t), data[from:]) {
			return files.Broken("flat", from, files.ErrFormat, "the list of term %d is not ascending, out of range or of another length", t)
		}
		from += p.size
	}
	return nil
}

// packLists returns the packed short lists of all terms.
func packLists(x *postings.Index) []byte {
	p, size := packing{documents: x.Documents()}, 0
	for _, df := range x.DocFreq[x.FirstShort():] {
		p = p.of(int(df))
		size += p.size
	}
	packed, rest := make([]byte, 0, size+8), x.Flat
	for _, df := range x.DocFreq[x.FirstShort():] {
		p = p.of(int(df))
		packed, rest = p.append(packed, rest[:df]), rest[df:]
	}
	return packed
}
