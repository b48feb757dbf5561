package analysis

import (
	"maps"
	"slices"
)

// This file has what [Counter] tells about the bytes of its terms to a caller that orders many of them, or that
// counts further texts with the same terms.

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
