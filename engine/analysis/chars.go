package analysis

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis/prepare"
)

// This file finds the terms of char and char_wb: n-grams of characters. They are looked up as the
// runs of words are, many at once. The n-grams of a word depend on the word alone, so that char_wb
// keeps their numbers for each distinct word; a text is then the lists of its words.

// A charGrams has the memory of a counter for char and char_wb.
type charGrams struct {
	starts  []int // where the characters of the text in hand begin, and its end
	waiting int   // n-grams in c.runs

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
	c.lower = prepare.Squeeze(c.lower[:0], text)
	c.pushGrams(0, c.a.grams.least)
	c.flushGrams()
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
	c.lower = c.lower[:0]
	c.ids, g.lists.terms = g.lists.terms, c.ids // where the n-grams of new words go
	for at := prepare.NextDark(text, 0); at < len(text); {
		end := prepare.NextWhite(text, at)
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
		at = prepare.NextDark(text, end)
	}
	c.flushGrams()
	c.ids, g.lists.terms = g.lists.terms, c.ids
	return row
}

// newCharWord begins a list of the n-grams of a word that is not remembered.
func (c *Counter) newCharWord(word []byte) uint32 {
	g := c.char
	from := len(c.lower)
	c.lower = append(append(append(c.lower, ' '), word...), ' ')
	least := min(c.a.grams.least, utf8.RuneCount(word)+2) // a word that is too short is its one n-gram
	end := c.pushGrams(from, least)
	g.lists.ends = append(twiceTheRoom(g.lists.ends, 1), end)
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

// pushGrams looks up the n-grams of the text in c.lower from a place on, from the least length
// given to the longest that fits. It returns the number of terms that c.ids will have with them; some
// wait for [Counter.flushGrams].
func (c *Counter) pushGrams(from, least int) (terms int) {
	size := len(c.lower)
	c.lower = slices.Grow(c.lower, inlineBytes)
	starts := c.startsOf(from, size)
	inMap := bytes.IndexByte(c.lower[from:size], 0) >= 0
	for n := least; n <= min(c.a.grams.most, len(starts)-1); n++ {
		for i, end := range starts[n:] {
			if c.char.waiting == batchRuns {
				c.flushGrams()
			}
			start := starts[i]
			k := longRun
			if end-start <= inlineBytes && !inMap {
				k = leadingKey(c.lower[start:size+inlineBytes], end-start)
			}
			w := c.char.waiting & (batchRuns - 1)
			c.runs.keys[w], c.runs.places[w] = k, place{start, end - start}
			c.char.waiting++
		}
	}
	return len(c.ids) + c.char.waiting
}

// startsOf returns where the characters of c.lower from one place to another begin, and the end.
func (c *Counter) startsOf(from, to int) []int {
	starts := c.char.starts[:0]
	for at, b := range c.lower[from:to] {
		if utf8.RuneStart(b) {
			starts = append(starts, from+at)
		}
	}
	starts = append(starts, to)
	c.char.starts = starts
	return starts
}

// flushGrams appends the terms of the n-grams that wait in c.runs to c.ids.
func (c *Counter) flushGrams() {
	n := c.char.waiting
	readSlots(c.runs.values[:n], c.runs.keys[:n], c.seen.slots, c.seen.seed)
	c.ids = twiceTheRoom(c.ids, n)
	for i, value := range c.runs.values[:n] {
		if value == elsewhere {
			value = c.charGram(i)
		}
		c.ids = append(c.ids, value)
	}
	c.char.waiting = 0
}

// charGram gives the term of an n-gram in c.runs that its first slot does not decide.
func (c *Counter) charGram(i int) uint32 {
	k, at := c.runs.keys[i], c.runs.places[i]
	gram := c.lower[at.start : at.start+at.n]
	if k == longRun {
		id, ok := c.seen.get(gram)
		if !ok {
			id = c.known(gram)
			c.seen.put(gram, id)
		}
		return id
	}
	id, ok := c.seen.find(k)
	if !ok {
		id = c.known(gram)
		c.seen.add(slot{k, id})
	}
	return id
}
