package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file packs the lists of rare terms as they are in a file, in the form of Elias
// and Fano (Elias, Journal of the ACM 21(2), 1974): the low bits of every number, one
// after the other, then the high bits in unary, with a one for each number and a zero
// for each step of the high bits. A list of n of N documents takes about 2 + log2(N/n)
// bits per document, half of the four bytes in memory. The length depends on n and N
// only: where a list begins need not be stored, and the lengths in a file are known
// before its lists are made, which merging relies on.

// A packing is the form of the lists of df documents, at least 1, among documents.
type packing struct {
	df, documents int
	low           uint // number of low bits: log2(documents/df), rounded down
	size          int  // of a packed list, in bytes
}

// of returns the packing of lists of df documents. Neighbouring terms mostly have the
// same df, so that it mostly returns p.
func (p packing) of(df int) packing {
	if df == p.df {
		return p
	}
	low := bits.Len(uint(p.documents/df)) - 1
	return packing{df, p.documents, uint(low), (df*low + df + (p.documents-1)>>low + 7) / 8}
}

// append appends the packed form of docs, which ascend.
func (p packing) append(dst []byte, docs []uint32) []byte {
	from := len(dst)
	dst = slices.Grow(dst, p.size+8)[:from+p.size+8] // eight bytes are written at a time
	data, mask := dst[from:], uint64(1)<<p.low-1
	var word uint64 // bits not yet written, which belong at byte at
	have, at := uint(0), 0
	for _, d := range docs {
		word |= uint64(d) & mask << (have & 31)
		if have += p.low; have >= 32 {
			binary.LittleEndian.PutUint32(data[at:], uint32(word))
			word, have, at = word>>32, have-32, at+4
		}
	}
	for i, d := range docs {
		bit := have + uint(d>>(p.low&31)) + uint(i)
		for bit >= 64 {
			binary.LittleEndian.PutUint64(data[at:], word)
			word, at = 0, at+8
			have, bit = have-64, bit-64 // have may wrap around; the sum with it wraps back
		}
		word |= 1 << (bit & 63)
	}
	for ; at < p.size; at += 8 {
		binary.LittleEndian.PutUint64(data[at:], word)
		word = 0
	}
	return dst[:from+p.size]
}

// unpack writes the list packed in data to dst; data may have more bytes after the
// list. It reports whether the list is one that append writes: ascending numbers below
// documents, and no other bit set.
func (p packing) unpack(dst []uint32, data []byte) bool {
	if len(data) < p.size+8 { // eight bytes are read at a time
		data = append(make([]byte, 0, p.size+8), data[:p.size]...)[:p.size+8]
	}
	high, mask, last, i, at := p.df*int(p.low), uint64(1)<<p.low-1, int64(-1), 0, uint(0)
	dst = dst[:p.df]
	for begin := high / 8; begin < p.size; begin += 8 {
		word := binary.LittleEndian.Uint64(data[begin:])
		if begin == high/8 {
			word = word >> (high % 8) << (high % 8) // without the low bits in this byte
		}
		if rest := 8 * (p.size - begin); rest < 64 {
			word &= 1<<rest - 1
		}
		for first := 8*begin - high; word != 0; word &= word - 1 {
			if i >= len(dst) {
				return false
			}
			low := binary.LittleEndian.Uint64(data[at/8:at/8+8]) >> (at % 8) & mask
			d := uint64(first+bits.TrailingZeros64(word)-i)<<(p.low&31) | low
			if int64(d) <= last {
				return false
			}
			dst[i], last = uint32(d), int64(d)
			i, at = i+1, at+p.low
		}
	}
	return i == len(dst) && last < int64(p.documents)
}

// The lists of a group of terms are
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
