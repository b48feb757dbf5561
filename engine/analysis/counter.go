package analysis

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/kernels"
)

// A TermCount is a term of a document with the number of its occurrences.
type TermCount struct{ Term, Count uint32 }

// A Counter counts the terms of documents, which it numbers from 0 in the order
// of their first occurrence. It belongs to one goroutine.
//
// Tokens up to 16 bytes are kept inside an open-addressing table, as two
// integers that also are the hash's input: no pointer is followed and no string
// is made for a token that was seen before.
type Counter struct {
	a     *Analyzer
	class kernels.Class

	slots []slot // a power of two of them, at least half of them free
	used  int
	long  map[string]uint32 // tokens of more than 16 bytes
	terms map[string]uint32 // nil until a term may come by two ways, see byName
	names []string
	text  strings.Builder // the chunk of memory that new names share

	lower   []byte // the text in lower case, with room for a 16-byte load behind it
	masks   []uint64
	kept    []byte // header values that are kept
	word    []byte // a token with characters beyond ASCII, folded
	stamps  []stamp
	doc     uint32
	dropped int64
}

type slot struct {
	k0, k1 uint64 // the token, zero-padded; k0 = 0 marks a free slot
	term   uint32
}

// A stamp says where the current document's count of a term stands.
type stamp struct{ doc, place uint32 }

// stopped marks a token that is no term.
const stopped = math.MaxUint32

const (
	inlineBytes = 16
	firstSlots  = 1 << 12
)

// NewCounter returns a counter without terms.
func (a *Analyzer) NewCounter() *Counter {
	class := kernels.WordBytes
	if a.opt.Tokens == "letters" {
		class = kernels.Letters
	}
	return &Counter{
		a: a, class: class, slots: make([]slot, firstSlots), long: map[string]uint32{},
	}
}

// Len is the number of terms so far.
func (c *Counter) Len() int { return len(c.names) }

// Term gives the term of a number below Len.
func (c *Counter) Term(term uint32) string { return c.names[term] }

// Dropped counts the tokens that were longer than MaxToken.
func (c *Counter) Dropped() int64 { return c.dropped }

// Add gives the number of a term that is taken as it is.
func (c *Counter) Add(term string) uint32 { return c.byName([]byte(term)) }

// byName finds or adds a term that may be there already under another token:
// stems meet, and so do counted terms and scanned ones. The map is made when
// the first such term comes; plain words need none, which saves a tenth of the
// time of counting.
func (c *Counter) byName(term []byte) uint32 {
	if c.terms == nil {
		c.terms = make(map[string]uint32, len(c.names))
		for id, name := range c.names {
			c.terms[name] = uint32(id)
		}
	}
	if id, ok := c.terms[string(term)]; ok {
		return id
	}
	return c.newTerm(term)
}

// nameChunk is how many bytes of names are allocated at once.
const nameChunk = 1 << 16

func (c *Counter) newTerm(term []byte) uint32 {
	if c.text.Cap()-c.text.Len() < len(term) {
		c.text = strings.Builder{}
		c.text.Grow(max(nameChunk, len(term)))
	}
	start := c.text.Len()
	c.text.Write(term) // never moves what was written: it fits
	name := c.text.String()[start:]
	id := uint32(len(c.names))
	c.names = append(c.names, name)
	c.stamps = append(c.stamps, stamp{})
	if c.terms != nil {
		c.terms[name] = id
	}
	return id
}

// Count appends the distinct terms of a document to dst, in the order of their
// first occurrence. It allocates only for words that are new to the counter.
func (c *Counter) Count(text []byte, dst []TermCount) []TermCount {
	c.nextDocument()
	base := len(dst)
	c.each(text, func(term uint32) {
		s := &c.stamps[term]
		if s.doc == c.doc {
			dst[base+int(s.place)].Count++
			return
		}
		*s = stamp{c.doc, uint32(len(dst) - base)}
		dst = append(dst, TermCount{term, 1})
	})
	return dst
}

// nextDocument numbers documents from 1; the stamps are cleared when the
// numbers run out.
func (c *Counter) nextDocument() {
	if c.doc == math.MaxUint32 {
		clear(c.stamps)
		c.doc = 0
	}
	c.doc++
}

// each calls f with every term of a text in order.
func (c *Counter) each(text []byte, f func(term uint32)) {
	text = c.a.headers.apply(text, &c.kept)
	if need := len(text) + inlineBytes; cap(c.lower) < need {
		c.lower = make([]byte, need+need/2)
		c.masks = make([]uint64, len(c.lower)/kernels.BlockBytes+1)
	}
	lower := c.lower[:len(text)+inlineBytes]
	masks := c.masks[:(len(text)+kernels.BlockBytes-1)/kernels.BlockBytes]
	ascii := !kernels.Classify(text, lower, masks, c.class)

	// Tokens begin and end where neighbouring bits differ, so the set bits of
	// mask ^ (mask << 1) are starts and ends in turn.
	start, before := -1, uint64(0)
	for block, mask := range masks {
		edges := mask ^ (mask<<1 | before)
		before = mask >> 63
		for ; edges != 0; edges &= edges - 1 {
			at := block*kernels.BlockBytes + bits.TrailingZeros64(edges)
			if start < 0 {
				start = at
				continue
			}
			c.run(lower, start, at, ascii, f)
			start = -1
		}
	}
	if start >= 0 {
		c.run(lower, start, len(text), ascii, f)
	}
}

// run handles a maximal run of token bytes.
func (c *Counter) run(lower []byte, start, end int, ascii bool, f func(uint32)) {
	if !ascii && !isASCII(lower[start:end]) {
		c.split(lower[start:end], f)
		return
	}
	if end-start < 2 && c.class == kernels.WordBytes {
		return
	}
	if term := c.token(lower, start, end); term != stopped {
		f(term)
	}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// split cuts a run with bytes beyond ASCII where a character is none of the
// class, and folds what is left. A malformed byte cuts as well. Go's lower case
// of U+0130 is "i"; Python's is "i" with a combining dot, which would cut.
func (c *Counter) split(run []byte, f func(uint32)) {
	c.word = c.word[:0]
	characters := 0
	flush := func() {
		n := len(c.word)
		if n > 0 && (characters > 1 || c.class == kernels.Letters) {
			c.word = append(c.word, make([]byte, inlineBytes)...)
			if term := c.token(c.word, 0, n); term != stopped {
				f(term)
			}
		}
		c.word, characters = c.word[:0], 0
	}
	for len(run) > 0 {
		r, size := utf8.DecodeRune(run)
		if c.belongs(r, size) {
			c.word = utf8.AppendRune(c.word, unicode.ToLower(r))
			characters++
		} else {
			flush()
		}
		run = run[size:]
	}
	flush()
}

func (c *Counter) belongs(r rune, size int) bool {
	if r == utf8.RuneError && size == 1 {
		return false
	}
	return unicode.IsLetter(r) || c.class == kernels.WordBytes && (unicode.IsNumber(r) || r == '_')
}

// tokenMask keeps the first n bytes of a little-endian integer.
var tokenMask = [9]uint64{0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, math.MaxUint64}

// token gives the term of the token text[start:end], behind which text has at
// least 16 bytes more.
func (c *Counter) token(text []byte, start, end int) uint32 {
	n := end - start
	if n > inlineBytes {
		return c.longToken(text[start:end])
	}
	t := text[start : start+inlineBytes]
	k0 := binary.LittleEndian.Uint64(t) & tokenMask[min(n, 8)]
	k1 := binary.LittleEndian.Uint64(t[8:]) & tokenMask[max(n-8, 0)]
	for i := hash(k0, k1); ; i++ {
		s := &c.slots[i&uint64(len(c.slots)-1)]
		if s.k0 == k0 && s.k1 == k1 {
			return s.term
		}
		if s.k0 == 0 {
			term := c.newWord(text[start:end])
			*s = slot{k0, k1, term}
			c.used++
			if 2*c.used >= len(c.slots) {
				c.grow()
			}
			return term
		}
	}
}

// hash folds the 128-bit product of the two halves.
func hash(k0, k1 uint64) uint64 {
	high, low := bits.Mul64(k0^0x9E3779B97F4A7C15, k1^0xD1B54A32D192ED03)
	return high ^ low
}

func (c *Counter) grow() {
	old := c.slots
	c.slots = make([]slot, 4*len(old))
	for _, s := range old {
		if s.k0 == 0 {
			continue
		}
		i := hash(s.k0, s.k1)
		for c.slots[i&uint64(len(c.slots)-1)].k0 != 0 {
			i++
		}
		c.slots[i&uint64(len(c.slots)-1)] = s
	}
}

func (c *Counter) longToken(token []byte) uint32 {
	if len(token) > c.a.opt.MaxToken {
		c.dropped++
		return stopped
	}
	if term, ok := c.long[string(token)]; ok {
		return term
	}
	term := c.newWord(token)
	c.long[string(token)] = term
	return term
}

// newWord decides once what a word is: stopped, or a term.
func (c *Counter) newWord(word []byte) uint32 {
	if c.a.stop[string(word)] {
		return stopped
	}
	if len(word) > c.a.opt.MaxToken {
		c.dropped++
		return stopped
	}
	if c.a.stem != nil {
		return c.byName(c.a.stem(bytes.Clone(word)))
	}
	if c.terms != nil {
		return c.byName(word)
	}
	return c.newTerm(word)
}
