package analysis

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"math/bits"
	"slices"
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

// A slot is a token of a table with its value.
type slot struct {
	key   key
	value uint32
}

// age orders slots: 0 to 2 for stop words and others that are no terms, then terms by their
// numbers.
func (s *slot) age() uint32 { return s.value - nothing }

// firstSlots fit the second-level cache; growing from there to the words of
// 20 Newsgroups moves each of them once or twice.
const firstSlots = 1 << 12

// newTable returns an empty table. What it has does not depend on the seed.
func newTable(seed key) table {
	return table{slots: freeSlots[slot](firstSlots), long: map[string]uint32{}, seed: seed}
}

// keyOf returns the key of a token, mapped if the token is in the map.
func (t *table) keyOf(token []byte) key {
	if len(token) > inlineBytes || t.verbatim && (len(token) == 0 || bytes.IndexByte(token, 0) >= 0) {
		return mapped
	}
	return keyOf(token)
}

// get returns the value of a token, whose key is given.
func (t *table) get(k key, token []byte) (value uint32, ok bool) {
	if k == mapped {
		value, ok = t.long[string(token)]
		return value, ok
	}
	s := t.search(k)
	return s.value, s.key == k
}

// search returns the slot that has a key, or the free one that is to have it.
func (t *table) search(k key) *slot {
	for i := k.hash(t.seed); ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.key == k || s.key.low == 0 {
			return s
		}
	}
}

// put adds a token that the table does not have. Three quarters of the slots may be taken: building an
// index of 20 Newsgroups takes 0.92 of the time that it took with half of twice as many.
func (t *table) put(k key, token []byte, value uint32) {
	if k == mapped {
		t.long[string(token)] = value
		return
	}
	*t.search(k) = slot{k, value}
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
		if there.age() > s.age() {
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

// first sets each of values to that of the key with its place, or to elsewhere if another key is in
// the slot where the search for it begins. It lists the places of values above nothing in open, and
// returns how many there are.
func (t *table) first(keys []key, values []uint32, open *[batchRuns]int) (n int) {
	values = values[:len(keys)]
	slots, last := t.slots, uint64(len(t.slots)-1)
	for i, k := range keys {
		values[i] = uint32(k.hash(t.seed) & last)
	}
	for i, k := range keys {
		s := &slots[values[i]]
		value := s.value
		if (s.key.low^k.low)|(s.key.high^k.high) != 0 {
			value = elsewhere
		}
		values[i] = value
		open[n&(batchRuns-1)] = i
		n += int((nothing - uint64(value)) >> 63)
	}
	return n
}

// elsewhere is what first says of a key that the first slot does not decide.
const elsewhere = 1<<32 - 1

// bytes is the memory of the slots.
func (t *table) bytes() int { return 24 * len(t.slots) }

// clone returns a copy that grows for itself.
func (t *table) clone() table {
	n := *t
	n.slots, n.long = slices.Clone(t.slots), maps.Clone(t.long)
	return n
}

// freeSlots returns n free slots of a table, each page of them written to: where new memory is
// read first, as by a search, its first write is a second fault.
func freeSlots[T any](n int) []T {
	slots := make([]T, n)
	for i := 0; i < n; i += 128 { // a page has 170 of the largest slots
		clear(slots[i : i+1])
	}
	return slots
}

// A key is a token of up to 16 bytes, followed by zeros, as two little-endian integers.
type key struct{ low, high uint64 }

// inlineBytes is the number of bytes of a key.
const inlineBytes = 16

// leading[n] keeps the first n of 16 bytes. 32 elements, so that n&31 needs no check.
var leading = func() (masks [32]key) {
	for n := range masks {
		masks[n] = key{math.MaxUint64, math.MaxUint64}
		if n < 8 {
			masks[n] = key{1<<(8*n) - 1, 0}
		} else if n < inlineBytes {
			masks[n].high = 1<<(8*(n-8)) - 1
		}
	}
	return masks
}()

// mapped is the key of tokens that have no slot. No slot has it, since no token in a slot begins
// with a NUL byte and the key of a free slot is 0.
var mapped = key{high: 1}

// isASCII reports whether the key of a token tells that all of its bytes are ASCII.
func (k key) isASCII() bool { return (k.low|k.high)&0x8080808080808080 == 0 && k.low != 0 }

// leadingKey gives the key of the first n of at least 16 bytes. If n is above 16, the key is of no use.
func leadingKey(b []byte, n int) key {
	masks := &leading[n&31]
	whole := (*[inlineBytes]byte)(b)
	return key{binary.LittleEndian.Uint64(whole[:8]) & masks.low, binary.LittleEndian.Uint64(whole[8:]) & masks.high}
}

// keyOf gives the key of up to 16 bytes.
func keyOf(b []byte) key {
	var padded [inlineBytes]byte
	copy(padded[:], b)
	return key{binary.LittleEndian.Uint64(padded[:]), binary.LittleEndian.Uint64(padded[8:])}
}

// hash folds the 128-bit product of both halves of the key, each joined with that of the seed. The
// search for the key begins in slot hash mod the number of slots.
func (k key) hash(seed key) uint64 {
	high, low := bits.Mul64(k.low^seed.low, k.high^seed.high)
	return high ^ low
}
