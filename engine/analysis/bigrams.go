package analysis

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file finds the tokens of zh-bigrams. Nearly all characters of a Chinese text are in
// one block of Unicode, three bytes each, so that a pair of them is a code of 32 bits. Codes
// are collected and looked up together.

// The first and last ideograph of the block, in which all characters are of the script Han.
const firstIdeograph, lastIdeograph = 0x4E00, 0x9FFF

// A hanPairs has the memory of a counter for zh-bigrams.
type hanPairs struct {
	seen    pairTable // what a pair of ideographs becomes
	classes *planeClasses
	codes   [256]uint32 // the pairs found since the last look-up
	found   int
	slots   [256]pairSlot // the first slot where each may be
}

// bigrams appends the tokens of a text to c.ids.
func (c *Counter) bigrams(text []byte) {
	c.folded = c.folded[:0]
	var before rune // the Han character right before, 0 if there is none
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		class := c.han.classes.of(r)
		if class == wordCharacter {
			c.folded = utf8.AppendRune(c.folded, c.inCase(narrow(r)))
			before = 0
			continue
		}
		c.endWord()
		if class == separator {
			before = 0
			continue
		}
		if before > 0 {
			c.pair(before, r)
		}
		before = r
		if isIdeograph(r) {
			before, text = c.ideographs(r, text)
		}
	}
	c.endWord()
	c.lookUpPairs()
}

func isIdeograph(r rune) bool { return firstIdeograph <= r && r <= lastIdeograph }

// endWord appends the word in c.folded if it has two characters or more, and clears it.
func (c *Counter) endWord() {
	if len(c.folded) == 0 {
		return
	}
	if _, size := utf8.DecodeRune(c.folded); len(c.folded) > size {
		c.lookUpPairs()
		c.ids = c.appendTerm(c.ids, c.word(c.folded))
	}
	c.folded = c.folded[:0]
}

// pair appends the term of two Han characters.
func (c *Counter) pair(first, second rune) {
	if isIdeograph(first) && isIdeograph(second) {
		c.ideographPair(uint32(first)<<16 | uint32(second))
		return
	}
	c.lookUpPairs()
	var pair [2 * utf8.UTFMax]byte
	c.ids = c.appendTerm(c.ids, c.word(utf8.AppendRune(utf8.AppendRune(pair[:0], first), second)))
}

func (c *Counter) ideographPair(code uint32) {
	if c.han.found == len(c.han.codes) {
		c.lookUpPairs()
	}
	c.han.codes[c.han.found] = code
	c.han.found++
}

// ideographs appends the pairs of a character and the ideographs at the start of
// a text, and gives the last of them and the text behind. It is a short cut: the
// loop of bigrams does the same, at 146 MB/s of the Fudan corpus for 186.
func (c *Counter) ideographs(r rune, text []byte) (last rune, rest []byte) {
	first := uint32(r)
	for len(text) >= 4 {
		w := binary.LittleEndian.Uint32(text)
		second := w<<12&0xF000 | w>>2&0xFC0 | w>>16&0x3F
		if w&0xC0C0F0 != 0x8080E0 || second-firstIdeograph > lastIdeograph-firstIdeograph {
			break
		}
		c.ideographPair(first<<16 | second)
		first, text = second, text[3:]
	}
	return rune(first), text
}

// lookUpPairs appends the terms of the pairs found.
//
// The first slot of each is read beforehand, without a branch: so the CPU fetches
// many at once, and no misprediction stops it. Pair by pair it is 130 MB/s of the
// Fudan corpus for 186.
func (c *Counter) lookUpPairs() {
	h := c.han
	codes := h.codes[:h.found]
	h.found = 0
	h.seen.first(codes, &h.slots)
	c.ids = slices.Grow(c.ids, len(codes))
	n := len(c.ids)
	ids := c.ids[:n+len(codes)]
	for i, code := range codes {
		value := h.slots[i].value()
		if h.slots[i].code() != code {
			value = c.ideographTerm(code)
		}
		if value > nothing {
			c.dropped++
			value = nothing
		}
		ids[n] = value
		n += int((uint64(value) - nothing) >> 63) // as in tokens, without a branch
	}
	c.ids = ids[:n]
}

// ideographTerm returns the value of a pair that is new or not in its first slot.
func (c *Counter) ideographTerm(code uint32) uint32 {
	if value, ok := c.han.seen.get(code); ok {
		return value
	}
	var pair [2 * utf8.UTFMax]byte
	value := c.newWord(utf8.AppendRune(utf8.AppendRune(pair[:0], rune(code>>16)), rune(code&0xFFFF)))
	c.han.seen.put(code, value)
	return value
}

// What a character is to zh-bigrams.
const (
	separator = iota
	wordCharacter
	hanCharacter
)

// planeClasses has the characters of the basic plane. Searching three of
// Unicode's tables for every comma would take as long as everything else.
type planeClasses [1 << 16]uint8

var characterClasses = sync.OnceValue(func() *planeClasses {
	var plane planeClasses
	for r := range plane {
		plane[r] = classOf(rune(r))
	}
	plane[utf8.RuneError] = separator // malformed bytes too
	return &plane
})

func (p *planeClasses) of(r rune) uint8 {
	if r < rune(len(p)) {
		return p[r]
	}
	return classOf(r)
}

func classOf(r rune) uint8 {
	r = narrow(r)
	switch {
	case unicode.Is(unicode.Han, r):
		return hanCharacter
	case unicode.IsLetter(r), unicode.IsNumber(r), r == '_':
		return wordCharacter
	}
	return separator
}

// narrow gives the ASCII character that a full-width form stands for, and any
// other character as it is.
func narrow(r rune) rune {
	if 0xFF01 <= r && r <= 0xFF5E {
		return r - 0xFF01 + '!'
	}
	return r
}

// A pairTable maps pairs of ideographs, as codes of 32 bits, to numbers. It is
// like table, with slots of 8 bytes for its 24: what the pairs of a corpus cost
// is cache misses. On the Fudan corpus, 459,444 pairs and words of 26 MB, bigrams
// takes 186 MB/s; with pairs in the table of words 104.
type pairTable struct {
	slots []pairSlot // a power of two; half of them or more are free
	used  int
	seed  uint64
	shift uint // leaves of a product as many bits as there are slots
}

// A pairSlot has the code in its upper and the value in its lower half. 0 is a free slot,
// since no code is 0.
type pairSlot uint64

func (s pairSlot) code() uint32  { return uint32(s >> 32) }
func (s pairSlot) value() uint32 { return uint32(s) }

func newPairTable(seed uint64) pairTable {
	return pairTable{slots: freeSlots[pairSlot](firstSlots), seed: seed, shift: 64 - uint(bits.Len(firstSlots-1))}
}

// first reads the slot of each code's own place.
func (t *pairTable) first(codes []uint32, slots *[256]pairSlot) {
	from, seed, shift := t.slots, t.seed, t.shift&63
	for i, code := range codes {
		slots[i&255] = from[uint64(code)*seed>>shift&uint64(len(from)-1)]
	}
}

func (t *pairTable) get(code uint32) (value uint32, ok bool) {
	for i := t.place(code); ; i++ {
		s := t.slots[i&uint64(len(t.slots)-1)]
		if s.code() == code {
			return s.value(), true
		}
		if s == 0 {
			return 0, false
		}
	}
}

// place returns the slot where the search for a code begins.
func (t *pairTable) place(code uint32) uint64 { return uint64(code) * t.seed >> (t.shift & 63) }

// put adds a code that the table does not have.
func (t *pairTable) put(code, value uint32) {
	t.add(pairSlot(code)<<32 | pairSlot(value))
	t.used++
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
}

func (t *pairTable) add(s pairSlot) {
	i, last := t.place(s.code()), uint64(len(t.slots)-1)
	for t.slots[i&last] != 0 {
		i++
	}
	t.slots[i&last] = s
}

// grow quadruples a small table and doubles a large one.
func (t *pairTable) grow() {
	old := t.slots
	doublings := uint(2)
	if len(old) >= 1<<18 {
		doublings = 1
	}
	t.slots = freeSlots[pairSlot](len(old) << doublings)
	t.shift -= doublings
	for _, s := range old {
		if s != 0 {
			t.add(s)
		}
	}
}
