package analysis

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// A TermCount is a term of a document with the number of its occurrences.
type TermCount struct{ Term, Count uint32 }

// A Counter counts the terms of documents and numbers them from 0 in the order
// of their first occurrence. It belongs to one goroutine. The numbers depend on
// the texts and their order only.
type Counter struct {
	a       *Analyzer
	seen    table // what a run of token bytes becomes: a term, or one of the values below
	names   []byte
	ends    []int             // word i is names[ends[i-1]:ends[i]]; words are the terms if there are no n-grams
	terms   map[string]uint32 // nil while every word is a term of its own
	grams   *grams            // nil = words are the terms
	columns *columns          // nil = terms are not hashed
	phrases *phraseWords      // nil = none
	finder  finder            // of a pattern
	char    *charGrams        // nil unless char_wb
	counts  []uint32          // for each term, up to those of the last document: 0, or its count while a document is counted
	dropped int64
	prepare *preparer
	folder  folder
	final   bool // the characters of the part in hand are in their final case

	part      []byte // of the text, while it is scanned by pieces
	at, runAt int    // in part: the piece, and the last run that was looked at by itself

	lower     []byte // a piece of text in lower case, and room for a 16-byte load behind it
	masks     []uint64
	runs      runBatch
	parts     [][]byte // what the header filter left
	sentences []byte   // a part with its lines joined
	ids       []uint32 // the terms of the document in order
	folded    []byte   // a word with characters beyond ASCII
	squeezed  []byte   // a text of char
	starts    []int    // where the characters of a text of char or a word of char_wb begin, and its end
	stem      []byte
}

// The values of runs of token bytes that are no single term. All are at least nothing.
const (
	compound = math.MaxUint32 - iota // several words: bytes from 0x80 on may be anything
	tooLong
	nothing // a stop word, or no word
)

// NewCounter returns a counter without terms.
func (a *Analyzer) NewCounter() *Counter {
	c := &Counter{a: a, seen: newTable(a.seed), prepare: newPreparer(&a.opt, a.headers), folder: a.newFolder(), finder: finder{p: a.pattern}}
	if a.tokens == wordChars {
		c.char = &charGrams{Counter: c}
		c.char.forget()
	}
	c.seen.verbatim = a.tokens.takesAnything()
	if a.opt.HashBits > 0 {
		last := a.opt.columnMask()
		c.columns = &columns{last: last, slots: make([]uint32, min(uint64(last)+1, firstSlots))}
	}
	if (a.grams.most > 1 || a.phrases != nil) && !a.tokens.ofCharacters() { // of phrases also where words are the terms: not all words are
		c.grams = &grams{c: c, gramRange: a.grams, slots: freeSlots[gramSlot](firstSlots), seed0: rand.Uint64(), seed1: rand.Uint64() | 1}
	}
	if a.phrases != nil {
		c.phrases = &phraseWords{book: a.phrases, words: slices.Repeat([]uint32{noTerm}, len(a.phrases.terms))}
	}
	if a.stem != nil || a.phrases != nil {
		c.terms = map[string]uint32{} // words share stems, and a word may be written as a phrase is
	}
	return c
}

// Len is the number of terms so far.
func (c *Counter) Len() int {
	switch {
	case c.columns != nil:
		return len(c.columns.names)
	case c.grams != nil:
		return len(c.grams.units)
	}
	return len(c.ends)
}

// Term gives the bytes of a term below Len. They are valid while the counter
// lives and must not be changed. Those of an n-gram and of a column are put together anew.
func (c *Counter) Term(id uint32) []byte {
	if c.columns == nil && c.grams == nil {
		return c.wordText(id)
	}
	return c.AppendTerm(nil, id)
}

// Names lists the terms so far.
func (c *Counter) Names() []string {
	names := make([]string, c.Len())
	for id := range names {
		names[id] = string(c.Term(uint32(id)))
	}
	return names
}

// cut gives the pieces of a text that end at the places given.
func cut(text string, ends []int) []string {
	pieces := make([]string, len(ends))
	start := 0
	for i, end := range ends {
		pieces[i] = text[start:end]
		start = end
	}
	return pieces
}

// Dropped is the number of tokens so far that were longer than MaxToken.
func (c *Counter) Dropped() int64 { return c.dropped }

// Distinct has the terms so far before they were hashed. It is nil unless HashBits are given, and changes with
// the next document.
func (c *Counter) Distinct() *Distinct {
	if c.columns == nil {
		return nil
	}
	return &c.columns.distinct
}

// Count appends the distinct terms of a document to dst, in the order of their
// first occurrence. It allocates only for what is new to the counter.
func (c *Counter) Count(text []byte, dst []TermCount) []TermCount {
	terms := c.distinct(text)
	dst = twiceTheRoom(dst, len(terms))
	for _, term := range terms {
		dst = append(dst, TermCount{term, c.counts[term]})
		c.counts[term] = 0
	}
	return dst
}

// InOrder returns the terms of a document in the order of their occurrences, repeated ones too; of
// n-grams of several lengths those of each part of the text by length. They are valid until the next
// call.
func (c *Counter) InOrder(text []byte) []uint32 {
	c.scan(text)
	return c.ids
}

// EachPart calls f with the terms of every part of a text, such as the body behind a header block or, with Sentences, a
// sentence, in the order of their occurrences: those of the tokens that [Locator.EachPart] finds there, unless they are
// n-grams of words. They are valid during the call.
func (c *Counter) EachPart(text []byte, f func(terms []uint32)) {
	c.eachRun(text, func(run []byte) {
		c.ids = c.ids[:0]
		c.addRun(run)
		f(c.ids)
	})
}

// CountColumns is [Counter.Count] for terms and counts in slices of their own.
func (c *Counter) CountColumns(text []byte, terms, counts []uint32) (allTerms, allCounts []uint32) {
	distinct := c.distinct(text)
	before := len(counts)
	counts = slices.Grow(counts, len(distinct))[:before+len(distinct)]
	for i, term := range distinct {
		counts[before+i] = c.counts[term]
		c.counts[term] = 0
	}
	return append(terms, distinct...), counts
}

// distinct returns the distinct terms of a document, valid until the next one, and counts them
// in c.counts, where the caller must set them to 0 again. Nobody can predict which are new to the
// document, and they are every second token of 20 Newsgroups: there is no branch for them.
func (c *Counter) distinct(text []byte) []uint32 {
	if c.a.tokens == wordChars {
		return c.char.distinctChars(text)
	}
	c.scan(text)
	c.counts = zeros(c.counts, c.Len())
	return countEach(c.ids, c.counts)
}

// zeros returns counts with zeros behind them, n in all.
func zeros(counts []uint32, n int) []uint32 {
	fresh := n - len(counts)
	return append(twiceTheRoom(counts, fresh), make([]uint32, fresh)...)
}

// countEach counts each of ids, and returns those whose count was 0, at the front of ids.
func countEach(ids, counts []uint32) []uint32 {
	n := 0
	for _, id := range ids {
		before := counts[id]
		counts[id] = before + 1
		ids[n] = id
		n += int((uint64(before) - 1) >> 63)
	}
	return ids[:n]
}

// Add gives the number of a term taken verbatim, with no analysis. The first
// call costs time in the number of terms. With HashBits a term is the name of a column.
func (c *Counter) Add(term string) uint32 {
	switch {
	case c.columns != nil:
		return c.columns.add(term)
	case c.grams != nil:
		var words []uint32
		for word := range strings.SplitSeq(term, " ") { // words from texts have no space in them
			words = append(words, c.addWord(word))
		}
		return c.grams.add(words)
	}
	return c.addWord(term)
}

func (c *Counter) addWord(word string) uint32 {
	if c.terms == nil {
		c.terms = make(map[string]uint32, len(c.ends))
		for id := range uint32(len(c.ends)) {
			c.terms[string(c.wordText(id))] = id
		}
	}
	if id, ok := c.terms[word]; ok {
		return id
	}
	id := c.name([]byte(word))
	c.terms[word] = id
	return id
}

// name gives the next number to a word.
func (c *Counter) name(term []byte) uint32 {
	c.names = append(twiceTheRoom(c.names, len(term)), term...)
	c.ends = append(twiceTheRoom(c.ends, 1), len(c.names))
	return uint32(len(c.ends) - 1)
}

// twiceTheRoom returns s with room for n more elements, twice what it has if that does not
// suffice. append makes a quarter more of a long slice, and the memory of a counter, each page
// of it new, costs more than the copies. It writes to all of that, which make leaves alone.
func twiceTheRoom[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return append(make([]T, 0, 2*len(s)+n), s...)
}

// newWord decides what a lower-cased word is that was not seen before.
func (c *Counter) newWord(word []byte) uint32 {
	if len(word) > c.a.longest {
		return tooLong
	}
	if len(c.a.stop) > 0 && c.a.stops(word) {
		return nothing
	}
	if c.a.stem != nil {
		c.stem = append(c.stem[:0], word...)
		word = c.a.stem(c.stem)
	}
	return c.known(word)
}

// known gives the number of a term that no table has, which may have been added.
func (c *Counter) known(term []byte) uint32 {
	if c.columns != nil && c.grams == nil {
		return c.columns.ofTerm(term, fingerprint(term))
	}
	if c.terms == nil {
		return c.name(term)
	}
	if id, ok := c.terms[string(term)]; ok {
		return id
	}
	id := c.name(term)
	c.terms[string(term)] = id
	return id
}

// Bytes returns about how much memory the counter and the names of its terms take: the
// tables, and twice the text of the names, for [Counter.Names] and for its caller.
func (c *Counter) Bytes() int64 {
	const longWord = 64 // of a map, beside the text
	n := c.seen.bytes() + longWord*(len(c.seen.long)+len(c.terms)) + 3*len(c.names) + 8*len(c.ends) + 4*len(c.counts)
	if g := c.char; g != nil {
		n += g.words.bytes() + longWord*len(g.words.long) + 4*cap(g.lists.terms) + 8*cap(g.lists.ends) + 4*cap(g.counts)
	}
	if p := c.phrases; p != nil {
		n += 4 * (len(p.symbols) + len(p.words))
	}
	if h := c.columns; h != nil {
		n += 8*len(h.slots) + (4+2*10)*len(h.names)
	}
	if g := c.grams; g != nil {
		word := 1 + len(c.names)/max(len(c.ends), 1)
		n += g.bytes() + 2*g.most*word*len(g.units)
	}
	return int64(n)
}

// found appends the terms of the tokens that c.find finds in a text to c.ids. They are looked up
// as runs are, many at once.
func (c *Counter) found(text []byte) {
	c.lower = slices.Grow(append(c.lower[:0], text...), inlineBytes)
	padded := c.lower[:len(text)+inlineBytes]
	inMap := bytes.IndexByte(text, 0) >= 0
	runs, m := &c.runs, 0
	c.find(c.lower, func(from, to int) {
		k := mapped
		if n := to - from; 0 < n && n <= inlineBytes && !inMap {
			k = leadingKey(padded[from:], n)
		}
		runs.add(m&(batchRuns-1), k, from, to)
		if m++; m == batchRuns {
			c.lookUp(m)
			m = 0
		}
	})
	c.lookUp(m)
}

// This file has what [Counter] tells of its terms: their bytes, and what they are made of.

// MostWords is how many words the longest n-grams of words have.
const MostWords = mostWords

// wordText gives the bytes of a word, as [Counter.Term] does.
func (c *Counter) wordText(word uint32) []byte {
	start := 0
	if word > 0 {
		start = c.ends[word-1]
	}
	return c.names[start:c.ends[word]:c.ends[word]]
}

// AppendTerm appends the bytes of a term below Len to dst.
func (c *Counter) AppendTerm(dst []byte, term uint32) []byte {
	switch {
	case c.columns != nil:
		return c.columns.appendName(dst, term)
	case c.grams == nil:
		return append(dst, c.wordText(term)...)
	}
	return c.appendUnit(dst, c.grams.units[term])
}

func (c *Counter) appendUnit(dst []byte, unit uint32) []byte {
	if unit >= FirstGram {
		g := c.grams.parts[unit-FirstGram]
		dst, unit = append(c.appendUnit(dst, g.Front), ' '), g.Word
	}
	return append(dst, c.wordText(unit)...)
}

// Clone returns a counter with the same terms, which counts for itself.
func (c *Counter) Clone() *Counter {
	n := c.a.NewCounter()
	n.seen = c.seen.clone()
	n.names, n.ends, n.terms = slices.Clone(c.names), slices.Clone(c.ends), maps.Clone(c.terms)
	n.dropped = c.dropped
	if g, to := c.grams, n.grams; g != nil {
		to.slots, to.parts, to.seed0, to.seed1 = slices.Clone(g.slots), slices.Clone(g.parts), g.seed0, g.seed1
		to.words, to.units = slices.Clone(g.words), slices.Clone(g.units)
	}
	return n
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
