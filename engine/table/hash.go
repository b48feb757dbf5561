package table

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"
)

// Hash returns a hash of the counts, of 16 hexadecimal digits and below 2^60: the input
// hash of statistics whose documents nobody has read. It does not depend on the names of
// terms.
func (t *Table) Hash() string {
	var h xxh3.Hasher
	for _, name := range t.ClassNames {
		_, _ = h.WriteString(name)
		_, _ = h.Write([]byte{0})
	}
	for _, numbers := range [][]float64{{t.Cells.Documents, t.Cells.Labelled, t.Cells.Tokens}, t.Cells.ClassDocs, t.Cells.ClassTokens} {
		hashNumbers(&h, numbers)
	}
	hashNumbers(&h, t.Cells.DF)
	t.hashClasses(&h)
	for _, c := range []*Column{&t.Cells.CF, &t.Cells.A, &t.Cells.S, &t.Cells.Q} {
		_, _ = h.Write(c.Bytes())
		hashNumbers(&h, c.Escaped())
	}
	return fmt.Sprintf("%016x", h.Sum64()>>4)
}

// hashNumbers hashes numbers as they lie in a file.
func hashNumbers[T uint32 | float64](h *xxh3.Hasher, numbers []T) {
	var data []byte
	for part := range slices.Chunk(numbers, 4096) {
		data, _ = binary.Append(data[:0], binary.LittleEndian, part)
		_, _ = h.Write(data)
	}
}

// hashClasses hashes the classes of the cells as numbers of four bytes.
func (t *Table) hashClasses(h *xxh3.Hasher) {
	const part = 4096 // cells
	var classes []uint32
	for from := 0; from < t.Cells.Len(); from += part {
		classes = t.Cells.Class.Read(classes, from, min(from+part, t.Cells.Len()))
		hashNumbers(h, classes)
	}
}
