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
func (s *Table) Hash() string {
	var h xxh3.Hasher
	for _, name := range s.ClassNames {
		_, _ = h.WriteString(name)
		_, _ = h.Write([]byte{0})
	}
	for _, numbers := range [][]float64{{s.Cells.Documents, s.Cells.Labelled, s.Cells.Tokens}, s.Cells.ClassDocs, s.Cells.ClassTokens} {
		hashNumbers(&h, numbers)
	}
	hashNumbers(&h, s.Cells.DF)
	s.hashClasses(&h)
	for _, c := range []*Column{&s.Cells.CF, &s.Cells.A, &s.Cells.S, &s.Cells.Q} {
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
func (s *Table) hashClasses(h *xxh3.Hasher) {
	const part = 4096 // cells
	var classes []uint32
	for from := 0; from < s.Cells.Len(); from += part {
		classes = s.Cells.Class.Read(classes, from, min(from+part, s.Cells.Len()))
		hashNumbers(h, classes)
	}
}
