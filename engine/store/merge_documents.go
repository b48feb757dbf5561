package store

import (
	"context"
	"encoding/binary"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file numbers the documents of a merged index and writes the sections that
// describe them.

// A segment is a run of documents of a shard that stay together in the result.
type segment struct {
	shard    uint32
	from, to uint32 // documents of the shard
	first    uint32 // number of the first in the result
}

// segmentDocuments bounds the documents of a segment, so that what is written of them
// at once stays in the cache.
const segmentDocuments = 1 << 13

// mergeDocuments numbers the documents by their first class, then by shard.
func (m *merging) mergeDocuments(ctx context.Context) error {
	next, names := make([]int, len(m.shards)), uint64(0)
	for _, x := range m.shards {
		if err := x.Guard(x.ReadyDocuments); err != nil {
			return err
		}
		names += uint64(len(x.IDs.Text()))
		m.number = append(m.number, m.newClassShift(x))
	}
	if err := table.CheckNames(names); err != nil {
		return err
	}
	return m.run(ctx, 1, func(int) (err error) {
		if m.segments, err = files.Room[segment](&m.scratch, m.mostSegments()); err != nil {
			return err
		}
		m.segments = m.segments[:0]
		number := 0
		for class := range uint32(len(m.classes) + 1) {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			for i, x := range m.shards {
				m.number[i].delta[class] = uint32(number - next[i]) // modulo 2^32
				from := next[i]
				for next[i] < x.Documents() && m.firstClass(i, next[i]) == class {
					next[i]++
				}
				number = m.addSegments(uint32(i), from, next[i], number)
			}
		}
		return m.labelDocuments(ctx)
	})
}

// mostSegments returns an upper bound on the number of segments. With many classes and
// shards there may be nearly as many as documents.
func (m *merging) mostSegments() int {
	n := m.documents / segmentDocuments
	for i, x := range m.shards {
		for d := range x.Documents() {
			if d == 0 || m.firstClass(i, d) != m.firstClass(i, d-1) {
				n++
			}
		}
	}
	return n
}

// addSegments appends the documents [from, to) of a shard as segments. The first
// document gets the given number; it returns the number after the last.
func (m *merging) addSegments(shard uint32, from, to, number int) int {
	for ; from < to; from += segmentDocuments {
		end := min(from+segmentDocuments, to)
		m.segments = append(m.segments, segment{shard, uint32(from), uint32(end), uint32(number)})
		number += end - from
	}
	return number
}

// A classShift maps the documents of a shard to their numbers in the result. Documents
// of one first class stay together, so that their new numbers differ from the old by
// the same amount. The codes of the classes stay in the cache; a table with a number
// for each of a million documents would not.
type classShift struct {
	codes postings.Codes
	delta []uint32 // by first class of the result, modulo 2^32; at least byteCodes long
}

func (m *merging) newClassShift(x *postings.Index) classShift {
	shard := len(m.number)
	return classShift{
		postings.NewCodes(x.Documents(), len(m.classes), func(d int) uint32 { return m.firstClass(shard, d) }),
		make([]uint32, max(len(m.classes)+1, postings.ByteCodes)),
	}
}

// itemsOfCounts sets items to the new numbers of docs and their counts.
func (n *classShift) itemsOfCounts(items []uint64, docs []uint32, counts []uint8) {
	items, counts = items[:len(docs)], counts[:len(docs)]
	if bytes := n.codes.Bytes; bytes != nil {
		delta := (*[postings.ByteCodes]uint32)(n.delta)
		for i, d := range docs {
			items[i] = uint64(d+delta[bytes[d]])<<32 | uint64(counts[i])
		}
		return
	}
	for i, d := range docs {
		items[i] = uint64(d+n.delta[n.codes.Words[d]])<<32 | uint64(counts[i])
	}
}

// firstClass returns the first class of a document of a shard, as a class of the
// result; for an unlabelled document, the number after the last class.
func (m *merging) firstClass(shard, doc int) uint32 {
	own := m.shards[shard].Labels(doc)
	if len(own) == 0 {
		return uint32(len(m.classes))
	}
	return m.class[shard][own[0]]
}

// labelDocuments sets the labels of the documents.
func (m *merging) labelDocuments(ctx context.Context) (err error) {
	n := 0
	for _, x := range m.shards {
		n, m.multi = n+len(x.LabelOf), m.multi || x.Multi
	}
	if m.labelStart, err = files.Room[uint32](&m.scratch, m.documents+1); err != nil {
		return err
	}
	if m.labelOf, err = files.Room[uint32](&m.scratch, n); err != nil {
		return err
	}
	at := 0
	for i := range m.segments {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		s := &m.segments[i]
		x, class := m.shards[s.shard], m.class[s.shard]
		for d := s.from; d < s.to; d++ {
			for _, own := range x.Labels(int(d)) {
				m.labelOf[at] = class[own]
				at++
			}
			m.labelStart[s.first+d-s.from+1] = uint32(at)
		}
	}
	return nil
}

// putDocuments writes what f appends for each segment, in order.
func (m *merging) putDocuments(ctx context.Context, o *writer, f func(dst []byte, x *postings.Index, s *segment) []byte) error {
	return m.run(ctx, 1, func(int) error {
		var b []byte
		for i := range m.segments {
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			s := &m.segments[i]
			if b = f(b, m.shards[s.shard], s); len(b) < blockSize {
				continue
			}
			if err := o.append(b); err != nil {
				return err
			}
			b = b[:0]
		}
		return o.append(b)
	})
}

// appendNames appends the names of the documents of a segment.
func appendNames(dst []byte, x *postings.Index, s *segment) []byte {
	return append(dst, x.IDs.Text()[x.IDs.Offsets()[s.from]:x.IDs.Offsets()[s.to]]...)
}

// appendNameLengths appends the lengths of those names as varints.
func appendNameLengths(dst []byte, x *postings.Index, s *segment) []byte {
	for d := s.from; d < s.to; d++ {
		dst = binary.AppendUvarint(dst, uint64(x.IDs.Offsets()[d+1]-x.IDs.Offsets()[d]))
	}
	return dst
}

// appendPlaces returns a function that appends the places of the documents of a segment
// in the input. The places of a shard follow those of the shards before it.
func (m *merging) appendPlaces() func(dst []byte, x *postings.Index, s *segment) []byte {
	before := make([]uint32, len(m.shards)+1)
	for i, x := range m.shards {
		before[i+1] = before[i] + uint32(x.Documents())
	}
	return func(dst []byte, x *postings.Index, s *segment) []byte {
		for _, place := range x.Input[s.from:s.to] {
			dst = le.AppendUint32(dst, before[s.shard]+place)
		}
		return dst
	}
}
