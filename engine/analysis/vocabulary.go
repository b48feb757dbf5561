package analysis

import "slices"

// This file hands out what the terms of a counter are made of.

// A Vocabulary is terms as integers. What a term is made of is a unit: the number of a word, or FirstGram
// plus that of an n-gram.
type Vocabulary struct {
	Words []string
	Grams []Gram   // an n-gram comes behind the one before its last word
	Units []uint32 // by term; nil if the words are the terms
}

// A Gram is an n-gram: the unit before its last word, and that word.
type Gram struct{ Front, Word uint32 }

// FirstGram is the unit of the first n-gram. So many n-grams as there are units behind it take 120 GB.
const FirstGram = 1 << 31

// Vocabulary returns the terms so far. It shares memory with the counter, which must count no more.
func (c *Counter) Vocabulary() *Vocabulary {
	if c.columns != nil {
		return &Vocabulary{Words: c.columns.texts()} // a column is a word that no n-gram has
	}
	v := &Vocabulary{Words: cut(string(c.names), c.ends)}
	if c.grams != nil {
		v.Grams, v.Units = c.grams.parts, slices.Grow(c.grams.units, 1) // not nil
	}
	return v
}

// names lists the terms, which share one piece of memory.
func (v *Vocabulary) names() []string {
	if v.Units == nil {
		return v.Words
	}
	ends := make([]int, len(v.Units))
	var text []byte
	for id := range ends {
		text = v.AppendTerm(twiceTheRoom(text, 1), uint32(id))
		ends[id] = len(text)
	}
	return cut(string(text), ends)
}

// AppendTerm appends the bytes of a term to dst.
func (v *Vocabulary) AppendTerm(dst []byte, term uint32) []byte {
	if v.Units == nil {
		return append(dst, v.Words[term]...)
	}
	return v.appendUnit(dst, v.Units[term])
}

func (v *Vocabulary) appendUnit(dst []byte, unit uint32) []byte {
	if unit >= FirstGram {
		g := v.Grams[unit-FirstGram]
		dst, unit = append(v.appendUnit(dst, g.Front), ' '), g.Word
	}
	return append(dst, v.Words[unit]...)
}
