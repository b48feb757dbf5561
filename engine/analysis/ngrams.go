package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/usage"
)

// mostWords is the length of the longest n-grams of words, mostCharacters that of the longest ones of
// characters.
const mostWords, mostCharacters = 5, 30

// A gramRange says how many words a term has, or how many characters.
type gramRange struct{ least, most int }

// newGramRange reads "2", "1-2"; "" is "1".
func newGramRange(option string, tokens tokenizer) (gramRange, error) {
	if option == "" {
		return gramRange{1, 1}, nil
	}
	longest, unit := mostWords, "words"
	if tokens.ofCharacters() {
		longest, unit = mostCharacters, "characters"
	}
	first, last, isRange := strings.Cut(option, "-")
	if !isRange {
		last = first
	}
	r := gramRange{gramLength(first), gramLength(last)}
	switch {
	case r.least < 1 || r.least > r.most || r.most > longest:
		return r, usage.Unknown("n-grams", option, []string{fmt.Sprintf("a number of %s up to %d, or two with a hyphen, as 1-2", unit, longest)})
	case tokens == bigrams && r.most > 1:
		return r, usage.Errorf("tokens zh-bigrams are pairs of characters, and no runs of them are counted: take tokens unicode, " +
			"of which each Chinese character is one, or char for runs of characters")
	}
	return r, nil
}

// gramLength reads a number of one or two digits, 0 if it is none.
func gramLength(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

// String gives the option that makes this range, "" for words or characters alone.
func (r gramRange) String() string {
	switch {
	case r.most == 1:
		return ""
	case r.least == r.most:
		return fmt.Sprint(r.least)
	}
	return fmt.Sprintf("%d-%d", r.least, r.most)
}

// Lengths returns the least and the largest number of words of a term, or of its characters. It is that
// of options that [New] accepts.
func (o Options) Lengths() (least, most int) {
	r, _ := newGramRange(o.NGrams, chars) // whose n-grams may be the longest
	return r.least, r.most
}

// grams number the n-grams of a counter. An n-gram is the number of the n-gram
// before its last word, and the number of that word: an entry of a table of
// integers. Its bytes are put together when they are asked for.
//
// Not every unit is a term: the pairs that triples begin with are none if only
// triples are asked for.
type grams struct {
	gramRange
	c            *Counter   // of the words
	slots        []gramSlot // a power of two, up to three quarters full: a half takes 85 bytes, and 6 % less time
	parts        []Gram
	words        []uint32 // the terms of words, noTerm where they have none
	units        []uint32 // what the terms are, unless they are hashed
	seed0, seed1 uint64

	row  []uint32 // the words of the part in hand
	ends []uint32 // the units that end with each of them
	text []byte   // of a term that is hashed

	firsts [gramsTogether]gramSlot // what is in the slots where the searches for n-grams begin
}

// gramsTogether is how many n-grams are looked up together.
const gramsTogether = 256

const noTerm = math.MaxUint32

// A gramSlot with unit 0 is free.
type gramSlot struct {
	Gram
	unit, term uint32
}

// replace puts the terms of the range for the words that stand in ids from a
// place on: the words themselves, then the pairs, and so on.
func (g *grams) replace(ids []uint32, from int) []uint32 {
	g.row = append(g.row[:0], ids[from:]...)
	g.ends = append(g.ends[:0], g.row...)
	ids = ids[:from]
	if g.least == 1 {
		for _, word := range g.row {
			ids = append(ids, g.word(word))
		}
	}
	for n := 2; n <= min(g.most, len(g.row)); n++ {
		ids = g.longer(ids, n)
	}
	return ids
}

// longer takes g.ends from the units of n-1 words to those of n, and appends their terms.
func (g *grams) longer(ids []uint32, n int) []uint32 {
	front := g.ends[n-2]
	for from := n - 1; from < len(g.row); from += gramsTogether {
		to := min(from+gramsTogether, len(g.row))
		last := g.ends[to-1]
		ids = g.together(ids, front, g.row[from:to], g.ends[from:to], n >= g.least)
		front = last
	}
	return ids
}

// together is longer for a few words, with the unit before the first of them. The first slots of all n-grams are read
// before any is decided, as those of words are: no look-up waits for a branch of another one.
func (g *grams) together(ids []uint32, front uint32, row, ends []uint32, areTerms bool) []uint32 {
	slots, last, before := g.slots, uint64(len(g.slots)-1), front
	firsts := g.firsts[:len(row)]
	for i, word := range row {
		firsts[i] = slots[g.hash(Gram{before, word})&last]
		before = ends[i]
	}
	found := len(ids)
	ids = room(ids, len(row))
	for i, word := range row {
		s := &firsts[i]
		if p := (Gram{front, word}); s.Gram != p || s.unit == 0 || s.term == noTerm {
			s = g.slot(p)
			if areTerms {
				g.termOf(s)
			}
		}
		front, ends[i] = ends[i], s.unit
		if areTerms {
			ids[found] = s.term
			found++
		}
	}
	return ids[:found]
}

// word gives the term of a word.
func (g *grams) word(word uint32) uint32 {
	for int(word) >= len(g.words) {
		g.words = append(g.words, noTerm)
	}
	if g.words[word] == noTerm {
		g.words[word] = g.name(word)
	}
	return g.words[word]
}

// termOf gives the term of the n-gram in a slot.
func (g *grams) termOf(s *gramSlot) uint32 {
	if s.term == noTerm {
		s.term = g.name(s.unit)
	}
	return s.term
}

// name gives a number to a unit that becomes a term: the next one, or that of its column.
func (g *grams) name(unit uint32) uint32 {
	if g.c.columns != nil {
		g.text = g.c.appendUnit(g.text[:0], unit)
		return g.c.columns.ofTerm(g.text, g.printOf(unit))
	}
	g.units = append(g.units, unit)
	return uint32(len(g.units) - 1)
}

// add gives the term of words in a row.
func (g *grams) add(words []uint32) uint32 {
	if len(words) == 1 {
		return g.word(words[0])
	}
	s := &gramSlot{unit: words[0]}
	for _, word := range words[1:] {
		s = g.slot(Gram{s.unit, word})
	}
	return g.termOf(s)
}

// slot gives the slot of an n-gram, which is new if need be. It stays valid
// until the next call.
func (g *grams) slot(p Gram) *gramSlot {
	s := g.search(p)
	if s.unit != 0 {
		return s
	}
	if 4*len(g.parts) >= 3*len(g.slots) {
		g.grow()
		s = g.search(p)
	}
	*s = gramSlot{p, FirstGram + uint32(len(g.parts)), noTerm}
	g.parts = append(g.parts, p)
	return s
}

// hash says where the search for an n-gram begins.
func (g *grams) hash(p Gram) uint64 {
	high, low := bits.Mul64(uint64(p.Front)<<32|uint64(p.Word)^g.seed0, g.seed1)
	return high ^ low
}

// search gives the slot where an n-gram is, or is to be.
func (g *grams) search(p Gram) *gramSlot {
	for i := g.hash(p); ; i++ {
		s := &g.slots[i&uint64(len(g.slots)-1)]
		if s.Gram == p && s.unit != 0 || s.unit == 0 {
			return s
		}
	}
}

// grow quadruples a few slots and doubles many.
func (g *grams) grow() {
	old, factor := g.slots, 4
	if len(old) >= 1<<18 {
		factor = 2
	}
	g.slots = freeSlots[gramSlot](factor * len(old))
	for _, s := range old {
		if s.unit != 0 {
			*g.search(s.Gram) = s
		}
	}
}

// bytes is the memory of the n-grams.
func (g *grams) bytes() int {
	return 16*len(g.slots) + 8*len(g.parts) + 4*len(g.words) + 4*len(g.units)
}

// What follows takes phrases for one word each.

// Phrases are words in a row that are one term each: a phrase is its words, joined by single spaces. They are taken
// from the left, and of several that begin at a word the longest.
type Phrases []string

// UnmarshalJSON refuses the lists of passes that phrases were when they were learnt.
func (p *Phrases) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*[]string)(p)); err != nil {
		return fmt.Errorf("phrases in passes went in 0.2.0: count again from the text, with a list of phrases: %w", err)
	}
	return nil
}

// PhraseJoin stands between the words of a phrase in its term, as in new_york. It is no space, which stands
// between the terms of an n-gram.
const PhraseJoin = "_"

// String says how many phrases there are, with a hash that tells them from others.
func (p Phrases) String() string {
	if len(p) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d phrases (hash %08x)", len(p), uint32(xxh3.HashString(fmt.Sprintf("%q", []string(p)))))
}

// checked returns the phrases in the order of their bytes, each once, or an error for what is no phrase.
func (p Phrases) checked() (Phrases, error) {
	for _, phrase := range p {
		if words := strings.Split(phrase, " "); len(words) < 2 || slices.Contains(words, "") {
			return nil, usage.Errorf("a phrase is two words or more with single spaces between, not %q", usage.Cut(phrase))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(p))), nil
}

// A phraseBook finds phrases. Its node 0 is the root. It is immutable.
type phraseBook struct {
	symbols map[string]uint32 // the words that phrases have, from 1 on
	next    map[phraseStep]int
	ends    []int    // by node: 1 + the number of the phrase that ends there; 0 for none
	terms   []string // by number of a phrase
}

// A phraseStep leads from a node to another.
type phraseStep struct {
	node   int
	symbol uint32
}

// newPhraseBook returns a book of phrases, nil if there are none.
func newPhraseBook(p Phrases) *phraseBook {
	if len(p) == 0 {
		return nil
	}
	b := &phraseBook{symbols: map[string]uint32{}, next: map[phraseStep]int{}, ends: []int{0}}
	for _, phrase := range p {
		node := 0
		for word := range strings.SplitSeq(phrase, " ") {
			if b.symbols[word] == 0 {
				b.symbols[word] = uint32(len(b.symbols) + 1)
			}
			step := phraseStep{node, b.symbols[word]}
			if b.next[step] == 0 {
				b.next[step] = len(b.ends)
				b.ends = append(b.ends, 0)
			}
			node = b.next[step]
		}
		b.terms = append(b.terms, strings.ReplaceAll(phrase, " ", PhraseJoin))
		b.ends[node] = len(b.terms)
	}
	return b
}

// each calls f with each phrase in n words, as far as it goes, and with each other word, whose phrase is -1.
func (b *phraseBook) each(n int, symbol func(at int) uint32, f func(from, to, phrase int)) {
	for from := 0; from < n; {
		to, phrase, node := from+1, -1, 0
		for at := from; at < n; at++ {
			s := symbol(at)
			if s == 0 {
				break
			}
			if node = b.next[phraseStep{node, s}]; node == 0 {
				break
			}
			if end := b.ends[node]; end > 0 {
				to, phrase = at+1, end-1
			}
		}
		f(from, to, phrase)
		from = to
	}
}

// phraseWords are what a counter knows of phrases.
type phraseWords struct {
	book    *phraseBook
	symbols []uint32 // by word
	words   []uint32 // by phrase; noTerm where no text had it
}

// replace puts the words of phrases for the words of a counter that stand in ids from a place on.
func (p *phraseWords) replace(ids []uint32, from int, c *Counter) []uint32 {
	row := ids[from:]
	for _, word := range row {
		for id := uint32(len(p.symbols)); id <= word; id++ {
			p.symbols = append(p.symbols, p.book.symbols[string(c.wordText(id))])
		}
	}
	left := row[:0]
	p.book.each(len(row), func(at int) uint32 { return p.symbols[row[at]] }, func(at, _, phrase int) {
		word := row[at]
		if phrase >= 0 {
			if p.words[phrase] == noTerm {
				p.words[phrase] = c.known([]byte(p.book.terms[phrase]))
			}
			word = p.words[phrase]
		}
		left = append(left, word) // no further than at
	})
	return ids[:from+len(left)]
}

// joined returns the tokens of a part in which each phrase is one.
func (b *phraseBook) joined(tokens []Token) []Token {
	left := []Token{}
	b.each(len(tokens), func(at int) uint32 { return b.symbols[tokens[at].Word] }, func(from, to, phrase int) {
		token := tokens[from]
		if phrase >= 0 {
			token = Token{token.From, tokens[to-1].To, b.terms[phrase]}
		}
		left = append(left, token)
	})
	return left
}
