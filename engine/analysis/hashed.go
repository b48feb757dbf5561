package analysis

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// This file counts terms by the columns of their hashes, without a dictionary of them. A term is then a column,
// and its name the number of the column. Only what words become is remembered, for their speed, and
// forgotten where it takes much memory.

// MostHashBits is the greatest Options.HashBits.
const MostHashBits = 30

// ColumnOf returns the column of a term's bytes, if HashBits are given. The term's name in counts is this number.
func (o *Options) ColumnOf(term []byte) uint32 { return columnOf(Hash(term), o.columnMask()) }

// ParseColumn reads the name of a column, which has neither a sign nor zeros before it; ok is false for any other
// text.
func (o *Options) ParseColumn(name string) (column uint32, ok bool) {
	return parseColumn(name, o.columnMask())
}

// columnMask is the greatest column.
func (o *Options) columnMask() uint32 { return 1<<o.HashBits - 1 }

// parseColumn reads the name of a column up to most.
func parseColumn(name string, most uint32) (column uint32, ok bool) {
	n, err := strconv.ParseUint(name, 10, 32)
	return uint32(n), err == nil && n <= uint64(most) && strconv.FormatUint(n, 10) == name
}

// columns number the columns that have a term, in the order of their first occurrence.
type columns struct {
	last     uint32   // the greatest column
	slots    []uint32 // a number and 1 each, 0 where it is free: a power of two, up to one for each column; of fewer a quarter is free
	names    []uint32 // the columns, by their numbers
	distinct Distinct // terms
}

func newColumns(o *Options) *columns {
	last := o.columnMask()
	return &columns{last: last, slots: make([]uint32, min(uint64(last)+1, firstSlots))}
}

// ofTerm returns the number of the column of a term.
func (c *columns) ofTerm(term []byte) uint32 {
	c.distinct.add(fingerprint(term))
	return c.number(columnOf(Hash(term), c.last))
}

// number returns the number of a column, the next one if it has none.
func (c *columns) number(column uint32) uint32 {
	s := c.search(column)
	if *s != 0 {
		return *s - 1
	}
	if !c.direct() && len(c.names) >= len(c.slots)/4*3 {
		c.grow()
		s = c.search(column)
	}
	c.names = append(c.names, column)
	*s = uint32(len(c.names))
	return *s - 1
}

// direct reports whether each column has a slot of its own.
func (c *columns) direct() bool { return uint64(len(c.slots)) > uint64(c.last) }

// search returns the slot where a column is, or is to be. Columns come from a hash, so they are their own.
func (c *columns) search(column uint32) *uint32 {
	for i := uint64(column); ; i++ {
		s := &c.slots[i&uint64(len(c.slots)-1)]
		if *s == 0 || c.names[*s-1] == column {
			return s
		}
	}
}

// grow makes four times as many slots, but no more than columns.
func (c *columns) grow() {
	c.slots = freeSlots[uint32](int(min(uint64(c.last)+1, 4*uint64(len(c.slots)))))
	c.names = slices.Grow(c.names, len(c.slots)/4*3-len(c.names))
	for number, column := range c.names {
		*c.search(column) = uint32(number + 1)
	}
}

// appendName appends the name of a column by its number.
func (c *columns) appendName(dst []byte, number uint32) []byte {
	return strconv.AppendUint(dst, uint64(c.names[number]), 10)
}

// texts returns the names of all columns by their numbers.
func (c *columns) texts() []string {
	ends := make([]int, len(c.names))
	var text strings.Builder
	var digits [10]byte
	for number := range ends {
		text.Write(c.appendName(digits[:0], uint32(number)))
		ends[number] = text.Len()
	}
	return cut(text.String(), ends)
}

// add returns the number of a column by its name, and of the column of any other term.
func (c *columns) add(name string) uint32 {
	if column, ok := parseColumn(name, c.last); ok {
		return c.number(column)
	}
	return c.ofTerm([]byte(name))
}

// A hashed is what an n-gram is hashed by.
type hashed struct {
	murmur
	print uint64 // its fingerprint
}

// A hashedWord is a word of n-grams.
type hashedWord struct {
	hashed
	behind     key // the word behind a space, if it fits
	behindSize uint32
	column     uint32 // the number of the word's own, noTerm if it has none yet
}

// hashedGrams hash the n-grams of a counter.
type hashedGrams struct {
	gramRange
	*columns
	words []hashedWord
	row   []uint32 // the words of the run in hand
	ends  []hashed // the n-grams that end with each of them
	all   []uint32 // their columns
}

// replace puts the columns of the n-grams of the range for the words that stand in ids from a place on: of
// words, then of pairs, and so on.
func (g *hashedGrams) replace(ids []uint32, from int, c *Counter) []uint32 {
	g.row = append(g.row[:0], ids[from:]...)
	g.meet(c)
	ids = ids[:from]
	if g.least == 1 {
		ids = g.single(ids)
	}
	for n := 2; n <= min(g.most, len(g.row)); n++ {
		for i := len(g.row) - 1; i >= n-1; i-- {
			g.ends[i] = g.append(g.ends[i-1], g.row[i], c) // from n-1 words to n
		}
		if n >= g.least {
			ids = g.lookUp(ids, g.ends[n-1:])
		}
	}
	return ids
}

// meet hashes the words that are new.
func (g *hashedGrams) meet(c *Counter) {
	for word := len(g.words); word < len(c.ends); word++ {
		text := c.wordText(uint32(word))
		w := hashedWord{hashed: hashed{murmur{}.then(text), fingerprint(text)}, behindSize: uint32(len(text) + 1), column: noTerm}
		if len(text) < inlineBytes {
			c.folded = append(append(c.folded[:0], ' '), text...)
			w.behind = keyOf(c.folded)
		}
		g.words = append(twiceTheRoom(g.words, 1), w)
	}
	g.ends = g.ends[:0]
	for _, word := range g.row {
		g.ends = append(g.ends, g.words[word].hashed)
	}
}

// single appends the columns of the words.
func (g *hashedGrams) single(ids []uint32) []uint32 {
	for _, word := range g.row {
		w := &g.words[word]
		if w.column == noTerm {
			g.distinct.add(w.print)
			w.column = g.number(columnOf(w.sum(), g.columns.last))
		}
		ids = append(ids, w.column)
	}
	return ids
}

// append returns an n-gram with a word behind it.
func (g *hashedGrams) append(front hashed, word uint32, c *Counter) hashed {
	w := &g.words[word]
	h := hashed{print: joinPrints(front.print, w.print)}
	if w.behindSize <= inlineBytes {
		h.murmur = front.thenKey(w.behind, w.behindSize)
	} else {
		h.murmur = front.then([]byte{' '}).then(c.wordText(word))
	}
	return h
}

// lookUp appends the columns of n-grams.
func (g *hashedGrams) lookUp(ids []uint32, grams []hashed) []uint32 {
	g.all = slices.Grow(g.all[:0], len(grams))[:len(grams)]
	for i := range grams {
		g.all[i] = columnOf(grams[i].sum(), g.columns.last)
	}
	bound, direct, last := g.distinct.bound(), g.direct(), uint32(len(g.slots)-1)
	for i, column := range g.all {
		if grams[i].print <= bound {
			g.distinct.add(grams[i].print)
			bound = g.distinct.bound()
		}
		number := g.slots[column&last] - 1
		if number == noTerm || !direct && g.names[number] != column {
			number = g.number(column)
			direct, last = g.direct(), uint32(len(g.slots)-1)
		}
		ids = append(ids, number)
	}
	return ids
}

// mostRemembered is about how many bytes a counter with columns keeps of what words become, and forgets then.
// It is those of 300,000 words.
var mostRemembered = 48 << 20

// forgetWords gives up the words of a counter with columns if they are many. None may be in hand.
func (c *Counter) forgetWords() {
	const longWord = 64
	size := c.seen.bytes() + longWord*(len(c.seen.long)+len(c.terms)) + len(c.names) + 8*len(c.ends)
	if c.hashed != nil {
		size += 48 * len(c.hashed.words)
	}
	if size < mostRemembered {
		return
	}
	fresh := c.a.NewCounter()
	c.seen, c.names, c.ends, c.terms = fresh.seen, nil, nil, fresh.terms
	c.phrases = fresh.phrases
	if c.char != nil && c.a.tokens == wordChars {
		c.char.forget()
	}
	if c.hashed != nil {
		c.hashed.words = nil
	}
}

// Hash returns the hash of a term: MurmurHash3 for x86 with 32 bits and seed 0, of its bytes, which is
// what scikit-learn's HashingVectorizer takes. The source is Austin Appleby's MurmurHash3.cpp.
func Hash(term []byte) uint32 { return murmur{}.then(term).sum() }

// columnOf returns the column of a hash in 2^bits: the remainder of its absolute value as a signed
// number, as scikit-learn has it. mask is the number of columns less one.
func columnOf(hash, mask uint32) uint32 {
	sign := uint32(int32(hash) >> 31)
	return (hash ^ sign - sign) & mask
}

// A murmur is the hash of some bytes that others may follow: of whole blocks of four bytes, and the up to
// three bytes behind them.
type murmur struct{ blocks, tail, size uint32 }

// then returns the hash with more bytes behind.
func (m murmur) then(b []byte) murmur {
	for len(b) > murmurKey {
		m = m.thenKey(keyOf(b[:murmurKey]), murmurKey)
		b = b[murmurKey:]
	}
	return m.thenKey(keyOf(b), uint32(len(b)))
}

// murmurKey is the number of bytes that then adds at a time.
const murmurKey = inlineBytes

// thenKey returns the hash with the n bytes of a key behind. It makes the hashes of all numbers of blocks,
// and takes one of them: nobody can predict the length of a word.
func (m murmur) thenKey(k key, n uint32) murmur {
	shift := m.size & 3 * 8
	low := uint64(m.tail) | k.low<<(shift&63)
	middle := k.low>>1>>((63-shift)&63) | k.high<<(shift&63)
	high := k.high >> 1 >> ((63 - shift) & 63)
	blocks := [8]uint32{uint32(low), uint32(low >> 32), uint32(middle), uint32(middle >> 32), uint32(high)}
	hashes := [8]uint32{m.blocks}
	for i := range 4 {
		hashes[i+1] = bits.RotateLeft32(hashes[i]^scramble(blocks[i]), 13)*5 + 0xe6546b64
	}
	full := (m.size&3 + n) / 4 & 7
	return murmur{hashes[full], blocks[full], m.size + n}
}

// sum returns the hash.
func (m murmur) sum() uint32 {
	h := m.blocks ^ scramble(m.tail) ^ m.size
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// scramble mixes four bytes.
func scramble(block uint32) uint32 { return bits.RotateLeft32(block*0xcc9e2d51, 15) * 0x1b873593 }
