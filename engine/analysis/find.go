package analysis

import (
	"strings"
	"unicode/utf8"
)

// Find gives the number of a term if the counter has it. It may be called from
// several goroutines while none counts.
func (c *Counter) Find(term string) (id uint32, ok bool) {
	switch {
	case c.columns != nil:
		return c.columns.find(term)
	case c.grams != nil:
		return c.grams.find(term, c)
	}
	return c.findWord(term)
}

func (c *Counter) findWord(word string) (id uint32, ok bool) {
	switch {
	case c.terms != nil:
		id, ok = c.terms[word]
	case !c.seen.verbatim && (word == "" || strings.IndexByte(word, 0) >= 0): // the tables have no such word
	default:
		if code := pairCode(word); c.han != nil && code != 0 {
			id, ok = c.han.seen.get(code)
		} else {
			id, ok = c.seen.get(c.seen.keyOf([]byte(word)), []byte(word))
			ok = ok && id < nothing && string(c.Word(id)) == word // a run has other characters, too
		}
	}
	return id, ok && id < nothing
}

// pairCode gives the code of two ideographs, 0 for any other word.
func pairCode(word string) uint32 {
	first, size := utf8.DecodeRuneInString(word)
	second, more := utf8.DecodeRuneInString(word[size:])
	if size+more != len(word) || !isIdeograph(first) || !isIdeograph(second) {
		return 0
	}
	return uint32(first)<<16 | uint32(second)
}

// find gives the number of a term by the counter whose words it has.
func (g *grams) find(term string, c *Counter) (id uint32, ok bool) {
	unit, long := uint32(0), false
	for word := range strings.SplitSeq(term, " ") {
		last, ok := c.findWord(word)
		switch {
		case !ok:
			return 0, false
		case !long:
			unit, long, id = last, true, noTerm
			if int(last) < len(g.words) {
				id = g.words[last]
			}
		default:
			s := g.search(Gram{unit, last})
			if s.unit == 0 {
				return 0, false
			}
			unit, id = s.unit, s.term
		}
	}
	return id, id != noTerm
}
