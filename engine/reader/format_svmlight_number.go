package reader

import (
	"bytes"
	"math"
	"math/big"
	"regexp"
	"strconv"
)

// usualPair reads a pair whose value is written as 3 or 0.25, if its digits make a number below
// 2^53: then one division gives the correctly rounded value. It is not ok for anything else; then
// anyPair decides whether that is a pair.
func usualPair(line []byte, at int) (index uint64, value float64, end int, ok bool) {
	const most = 18 // digits that fit
	index, colon := addDigits(0, line, at)
	if colon == at || colon-at > most || colon == len(line) || line[colon] != ':' {
		return 0, 0, 0, false
	}
	n, end := addDigits(0, line, colon+1)
	digits, fraction := end-colon-1, 0
	if end < len(line) && line[end] == '.' {
		before := end + 1
		n, end = addDigits(n, line, before)
		fraction = end - before
		digits += fraction
	}
	if digits == 0 || digits > most || n >= 1<<53 || end < len(line) && !isBlank(line[end]) {
		return 0, 0, 0, false
	}
	if fraction > 0 {
		return index, float64(n) / math.Pow10(fraction), end, true
	}
	return index, float64(n), end, true
}

// addDigits appends the digits at line[at:] to a number, and returns where they end.
func addDigits(n uint64, line []byte, at int) (longer uint64, end int) {
	for ; at < len(line) && isDigit(line[at]); at++ {
		n = n*10 + uint64(line[at]-'0')
	}
	return n, at
}

// anyPair reads a pair of any form, or returns what is wrong with it.
func anyPair(field []byte) (index uint64, value float64, problem string) {
	term, number, found := bytes.Cut(field, []byte{':'})
	if !found {
		return 0, 0, "no index:value pair"
	}
	index, err := strconv.ParseUint(string(term), 10, 63)
	if err != nil {
		return 0, 0, "the index is not a whole number from 0 on"
	}
	value, err = strconv.ParseFloat(string(number), 64)
	switch {
	case err != nil || bytes.ContainsAny(number, "xXpP_"):
		return 0, 0, "the value is not a decimal number"
	case math.IsNaN(value) || math.IsInf(value, 0):
		return 0, 0, "the value is not finite"
	case value < 0:
		return 0, 0, "the value is negative; counts and weights of terms are not"
	}
	return index, value, ""
}

// numberForm are the labels that are numbers, as 3, +3, 3., .5 or -3.0e2. Exponents may be a little
// beyond those of a float64.
var numberForm = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?0*([1-3]?\d{1,2}|400))?$`)

// numberLabel returns a label that is a number in its shortest form, since programs write 1, +1, 1.0
// or 1e0, and any other label as it is. Whole numbers keep all their digits. The result is valid
// until the next call.
func (p *svmlightParser) numberLabel(label []byte) []byte {
	if n, err := strconv.ParseInt(string(label), 10, 64); err == nil {
		p.digits = strconv.AppendInt(p.digits[:0], n, 10)
		return p.digits
	}
	if len(label) > p.s.opt.MaxName || !numberForm.Match(label) { // what is too long is refused, and would take long
		return label
	}
	exact, ok := new(big.Rat).SetString(string(label))
	if ok && exact.IsInt() {
		return exact.Num().Append(p.digits[:0], 10)
	}
	value, err := strconv.ParseFloat(string(label), 64)
	if err != nil || value == 0 {
		return label
	}
	return shortest(p.digits[:0], value, 64)
}

// shortest appends the shortest decimal form that reads as a finite number of so many bits. It
// has an exponent where encoding/json writes one.
func shortest(to []byte, value float64, bits int) []byte {
	size := math.Abs(value)
	switch {
	case size == 0:
		return append(to, '0') // and no sign
	case size < 1e-6 || size >= 1e21:
		return strconv.AppendFloat(to, value, 'e', -1, bits)
	}
	return strconv.AppendFloat(to, value, 'f', -1, bits)
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
