package analysis

import (
	"encoding/binary"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
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

// ofTerm returns the number of the column of a term with a fingerprint.
func (c *columns) ofTerm(term []byte, print uint64) uint32 {
	c.distinct.add(print)
	return c.number(columnOf(Hash(term), c.last))
}

// number returns the number of a column, the next one if it has none.
func (c *columns) number(column uint32) uint32 {
	s := c.search(column)
	if *s != 0 {
		return *s - 1
	}
	if uint64(len(c.slots)) <= uint64(c.last) && len(c.names) >= len(c.slots)/4*3 { // columns have no slots of their own
		c.grow()
		s = c.search(column)
	}
	c.names = append(c.names, column)
	*s = uint32(len(c.names))
	return *s - 1
}

// search returns the slot where a column is, or is to be. Columns come from a hash, so they are their own.
func (c *columns) search(column uint32) *uint32 {
	for i := uint64(column); ; i++ {
		s := &c.slots[i&uint64(len(c.slots)-1)]
		if *s == 0 || uint64(len(c.slots)) > uint64(c.last) || c.names[*s-1] == column { // with a slot for each column no name is read
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
	return c.ofTerm([]byte(name), fingerprint([]byte(name)))
}

// mostRemembered is about how many bytes a counter with columns keeps of what words become, and forgets then.
// It is those of 300,000 words.
var mostRemembered = 48 << 20

// forgetWords gives up the words of a counter with columns if they are many. None may be in hand.
func (c *Counter) forgetWords() {
	const longWord = 64
	size := c.seen.bytes() + longWord*(len(c.seen.long)+len(c.terms)) + len(c.names) + 8*len(c.ends)
	if c.grams != nil {
		size += c.grams.bytes()
	}
	if size < mostRemembered {
		return
	}
	fresh := c.a.NewCounter()
	c.seen, c.names, c.ends, c.terms = fresh.seen, nil, nil, fresh.terms
	c.phrases = fresh.phrases
	if c.char != nil {
		c.char.forget()
	}
	if c.grams != nil {
		fresh.grams.c = c
		c.grams = fresh.grams
	}
}

// Hash returns the hash of a term: MurmurHash3 for x86 with 32 bits and seed 0, of its bytes, which is
// what scikit-learn's HashingVectorizer takes. The source is Austin Appleby's MurmurHash3.cpp.
func Hash(term []byte) uint32 {
	size := uint32(len(term))
	var h, tail uint32
	for ; len(term) >= 4; term = term[4:] {
		h = bits.RotateLeft32(h^scramble(binary.LittleEndian.Uint32(term)), 13)*5 + 0xe6546b64
	}
	for i, b := range term {
		tail |= uint32(b) << (8 * i)
	}
	h ^= scramble(tail) ^ size
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// columnOf returns the column of a hash in 2^bits: the remainder of its absolute value as a signed
// number, as scikit-learn has it. mask is the number of columns less one.
func columnOf(hash, mask uint32) uint32 {
	sign := uint32(int32(hash) >> 31)
	return (hash ^ sign - sign) & mask
}

// scramble mixes four bytes.
func scramble(block uint32) uint32 { return bits.RotateLeft32(block*0xcc9e2d51, 15) * 0x1b873593 }

// Distinct estimates how many distinct terms there are, by adaptive sampling (Wegman; Flajolet, "On adaptive
// sampling", Computing 43, 1990): it keeps the 64-bit fingerprints of terms below a bound, which it halves
// when they become too many. What is kept depends neither on the order of terms nor on how they
// are divided among samples that are joined. The zero value is empty.
type Distinct struct {
	prints   map[uint64]bool // the fingerprints
	halvings int
}

// mostSampled is the greatest number of fingerprints that are kept, between half of which and all are in use:
// the standard error is 0.8 to 1.1 %.
const mostSampled = 1 << 14

// printOf returns the fingerprint of a word or n-gram.
func (g *grams) printOf(unit uint32) uint64 {
	if unit < FirstGram {
		return fingerprint(g.c.wordText(unit))
	}
	p := g.parts[unit-FirstGram]
	high, low := bits.Mul64(g.printOf(p.Front)^0x9e3779b97f4a7c15, g.printOf(p.Word)^0xd1b54a32d192ed03)
	return high ^ low
}

// fingerprint returns that of a term's bytes.
func fingerprint(term []byte) uint64 { return xxh3.Hash(term) }

// add adds the fingerprint of a term.
func (d *Distinct) add(print uint64) {
	if print > math.MaxUint64>>d.halvings {
		return
	}
	if d.prints == nil {
		d.prints = map[uint64]bool{}
	}
	d.prints[print] = true
	for len(d.prints) > mostSampled {
		d.below(d.halvings + 1)
	}
}

// below keeps the fingerprints below the bound after so many halvings.
func (d *Distinct) below(halvings int) {
	d.halvings = halvings
	maps.DeleteFunc(d.prints, func(print uint64, _ bool) bool { return print > math.MaxUint64>>halvings })
}

// Join adds the terms of another sample.
func (d *Distinct) Join(o *Distinct) {
	d.below(max(d.halvings, o.halvings))
	for print := range o.prints {
		d.add(print)
	}
}

// Terms returns the number of distinct terms and its standard error, which is 0 where all were kept.
func (d *Distinct) Terms() (terms, deviation float64) {
	scale := math.Ldexp(1, d.halvings)
	n := float64(len(d.prints))
	return n * scale, math.Sqrt(n*(1-1/scale)) * scale
}

// Collisions say how terms fall together in columns. The errors are standard errors: those of the number of
// terms, and of where chance puts them.
type Collisions struct {
	Terms, TermsError                 float64 // distinct terms
	Columns                           float64 // columns that have a term
	SharedTerms, SharedTermsError     float64 // share of the terms that are not alone in their column, 0 to 1
	SharedColumns, SharedColumnsError float64 // share of Columns that have several terms, 0 to 1
}

// Collisions estimates how the terms fall together in 2^bits columns, each of which a hash takes with the same
// probability. The variances are those of numbers of urns that balls have been thrown into: Johnson and Kotz,
// "Urn Models and Their Application" (1977), chapter 3.
func (d *Distinct) Collisions(hashBits int) Collisions {
	all := math.Ldexp(1, hashBits)
	c := Collisions{}
	c.Terms, c.TermsError = d.Terms()
	if c.Terms == 0 {
		return c
	}
	load, missed := c.Terms/all, math.Log1p(-1/all) // ln of the probability that a term is not in a column
	none, alone := math.Exp(c.Terms*missed), math.Exp((c.Terms-1)*missed)
	used, single := 1-none, load*alone
	several := max(0, used-single)
	c.Columns = all * used
	c.SharedTerms, c.SharedColumns = 1-alone, several/used
	slope := alone - single // of single, by load
	chance := math.Sqrt(max(0, all*(single*(1-single)-load*slope*slope)))
	c.SharedTermsError = math.Hypot(c.TermsError/all*alone, chance/c.Terms)
	slope = none - slope // of several
	chance = math.Sqrt(max(0, all*(several*(1-several)-load*slope*slope)))
	c.SharedColumnsError = math.Hypot(c.TermsError/all*(slope-several/used*none)/used, chance/c.Columns)
	return c
}
