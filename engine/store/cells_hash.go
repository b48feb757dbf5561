package store

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/cells"
)

// Hash returns a hash of the counts, of 16 hexadecimal digits and below 2^60: the input
// hash of statistics whose documents nobody has read. It does not depend on the names of
// terms.
func (s *Statistics) Hash() string {
	var h xxh3.Hasher
	for _, name := range s.Classes {
		_, _ = h.WriteString(name)
		_, _ = h.Write([]byte{0})
	}
	for _, numbers := range [][]float64{{s.Documents, s.Labelled, s.Tokens}, s.ClassDocs, s.ClassTokens} {
		_, _ = h.Write(bytesOf(numbers))
	}
	_, _ = h.Write(bytesOf(s.DF))
	s.hashClasses(&h)
	for _, c := range []*cells.Column{&s.CF, &s.A, &s.S, &s.Q} {
		_, _ = h.Write(c.Bytes())
		_, _ = h.Write(bytesOf(c.Escaped()))
	}
	return fmt.Sprintf("%016x", h.Sum64()>>4)
}

// hashClasses hashes the classes of the cells as numbers of four bytes.
func (s *Statistics) hashClasses(h *xxh3.Hasher) {
	const part = 4096 // cells
	var classes []uint32
	for from := 0; from < s.Len(); from += part {
		classes = s.Class.Read(classes, from, min(from+part, s.Len()))
		_, _ = h.Write(bytesOf(classes))
	}
}
