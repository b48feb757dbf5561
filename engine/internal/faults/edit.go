package faults

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/zeebo/xxh3"
)

// elements are the bytes of the elements of the sections.
var elements = [numSections]int{1, 1, 4, 4, 4, 1, 1, 4, 1, 1, 8, 1, 8, 4, 4, 8, 1, 8, 1}

// Edit changes an element of a section of an index or a file of statistics, whose sums are then wrong: by one, to
// another one of the section, to a number at which something may overflow, or by a bit. It copies
// and swaps longer pieces, too, as names are.
func Edit(r *rand.Rand, data []byte) {
	var kinds []int // that the file has
	blocks := map[int][][]byte{}
	parts(data, func(kind int, _, block []byte, padding int) {
		if kind < numSections && len(block) > padding {
			if blocks[kind] == nil {
				kinds = append(kinds, kind)
			}
			blocks[kind] = append(blocks[kind], block[:len(block)-padding])
		}
	})
	if len(kinds) == 0 {
		return
	}
	kind := kinds[r.IntN(len(kinds))]
	block := blocks[kind][r.IntN(len(blocks[kind]))]
	if kind == cellSection {
		editCells(r, block)
		return
	}
	edit(r, block, elements[kind])
}

// editCells changes the names, a column or the escapes of a block of cells.
func editCells(r *rand.Rand, b []byte) {
	if len(b) < 16 {
		return
	}
	terms, cells, text, escapes := int(le.Uint32(b)), int(le.Uint32(b[4:])), int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))
	body, names := b[16:], 0
	if text > 0 {
		names = terms + text
	}
	lists := len(body) - 8*escapes
	switch r.IntN(6) {
	case 0:
		edit(r, body[:min(names, len(body))], 1)
	case 1:
		if escapes > 0 && lists >= 0 {
			edit(r, body[lists:], 8)
		}
	default: // a column, of terms or of cells
		for from := names; from < lists; {
			n := max(terms, 1)
			if r.IntN(2) == 0 {
				n = max(cells, 1)
			}
			if r.IntN(5) == 0 {
				edit(r, body[from:min(from+n, lists)], 1)
				return
			}
			from += n
		}
	}
}

// edit changes an element of a part.
func edit(r *rand.Rand, part []byte, size int) {
	if len(part) < size {
		return
	}
	at, other := size*r.IntN(len(part)/size), size*r.IntN(len(part)/size)
	element := part[at : at+size]
	switch r.IntN(6) {
	case 0:
		add(element, 1)
	case 1:
		add(element, -1)
	case 2:
		copy(element, part[other:other+size])
	case 3:
		for n := size * (1 + r.IntN(8)); at+n <= len(part) && other+n <= len(part) && n > 0; n = 0 { // swaps pieces
			if at+n <= other || other+n <= at {
				for i := range n {
					part[at+i], part[other+i] = part[other+i], part[at+i]
				}
			} else {
				copy(part[at:at+n], part[other:other+n])
			}
		}
	case 4:
		extremes(r, element)
	default:
		element[r.IntN(size)] ^= 1 << r.IntN(8)
	}
}

// add adds to a number of so many bytes, which may be one of floating point.
func add(element []byte, n int) {
	switch len(element) {
	case 8:
		if v := math.Float64frombits(le.Uint64(element)); v >= 1 && v < 1<<62 && n > 0 {
			le.PutUint64(element, math.Float64bits(v+float64(n)))
			return
		}
		le.PutUint64(element, le.Uint64(element)+uint64(n))
	case 4:
		le.PutUint32(element, le.Uint32(element)+uint32(n))
	default:
		element[0] += byte(n)
	}
}

// extremes sets an element to a number at which something may overflow.
func extremes(r *rand.Rand, element []byte) {
	switch len(element) {
	case 8:
		numbers := []uint64{0, 1, 1 << 31, 1<<32 - 1, 1 << 53, 1 << 63, 1<<64 - 1}
		for _, v := range []float64{1, 254, 255, 1 << 31, 1<<32 - 1, 1 << 53, 1 << 63, 1e300, math.MaxFloat64, 5e-324} {
			numbers = append(numbers, math.Float64bits(v))
		}
		le.PutUint64(element, numbers[r.IntN(len(numbers))])
	case 4:
		numbers := []uint32{0, 1, 255, 1<<24 + 1, 1 << 31, 1<<32 - 1, math.Float32bits(1), math.Float32bits(1 << 63), math.Float32bits(math.MaxFloat32), 1}
		le.PutUint32(element, numbers[r.IntN(len(numbers))])
	default:
		element[0] = []byte{0, 1, 2, 0x7f, 0x80, 0xfe, 0xff}[r.IntN(7)]
	}
}

// What follows makes the sums of changed files right again, as somebody does who means to deceive a reader.
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
