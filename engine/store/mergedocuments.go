package store

import (
	"context"
	"encoding/binary"
)

// This file numbers the documents of a merged index and writes the sections that
// describe them.

// A segment is a run of documents of a shard that stay together.
type segment struct {
	shard    uint32
	from, to int // documents of the shard
	first    int // number of the first in the result
}

// segmentDocuments is the most documents of a segment: what is written of them at once
// stays in the cache.
const segmentDocuments = 1 << 13

// mergeDocuments numbers the documents: by their first class, then by shard.
func (m *merging) mergeDocuments(ctx context.Context) error {
	next := make([]int, len(m.shards))
	for _, x := range m.shards {
		if err := x.Guard(x.readyDocuments); err != nil {
			return err
		}
		m.number = append(m.number, m.newClassShift(x))
	}
	return m.run(ctx, 1, func(int) error {
		number := 0
		for class := range uint32(len(m.classes) + 1) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
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
		return nil
	})
}

// addSegments adds the documents [from, to) of a shard, the first of which gets a number,
// and returns the next one.
func (m *merging) addSegments(shard uint32, from, to, number int) int {
	for ; from < to; from += segmentDocuments {
		end := min(from+segmentDocuments, to)
		m.segments = append(m.segments, segment{shard, from, end, number})
		number += end - from
	}
	return number
}

// A classShift gives the documents of a shard their numbers in the result. Those of
// one first class stay together, so that their numbers differ by the same from the old
// ones; the codes of the classes stay in the cache, which a number for each of a
// million documents would not.
type classShift struct {
	codes codes
	delta []uint32 // by first class of the result, modulo 2^32; for all codes of a byte
}

func (m *merging) newClassShift(x *Index) classShift {
	shard := len(m.number)
	return classShift{
		newCodes(x.Documents(), len(m.classes), func(d int) uint32 { return m.firstClass(shard, d) }),
		make([]uint32, max(len(m.classes)+1, byteCodes)),
	}
}

// itemsOfCounts makes items of documents and their counts.
func (n *classShift) itemsOfCounts(items []uint64, docs []uint32, counts []uint8) {
	items, counts = items[:len(docs)], counts[:len(docs)]
	c := &n.codes
	switch {
	case c.blocks != nil:
		delta, blocks, bytes := (*[byteCodes]uint32)(n.delta), c.blocks, c.bytes
		for i, d := range docs {
			items[i] = uint64(d+delta[inBlock(d, blocks, bytes)])<<32 | uint64(counts[i])
		}
	case c.bytes != nil:
		itemsOfCounts(items, docs, counts, c.bytes, n.delta)
	case c.shorts != nil:
		itemsOfCounts(items, docs, counts, c.shorts, n.delta)
	default:
		itemsOfCounts(items, docs, counts, c.words, n.delta)
	}
}

func itemsOfCounts[C codeWidth](items []uint64, docs []uint32, counts []uint8, codes []C, delta []uint32) {
	for i, d := range docs {
		items[i] = uint64(d+delta[codes[d]])<<32 | uint64(counts[i])
	}
}

// itemsOfValues is itemsOfCounts for values that have places from first on. The
// documents have been renumbered.
func itemsOfValues(items []uint64, docs []uint32, first int) {
	for i, d := range docs {
		items[i] = uint64(d)<<32 | uint64(first+i)
	}
}

// firstClass is that of the result; behind the last for an unlabelled document.
func (m *merging) firstClass(shard, doc int) uint32 {
	own := m.shards[shard].Labels(doc)
	if len(own) == 0 {
		return uint32(len(m.classes))
	}
	return m.class[shard][own[0]]
}

// reckonDocuments gives the sections of the documents their lengths.
func (m *merging) reckonDocuments() {
	labels := 0
	for _, x := range m.shards {
		m.lengths[documentText] += len(x.ids.text)
		for d := range x.Documents() {
			m.lengths[documentLengths] += varintBytes(int(x.ids.offsets[d+1] - x.ids.offsets[d]))
		}
		labels += len(x.labels)
	}
	m.lengths[inputPlaces] = 4 * m.documents
	m.lengths[labelStarts] = 4 * (m.documents + 1)
	m.lengths[labelSection] = 4 * labels
}

// varintBytes is the length of a number as a varint.
func varintBytes(n int) int {
	var b [binary.MaxVarintLen64]byte
	return binary.PutUvarint(b[:], uint64(n))
}

// putDocuments writes what f appends for the segments, in their order.
func (m *merging) putDocuments(ctx context.Context, o *fileWriter, f func(dst []byte, x *Index, s *segment) []byte) error {
	return m.run(ctx, 1, func(int) error {
		var b []byte
		for i := range m.segments {
			if ctx.Err() != nil {
				return context.Cause(ctx)
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

func appendNames(dst []byte, x *Index, s *segment) []byte {
	return append(dst, x.ids.text[x.ids.offsets[s.from]:x.ids.offsets[s.to]]...)
}

func appendNameLengths(dst []byte, x *Index, s *segment) []byte {
	for d := s.from; d < s.to; d++ {
		dst = binary.AppendUvarint(dst, uint64(x.ids.offsets[d+1]-x.ids.offsets[d]))
	}
	return dst
}

// appendPlaces appends the places of documents in the input, in which those of a shard
// come behind those of the shards before.
func (m *merging) appendPlaces() func(dst []byte, x *Index, s *segment) []byte {
	before := make([]uint32, len(m.shards)+1)
	for i, x := range m.shards {
		before[i+1] = before[i] + uint32(x.Documents())
	}
	return func(dst []byte, x *Index, s *segment) []byte {
		for _, place := range x.input[s.from:s.to] {
			dst = le.AppendUint32(dst, before[s.shard]+place)
		}
		return dst
	}
}

// appendLabelStarts appends where the labels of each document begin, and with the last
// one where they end.
func (m *merging) appendLabelStarts() func(dst []byte, x *Index, s *segment) []byte {
	labels := uint32(0)
	return func(dst []byte, x *Index, s *segment) []byte {
		first := x.labelStart[s.from]
		for _, start := range x.labelStart[s.from+1 : s.to+1] {
			dst = le.AppendUint32(dst, labels+start-first)
		}
		labels += x.labelStart[s.to] - first
		return dst
	}
}

func (m *merging) appendLabels(dst []byte, x *Index, s *segment) []byte {
	for _, class := range x.labels[x.labelStart[s.from]:x.labelStart[s.to]] {
		dst = le.AppendUint32(dst, m.class[s.shard][class])
	}
	return dst
}
