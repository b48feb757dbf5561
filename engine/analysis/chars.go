package analysis

import (
	"bytes"
	"unicode/utf8"
)

// This file finds the terms of char and char_wb: n-grams of characters. They are looked up as the
// runs of words are, many at once. The n-grams of a word depend on the word alone, so that char_wb
// keeps their numbers for each distinct word; a text is then the lists of its words.

// eachGram calls f with the places of the n-grams of the characters text[from:to], the shortest first. A word of
// char_wb that is too short is its one n-gram.
func (c *Counter) eachGram(text []byte, from, to int, f func(from, to int)) {
	starts := c.starts[:0]
	for at, b := range text[from:to] {
		if utf8.RuneStart(b) {
			starts = append(starts, from+at)
		}
	}
	starts = append(starts, to)
	c.starts = starts
	for n := c.a.leastGram(len(starts) - 1); n <= min(c.a.grams.most, len(starts)-1); n++ {
		for i, end := range starts[n:] {
			f(starts[i], end)
		}
	}
}

// leastGram is the length of the shortest n-grams of so many characters.
func (a *Analyzer) leastGram(characters int) int {
	if a.tokens == wordChars {
		return min(a.grams.least, characters)
	}
	return a.grams.least
}

// A charGrams is what a counter of char_wb knows of words.
type charGrams struct {
	*Counter
	words  table     // the places of their lists
	batch  runBatch  // words that are looked up together
	fresh  []byte    // those that are new, each between two spaces
	lists  gramLists // the n-grams of the words
	row    []uint32  // the words of the document in hand
	repeat []uint32  // how often each word is in it; 0 between documents
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

// forget gives up the words remembered. None may be in hand.
func (g *charGrams) forget() {
	g.words = newTable(g.a.seed)
	g.words.verbatim = true
	g.lists = gramLists{}
	g.repeat = nil
}

// wordChars appends the terms of a text to ids, word after word.
func (g *charGrams) wordChars(text []byte) {
	g.row = g.charWords(text, g.row[:0])
	for _, word := range g.row {
		g.ids = append(g.ids, g.lists.list(word)...)
	}
}

// charWords appends the places of the lists of a text's words.
func (g *charGrams) charWords(text []byte, row []uint32) []uint32 {
	g.fresh = g.fresh[:0]
	inMap := bytes.IndexByte(text, 0) >= 0
	n := 0
	for at := nextDark(text, 0); at < len(text); {
		end := nextWhite(text, at)
		k := mapped
		if at+inlineBytes <= len(text) && end-at <= inlineBytes && !inMap {
			k = leadingKey(text[at:], end-at)
		}
		g.batch.add(n, k, at, end)
		if n++; n == batchRuns {
			row = g.lookUpWords(text, n, row)
			n = 0
		}
		at = nextDark(text, end)
	}
	row = g.lookUpWords(text, n, row)
	g.ids, g.lists.terms = g.lists.terms, g.ids // where the n-grams of new words go
	g.found(g.fresh)
	g.ids, g.lists.terms = g.lists.terms, g.ids
	return row
}

// lookUpWords appends the places of the lists of the first n words of g.batch.
func (g *charGrams) lookUpWords(text []byte, n int, row []uint32) []uint32 {
	b := &g.batch
	for _, i := range b.open[:g.words.first(b.keys[:n], b.values[:n], &b.open)] {
		start, end := b.run(i)
		word := text[start:end]
		k := g.words.keyOf(word)
		list, ok := g.words.get(k, word)
		if !ok {
			list = g.newCharWord(k, word)
		}
		b.values[i] = list
	}
	return append(row, b.values[:n]...)
}

// newCharWord begins a list of the n-grams of a word that is not remembered. It is filled when all words of the text
// are known.
func (g *charGrams) newCharWord(k key, word []byte) uint32 {
	g.fresh = append(append(append(g.fresh, ' '), word...), ' ')
	end, place := 0, len(g.lists.ends)
	if place > 0 {
		end = g.lists.ends[place-1]
	}
	characters := utf8.RuneCount(word) + 2
	for n := g.a.leastGram(characters); n <= min(g.a.grams.most, characters); n++ {
		end += characters - n + 1
	}
	g.lists.ends = append(twiceTheRoom(g.lists.ends, 1), end)
	g.words.put(k, word, uint32(place))
	return uint32(place)
}

// distinctChars is distinct for char_wb: the n-grams of a word are counted once for all its
// occurrences.
func (g *charGrams) distinctChars(text []byte) []uint32 {
	if len(g.lists.terms) > mostListed {
		g.forget()
	}
	g.ids, g.row = g.ids[:0], g.row[:0]
	g.eachRun(text, func(part []byte) { g.row = g.charWords(g.folder.text(part), g.row) })
	g.repeat = zeros(g.repeat, len(g.lists.ends))
	g.counts = zeros(g.counts, g.Len())
	words := countEach(g.row, g.repeat)
	for _, word := range words {
		times := g.repeat[word]
		g.repeat[word] = 0
		g.ids = countAll(g.ids, g.counts, g.lists.list(word), times)
	}
	return g.ids
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
