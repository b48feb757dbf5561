package analysis

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// This file finds the terms of char and char_wb: n-grams of characters. They are looked up as the
// runs of words are, many at once. The n-grams of a word depend on the word alone, so that char_wb
// keeps their numbers for each distinct word; a text is then the lists of its words.

// A charGrams is a counter of char or char_wb.
type charGrams struct {
	*Counter
	starts  []int // where the characters of the text in hand begin, and its end
	waiting int   // n-grams in runs

	words  table     // of char_wb: the place of a word's list
	batch  runBatch  // words that are looked up together
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

// chars appends the terms of a text to ids: all n-grams of the shortest length, and so on.
func (g *charGrams) chars(text []byte) {
	g.lower = squeeze(g.lower[:0], text)
	g.pushGrams(0, g.a.grams.least)
	g.flushGrams()
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
	g.lower = g.lower[:0]
	g.ids, g.lists.terms = g.lists.terms, g.ids // where the n-grams of new words go
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
	g.flushGrams()
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

// newCharWord begins a list of the n-grams of a word that is not remembered.
func (g *charGrams) newCharWord(k key, word []byte) uint32 {
	from := len(g.lower)
	g.lower = append(append(append(g.lower, ' '), word...), ' ')
	least := min(g.a.grams.least, utf8.RuneCount(word)+2) // a word that is too short is its one n-gram
	end := g.pushGrams(from, least)
	g.lists.ends = append(twiceTheRoom(g.lists.ends, 1), end)
	place := uint32(len(g.lists.ends) - 1)
	g.words.put(k, word, place)
	return place
}

// distinctChars is distinct for char_wb: the n-grams of a word are counted once for all its
// occurrences.
func (g *charGrams) distinctChars(text []byte) []uint32 {
	if len(g.lists.terms) > mostListed {
		g.forget()
	}
	g.ids, g.row = g.ids[:0], g.row[:0]
	g.eachPart(text, func(part []byte) { g.row = g.charWords(g.folder.text(part), g.row) })
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

// pushGrams looks up the n-grams of the text in lower from a place on, from the least length
// given to the longest that fits. It returns the number of terms that ids will have with them; some
// wait for [charGrams.flushGrams].
func (g *charGrams) pushGrams(from, least int) (terms int) {
	size := len(g.lower)
	g.lower = slices.Grow(g.lower, inlineBytes)
	starts := g.startsOf(from, size)
	inMap := bytes.IndexByte(g.lower[from:size], 0) >= 0
	for n := least; n <= min(g.a.grams.most, len(starts)-1); n++ {
		for i, end := range starts[n:] {
			if g.waiting == batchRuns {
				g.flushGrams()
			}
			start := starts[i]
			k := mapped
			if end-start <= inlineBytes && !inMap {
				k = leadingKey(g.lower[start:size+inlineBytes], end-start)
			}
			g.runs.add(g.waiting&(batchRuns-1), k, start, end)
			g.waiting++
		}
	}
	return len(g.ids) + g.waiting
}

// startsOf returns where the characters of lower from one place to another begin, and the end.
func (g *charGrams) startsOf(from, to int) []int {
	starts := g.starts[:0]
	for at, b := range g.lower[from:to] {
		if utf8.RuneStart(b) {
			starts = append(starts, from+at)
		}
	}
	starts = append(starts, to)
	g.starts = starts
	return starts
}

// flushGrams appends the terms of the n-grams that wait in runs to ids.
func (g *charGrams) flushGrams() {
	n := g.waiting
	r := &g.runs
	for _, i := range r.open[:g.seen.first(r.keys[:n], r.values[:n], &r.open)] {
		r.values[i] = g.charGram(i)
	}
	g.ids = append(twiceTheRoom(g.ids, n), r.values[:n]...)
	g.waiting = 0
}

// charGram gives the term of an n-gram in runs that its first slot does not decide.
func (g *charGrams) charGram(i int) uint32 {
	k, gram := g.run(i)
	id, ok := g.seen.get(k, gram)
	if !ok {
		id = g.known(gram)
		g.seen.put(k, gram, id)
	}
	return id
}
