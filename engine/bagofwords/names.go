package bagofwords

import (
	"encoding/binary"
	"math/bits"

	"github.com/termsift/termsift/engine/analysis"
)

// A speller gives names in pieces: integers that order names that are alike before them. Beyond its end a name
// has pieces of 0.
type speller interface {
	names() int
	piece(name uint32, i int) uint64
	length(name uint32) int // in units of which a piece has several
	unitsOfPiece() int
}

// A byteSpeller spells names by their bytes, eight to a piece.
type byteSpeller struct {
	n  int
	at func(name uint32) []byte
}

func (s byteSpeller) names() int { return s.n }

func (s byteSpeller) unitsOfPiece() int { return 8 }

func (s byteSpeller) length(name uint32) int { return len(s.at(name)) }

func (s byteSpeller) piece(name uint32, i int) uint64 {
	b := s.at(name)
	if 8*i+8 <= len(b) {
		return binary.BigEndian.Uint64(b[8*i:])
	}
	var padded [8]byte
	if 8*i < len(b) {
		copy(padded[:], b[8*i:])
	}
	return binary.BigEndian.Uint64(padded[:])
}

// spellWords spells the words of a counter.
func spellWords(c *analysis.Counter) speller { return byteSpeller{c.Words(), c.Word} }

// A gramSpeller spells n-grams of words by the places of their words in the order of all words, as many to a
// piece as fit. That is the order of their bytes if no byte of a word is as small as the space between words,
// or smaller.
type gramSpeller struct {
	counter *analysis.Counter
	places  []uint32 // of the counter's words, from 1 on
	width   int      // the number of bits of a place
}

func newGramSpeller(c *analysis.Counter, places []uint32, most int) gramSpeller {
	return gramSpeller{c, places, bits.Len(uint(most))}
}

func (s gramSpeller) names() int { return s.counter.Len() }

func (s gramSpeller) unitsOfPiece() int { return 64 / s.width }

func (s gramSpeller) length(name uint32) int {
	var words [analysis.MostWords]uint32
	return len(s.counter.AppendWords(words[:0], name))
}

func (s gramSpeller) piece(name uint32, i int) (p uint64) {
	var room [analysis.MostWords]uint32
	words := s.counter.AppendWords(room[:0], name)
	units := s.unitsOfPiece()
	for at := i * units; at < i*units+units; at++ {
		p <<= s.width
		if at < len(words) {
			p |= uint64(s.places[words[at]])
		}
	}
	return p
}

// aboveSpace reports whether each byte is above the space.
func aboveSpace(text []byte) bool {
	least := byte(255)
	for _, b := range text {
		least = min(least, b)
	}
	return least > ' '
}

// compareNames orders the names of two spellers of one kind that have the same first piece.
func compareNames(a speller, name uint32, b speller, other uint32) int {
	long, units := max(a.length(name), b.length(other)), a.unitsOfPiece()
	for i := 1; i*units < long; i++ {
		if p, q := a.piece(name, i), b.piece(other, i); p != q {
			if p < q {
				return -1
			}
			return 1
		}
	}
	return a.length(name) - b.length(other) // names that end with zeros
}
