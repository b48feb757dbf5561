package faults

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// This file makes the sums of changed files right again, as somebody does who means to deceive a reader.
// It is written from FORMAT.md. [EditIndex] and [EditStatistics] make the changes.

var le = binary.LittleEndian

// The frame of an index file.
const (
	headerSize  = 64
	footerSize  = 64
	entrySize   = 32
	numSections = 27
	sumSection  = numSections - 1
	blockSize   = 1 << 16
)

// aligned returns n rounded up to a multiple of 64.
func aligned(n uint64) uint64 { return (n + 63) &^ 63 }

// contents returns the table of contents of an index file, nil if it is not where it should be.
func contents(data []byte) []byte {
	end := len(data) - footerSize
	if end < headerSize {
		return nil
	}
	at, length := le.Uint64(data[end:]), le.Uint64(data[end+8:])
	if at > uint64(end) || length > uint64(end)-at || length != numSections*entrySize {
		return nil
	}
	return data[at : at+length]
}

// section returns a section with its padding, and its length without; nil if it is not in the file.
func section(data, contents []byte, kind int) (padded []byte, n int) {
	end := uint64(len(data) - footerSize)
	e := contents[kind*entrySize:]
	offset, length := le.Uint64(e[8:]), le.Uint64(e[16:])
	if offset > end || length > end-offset || offset+aligned(length) > end {
		return nil, 0
	}
	return data[offset : offset+aligned(length)], int(length)
}

// SealIndex makes all sums of an index file right, as far as there are sections.
func SealIndex(data []byte) {
	end := len(data) - footerSize
	if end < headerSize {
		return
	}
	if table := contents(data); table != nil {
		sealSections(data, table)
		le.PutUint64(data[end+16:], xxh3.Hash(table))
	}
	le.PutUint64(data[end+48:], xxh3.Hash(data[end:end+48]))
	le.PutUint64(data[56:], xxh3.Hash(data[:56]))
}

func sealSections(data, table []byte) {
	var sums []byte
	for kind := range numSections {
		padded, _ := section(data, table, kind)
		sum := table[kind*entrySize+24:]
		if padded == nil {
			return
		}
		if kind == sumSection {
			copy(padded, sums)
			le.PutUint64(sum, xxh3.Hash(padded))
			return
		}
		first := len(sums)
		for at := 0; at < len(padded); at += blockSize {
			sums = le.AppendUint64(sums, xxh3.Hash(padded[at:min(at+blockSize, len(padded))]))
		}
		le.PutUint64(sum, xxh3.Hash(sums[first:]))
	}
}

// SealStatistics makes all sums of a file of statistics right, as far as its parts can be found.
func SealStatistics(data []byte) {
	le.PutUint64(data[24:], xxh3.Hash(data[:24]))
	head, blocks, table := statisticsParts(data)
	if head != nil {
		le.PutUint64(head[len(head)-8:], xxh3.Hash(head[:len(head)-8]))
	}
	for _, b := range blocks {
		le.PutUint64(b[len(b)-8:], xxh3.Hash(b[:len(b)-8]))
	}
	foot := data[len(data)-80:]
	if table != nil {
		le.PutUint64(foot[16:], xxh3.Hash(table))
	}
	le.PutUint64(foot[64:], xxh3.Hash(foot[:64]))
}

// statisticsParts returns the head of a file of statistics, its blocks, each with its sum, and the
// table, as far as they can be found.
func statisticsParts(data []byte) (head []byte, blocks [][]byte, table []byte) {
	end := uint64(len(data) - 80)
	place, length := le.Uint64(data[end:]), le.Uint64(data[16:])
	if place > end || length > place || 32+length+8 > place {
		return nil, nil, nil
	}
	at, list := 32+length+8, data[place:end]
	head, table = data[32:at], list
	for len(list) > 0 {
		n, a := binary.Uvarint(list)
		if a <= 0 || n < 24 || n > place-at {
			break
		}
		_, b := binary.Uvarint(list[a:])
		name, c := binary.Uvarint(list[a+max(b, 0):])
		if b <= 0 || c <= 0 || name > uint64(len(list)-a-b-c) {
			break
		}
		blocks = append(blocks, data[at:at+n])
		at, list = at+n, list[a+b+c+int(name):]
	}
	return head, blocks, table
}
