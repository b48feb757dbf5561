package reader

import (
	"hash/maphash"
	"strconv"
)

// An internTable returns equal strings for equal bytes without allocating each time, for
// the terms of counted documents. It is bounded: it remembers one term for each value of a
// hash, the last that had it, and finds 93 % of the terms of 20 Newsgroups. A map of all
// terms takes three times as long, for it does not fit into the caches. It belongs to one
// parser.
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

// A numberTable returns whole numbers as decimal text without allocating each time. Numbers
// below 2^22 are substrings of pages that are made when first needed, 29 MB if all are. A
// table of strings does not stay in the caches and took three times as long. It belongs to
// one parser.
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
	at := int(n%(1<<pageBits)) * numberWidth
	text := (*page)[at : at+numberWidth]
	for len(text) > 1 && text[0] == '0' {
		text = text[1:]
	}
	return text
}

// numberPage returns 2^pageBits numbers from first on, each in numberWidth digits.
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
