package analysis

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

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
	first, last, isRange := strings.Cut(o.NGrams, "-")
	least = max(1, gramLength(first))
	if !isRange {
		return least, least
	}
	return least, max(least, gramLength(last))
}

// grams number the n-grams of a counter. An n-gram is the number of the n-gram
// before its last word, and the number of that word: an entry of a table of
// integers. Its bytes are put together when they are asked for.
//
// Not every unit is a term: the pairs that triples begin with are none if only
// triples are asked for.
type grams struct {
	gramRange
	slots        []gramSlot // a power of two, up to three quarters full: a half takes 85 bytes, and 6 % less time
	parts        []Gram
	words        []uint32 // the terms of words, noTerm where they have none
	units        []uint32 // what the terms are
	seed0, seed1 uint64

	row  []uint32 // the words of the part in hand
	ends []uint32 // the units that end with each of them

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

// name gives the next number to a unit that becomes a term.
func (g *grams) name(unit uint32) uint32 {
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
