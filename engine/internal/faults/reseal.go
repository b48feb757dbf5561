package faults

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// This file makes the sums of changed files right again, as somebody does who means to deceive a reader.
// It is written from FORMAT.md. [Edit] makes the changes.

var le = binary.LittleEndian

const (
	headerSize  = 64
	footerSize  = 64
	cellSection = 16
	numSections = 19
)

// Seal makes all sums of an index or a file of statistics right, as far as its parts can be found.
func Seal(data []byte) {
	end := len(data) - footerSize
	if end < headerSize {
		return
	}
	parts(data, func(_ int, entry, block []byte, _ int) { le.PutUint64(entry[4:], xxh3.Hash(block)) })
	if contents := contents(data); contents != nil {
		le.PutUint64(data[end+16:], xxh3.Hash(contents))
	}
	le.PutUint64(data[end+48:], xxh3.Hash(data[end:end+48]))
	le.PutUint64(data[56:], xxh3.Hash(data[:56]))
}

// contents returns the contents of a file, nil if they are not where they should be.
func contents(data []byte) []byte {
	end := len(data) - footerSize
	at, length := le.Uint64(data[end:]), le.Uint64(data[end+8:])
	if at > uint64(end) || length > uint64(end)-at {
		return nil
	}
	return data[at : at+length]
}

// parts calls f for the blocks of a file that can be found: with the number of their section, their entries in the
// contents, their bytes, and how many of these are padding.
func parts(data []byte, f func(kind int, entry, block []byte, padding int)) {
	at, end := headerSize, len(data)-footerSize
	for rest := contents(data); len(rest) >= 16; {
		kind, blocks, left := le.Uint32(rest), le.Uint32(rest[4:]), le.Uint64(rest[8:])
		for rest = rest[16:]; blocks > 0 && len(rest) >= 12; blocks, rest = blocks-1, rest[12:] {
			n := int(le.Uint32(rest))
			if n > end-at {
				return
			}
			own := min(uint64(n), left)
			f(int(kind), rest, data[at:at+n], n-int(own))
			at, left = at+n, left-own
		}
	}
}
