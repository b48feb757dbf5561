package analysis

import (
	"bytes"
	"unicode/utf8"
)

// This file finds the terms of char and char_wb: n-grams of characters. They are looked up as the
// runs of words are, many at once. The n-grams of a word depend on the word alone, so that char_wb
// keeps their numbers for each distinct word; a text is then the lists of its words.

// A charGrams has the memory of a counter for char and char_wb.
type charGrams struct {
	starts []int // where the characters of the text in hand begin, and its end

	words  table     // of char_wb: the place of a word's list
	lists  gramLists // the n-grams of the words
	row    []uint32  // the words of the document in hand
	counts []uint32  // of each word in it; 0 between documents
}

// gramLists are lists of terms. List i is terms[ends[i-1]:ends[i]].
type gramLists struct {
	terms []uint32
	ends  []int
}

func (l *gramLists) list(i uint32) []uint32 {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.terms[start:l.ends[i]]
}

// mostListed bounds how many n-grams of words are remembered: 32 MiB, the words of about 100 MB of
// English.
const mostListed = 8 << 20

func newCharGrams(a *Analyzer) *charGrams {
	g := &charGrams{}
	if a.tokens == wordChars {
		g.forget(a.seeds)
	}
	return g
}

// forget gives up the words remembered. None may be in hand.
func (g *charGrams) forget(s seeds) {
	g.words = newTable(s)
	g.words.verbatim = true
	g.lists = gramLists{}
	g.counts = nil
}

// chars appends the terms of a text to c.ids: all n-grams of the shortest length, and so on.
func (c *Counter) chars(text []byte) {
	c.lower = squeeze(c.lower[:0], text)
	size := len(c.lower)
	c.lower = append(c.lower, make([]byte, inlineBytes)...)
	c.windows(size, c.a.grams.least)
}

// wordChars appends the terms of a text to c.ids, word after word.
func (c *Counter) wordChars(text []byte) {
	c.char.row = c.charWords(text, c.char.row[:0])
	for _, word := range c.char.row {
		c.ids = append(c.ids, c.char.lists.list(word)...)
	}
}

// charWords appends the places of the lists of a text's words.
func (c *Counter) charWords(text []byte, row []uint32) []uint32 {
	g := c.char
	for at := nextDark(text, 0); at < len(text); {
		end := nextWhite(text, at)
		word, ok := uint32(0), false
		if n := end - at; n <= inlineBytes && at+inlineBytes <= len(text) && !g.words.outside(text[at:end]) {
			word, ok = g.words.find(leadingKey(text[at:], n))
		} else {
			word, ok = g.words.get(text[at:end])
		}
		if !ok {
			word = c.newCharWord(text[at:end])
		}
		row = append(row, word)
		at = nextDark(text, end)
	}
	return row
}

// newCharWord lists the n-grams of a word that is not remembered.
func (c *Counter) newCharWord(word []byte) uint32 {
	g := c.char
	c.lower = append(append(append(c.lower[:0], ' '), word...), ' ')
	size := len(c.lower)
	c.lower = append(c.lower, make([]byte, inlineBytes)...)
	before := len(c.ids)
	c.windows(size, min(c.a.grams.least, utf8.RuneCount(c.lower[:size]))) // a word that is too short is its one n-gram
	g.lists.terms = append(twiceTheRoom(g.lists.terms, len(c.ids)-before), c.ids[before:]...)
	g.lists.ends = append(twiceTheRoom(g.lists.ends, 1), len(g.lists.terms))
	c.ids = c.ids[:before]
	place := uint32(len(g.lists.ends) - 1)
	g.words.put(word, place)
	return place
}

// distinctChars is distinct for char_wb: the n-grams of a word are counted once for all its
// occurrences.
func (c *Counter) distinctChars(text []byte) []uint32 {
	g := c.char
	if len(g.lists.terms) > mostListed {
		g.forget(c.a.seeds)
	}
	c.ids, g.row = c.ids[:0], g.row[:0]
	c.eachPart(text, func(part []byte) { g.row = c.charWords(c.folder.Text(part), g.row) })
	g.counts = zeros(g.counts, len(g.lists.ends))
	c.counts = zeros(c.counts, c.Len())
	for _, word := range countEach(g.row, g.counts) {
		times := g.counts[word]
		g.counts[word] = 0
		c.ids = countAll(c.ids, c.counts, g.lists.list(word), times)
	}
	return c.ids
}

// countAll counts each of a list so many times, and appends those whose count was 0 to ids.
func countAll(ids, counts, list []uint32, times uint32) []uint32 {
	n := len(ids)
	ids = room(ids, len(list))
	for _, id := range list {
		before := counts[id]
		counts[id] = before + times
		ids[n] = id
		n += int((uint64(before) - 1) >> 63)
	}
	return ids[:n]
}

// windows appends the n-grams of the text in c.lower that has so many bytes, from the least length
// given to the longest that fits.
func (c *Counter) windows(size, least int) {
	text := c.lower[:size]
	starts := c.char.starts[:0]
	for at := 0; at < size; {
		starts = append(starts, at)
		at++
		for at < size && !utf8.RuneStart(text[at]) {
			at++
		}
	}
	starts = append(starts, size)
	c.char.starts = starts
	outside := bytes.IndexByte(text, 0) >= 0
	runs, m := &c.runs, 0
	for n := least; n <= min(c.a.grams.most, len(starts)-1); n++ {
		for i, end := range starts[n:] {
			start := starts[i]
			long := end - start
			k := longRun
			if long <= inlineBytes && !outside {
				k = leadingKey(c.lower[start:], long)
			}
			runs.keys[m], runs.places[m] = k, place{start, long}
			if m++; m == batchRuns {
				c.lookUp(m)
				m = 0
			}
		}
	}
	c.lookUp(m)
}

// charGram gives the term of an n-gram of characters.
func (c *Counter) charGram(gram []byte) uint32 {
	if id, ok := c.seen.get(gram); ok {
		return id
	}
	id := c.known(gram)
	c.seen.put(gram, id)
	return id
}
