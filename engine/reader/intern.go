package reader

import (
	"hash/maphash"
	"math/bits"
	"strconv"
)

// This file keeps terms that counted documents name again and again, so that
// they are rarely made anew. Its tables belong to one parser and are bounded.

// An internTable remembers one term for each value of a hash, the last that had
// it: 93 % of the terms of 20 Newsgroups are there. A map of all of them takes
// three times as long, for it does not fit into the caches.
type internTable struct {
	seed  maphash.Seed
	slots []string
}

const internSlots = 1 << 16

func (t *internTable) intern(term []byte) string {
	if t.slots == nil {
		t.seed, t.slots = maphash.MakeSeed(), make([]string, internSlots)
	}
	slot := &t.slots[maphash.Bytes(t.seed, term)%internSlots]
	if *slot != string(term) {
		*slot = string(term)
	}
	return *slot
}

// A numberTable gives whole numbers as decimal text. Those below 2^22 are parts of
// pages, made where they are needed: 29 MB if all are. A table of strings would
// not stay in the caches, and took three times as long.
type numberTable struct {
	pages []string // of numbers of numberWidth characters
	large internTable
}

const (
	numberBits  = 22
	pageBits    = 10
	numberWidth = len("4194303")
)

func (t *numberTable) text(n uint64) string {
	if n>>numberBits > 0 {
		var digits [20]byte
		return t.large.intern(strconv.AppendUint(digits[:0], n, 10))
	}
	if t.pages == nil {
		t.pages = make([]string, 1<<(numberBits-pageBits))
	}
	page := &t.pages[n>>pageBits]
	if *page == "" {
		*page = numberPage(n >> pageBits << pageBits)
	}
	end := int(n%(1<<pageBits)+1) * numberWidth
	return (*page)[end-decimalLength(n) : end]
}

// numberPage writes the numbers from one on, each with its end where its place
// ends.
func numberPage(first uint64) string {
	page := make([]byte, numberWidth<<pageBits)
	for end := numberWidth; end <= len(page); end += numberWidth {
		n := first
		for at := end - 1; at >= end-numberWidth; at-- {
			page[at] = byte('0' + n%10)
			n /= 10
		}
		first++
	}
	return string(page)
}

// decimalLength gives the number of digits of a number below 2^22, without a
// branch: lengths are too irregular to be foreseen.
func decimalLength(n uint64) int { return int((n + lengths[bits.Len64(n)]) >> 32) }

// lengths has, for numbers of a length in bits, what added to one gives its number
// of digits, times 2^32: a power of ten among them carries.
var lengths = func() (table [numberBits + 1]uint64) {
	power, digits := uint64(10), uint64(1)
	for size := range table {
		table[size] = digits << 32
		if power < 1<<size {
			digits++
			table[size] = digits<<32 - power
			power *= 10
		}
	}
	return table
}()
