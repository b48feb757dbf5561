package analysis

import (
	"maps"
	"slices"
)

// This file has what [Counter] tells of its terms: their bytes, and what they are made of.

// MostWords is how many words the longest n-grams of words have.
const MostWords = mostWords

// NGrams reports whether terms consist of words, which is so if terms may have more than one.
func (c *Counter) NGrams() bool { return c.grams != nil }

// Words is the number of words so far that terms consist of.
func (c *Counter) Words() int { return len(c.ends) }

// Word gives the bytes of a word below Words, as [Counter.Term] does.
func (c *Counter) Word(word uint32) []byte {
	start := 0
	if word > 0 {
		start = c.ends[word-1]
	}
	return c.names[start:c.ends[word]:c.ends[word]]
}

// AppendWords appends the words of a term to dst. Terms must be n-grams.
func (c *Counter) AppendWords(dst []uint32, term uint32) []uint32 {
	from, unit := len(dst), c.grams.units[term]
	for ; unit >= FirstGram; unit = c.grams.parts[unit-FirstGram].Front {
		dst = append(dst, c.grams.parts[unit-FirstGram].Word)
	}
	dst = append(dst, unit)
	slices.Reverse(dst[from:])
	return dst
}

// AppendTerm appends the bytes of a term below Len to dst.
func (c *Counter) AppendTerm(dst []byte, term uint32) []byte {
	switch {
	case c.columns != nil:
		return c.columns.appendName(dst, term)
	case c.grams == nil:
		return append(dst, c.Word(term)...)
	}
	var words [MostWords]uint32
	for i, word := range c.AppendWords(words[:0], term) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, c.Word(word)...)
	}
	return dst
}

// Clone returns a counter with the same terms, which counts for itself.
func (c *Counter) Clone() *Counter {
	n := c.a.NewCounter()
	n.seen = c.seen.clone()
	n.names, n.ends, n.terms = slices.Clone(c.names), slices.Clone(c.ends), maps.Clone(c.terms)
	n.dropped = c.dropped
	if c.han != nil {
		n.han.seen = c.han.seen
		n.han.seen.slots = slices.Clone(c.han.seen.slots)
	}
	if c.grams != nil {
		n.grams = c.grams.clone()
	}
	return n
}

func (g *grams) clone() *grams {
	n := *g
	n.slots, n.parts = slices.Clone(g.slots), slices.Clone(g.parts)
	n.words, n.units = slices.Clone(g.words), slices.Clone(g.units)
	n.row, n.ends = nil, nil
	return &n
}

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
