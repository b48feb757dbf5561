package analysis

import (
	"bytes"
	"math/rand/v2"
)

// A table maps tokens to numbers. Tokens up to 16 bytes are kept in an
// open-addressing table as two integers that are the hash's input as well: no
// pointer is followed and no string is made. On 20 Newsgroups 0.4 % of the
// words are longer; they are in a map.
//
// No token in a slot has a NUL byte, so zero-padding keeps tokens apart and a key that begins with 0
// marks a free slot.
type table struct {
	slots    []slot // a power of two; at least a quarter of them are free
	used     int
	long     map[string]uint32
	seed     key
	verbatim bool // tokens may be empty or have NUL bytes; those are in the map
}

// age orders slots: 0 to 2 for stop words and others that are no terms, then terms by their
// numbers.
func age(s *slot) uint32 { return s.value - nothing }

// firstSlots fit the second-level cache; growing from there to the words of
// 20 Newsgroups moves each of them once or twice.
const firstSlots = 1 << 12

// seeds are those of all tables of an Analyzer. They are random, so that nobody can prepare
// words that all hash to one slot. Results do not depend on them.
type seeds struct {
	word key
	pair uint64
}

func newSeeds() seeds {
	return seeds{key{low: rand.Uint64(), high: rand.Uint64() | 1}, rand.Uint64() | 1}
}

// newTable returns an empty table.
func newTable(s seeds) table {
	return table{slots: freeSlots[slot](firstSlots), long: map[string]uint32{}, seed: s.word}
}

// outside reports whether a token is in the map.
func (t *table) outside(token []byte) bool {
	return len(token) > inlineBytes || t.verbatim && (len(token) == 0 || bytes.IndexByte(token, 0) >= 0)
}

// get returns the value of a token.
func (t *table) get(token []byte) (value uint32, ok bool) {
	if t.outside(token) {
		value, ok = t.long[string(token)]
		return value, ok
	}
	return t.find(keyOf(token))
}

// find is get for the key of a token.
func (t *table) find(k key) (value uint32, ok bool) {
	for i := k.hash(t.seed); ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.key == k {
			return s.value, true
		}
		if s.key.low == 0 {
			return 0, false
		}
	}
}

// put adds a token that the table does not have.
func (t *table) put(token []byte, value uint32) {
	if t.outside(token) {
		t.long[string(token)] = value
		return
	}
	t.add(slot{key: keyOf(token), value: value})
}

// add is put for a token of up to 16 bytes. Three quarters of the slots may be taken: building an
// index of 20 Newsgroups takes 0.92 of the time that it took with half of twice as many.
func (t *table) add(s slot) {
	t.place(s)
	t.used++
	if t.used > len(t.slots)/4*3 {
		t.grow()
	}
}

// place puts a slot at the first free place from its own on. Older terms, which
// are the frequent ones as a rule, push younger ones away, so that they are found
// at once after growing as well.
func (t *table) place(s slot) {
	last := uint64(len(t.slots) - 1)
	for i := s.key.hash(t.seed); ; i++ {
		there := &t.slots[i&last]
		if there.key.low == 0 {
			*there = s
			return
		}
		if age(there) > age(&s) {
			s, *there = *there, s
		}
	}
}

// grow quadruples a small table and doubles a large one.
func (t *table) grow() {
	old := t.slots
	factor := 4
	if len(old) >= 1<<18 {
		factor = 2
	}
	t.slots = freeSlots[slot](factor * len(old))
	for _, s := range old {
		if s.key.low != 0 {
			t.place(s)
		}
	}
}

// freeSlots returns n free slots of a table, each page of them written to: where new memory is
// read first, as by a search, its first write is a second fault. README.md of ingest has the figures.
func freeSlots[T any](n int) []T {
	slots := make([]T, n)
	for i := 0; i < n; i += 128 { // a page has 170 of the largest slots
		clear(slots[i : i+1])
	}
	return slots
}
