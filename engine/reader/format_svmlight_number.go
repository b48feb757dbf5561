package reader

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// usualPair reads a pair of an index of up to seven digits and a value that plainDecimal
// reads. It is not ok for anything else; then anyPair decides whether that is a pair. It looks at
// bytes behind the line.
func usualPair(line []byte, at int) (index uint64, value float64, end int, ok bool) {
	if at+8 > cap(line) {
		return 0, 0, 0, false
	}
	index, digits := leadingDigits(binary.LittleEndian.Uint64(line[at : at+8]))
	if at += digits; digits == 0 || digits == 8 || at >= len(line) || line[at] != ':' {
		return 0, 0, 0, false
	}
	value, end, ok = plainDecimal(line, at+1)
	return index, value, end, ok
}

// leadingDigits returns the value and the number of the decimal digits at the front of the
// eight bytes of w, little-endian.
func leadingDigits(w uint64) (n uint64, digits int) {
	w ^= '0' * lowBits
	// A byte of 10 or more gets its highest bit; what it carries reaches only bytes
	// behind the first one found.
	other := (w + (0x80-10)*lowBits | w) & highBits
	digits = bits.TrailingZeros64(other) / 8
	w <<= 64 - 8*uint(digits) // as if zeros came before them
	w = w*10 + w>>8           // pairs of digits, then all four pairs
	const mask = 0x000000ff_000000ff
	return ((w&mask)*(100+1000000<<32) + (w>>16&mask)*(1+10000<<32)) >> 32, digits
}

// powersOfTen lists the powers of ten that a float64 holds exactly.
var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// plainDecimal reads a field such as 3, 0.25 or 1.5e-7 if its digits make a number below
// 2^53 and its power of ten is exact: then one operation gives the correctly rounded value.
func plainDecimal(line []byte, at int) (value float64, end int, ok bool) {
	if at+1 < len(line) && isDigit(line[at]) && isBlank(line[at+1]) {
		return float64(line[at] - '0'), at + 1, true // as most counts are
	}
	first, point := at, -1
	mantissa := uint64(0)
	for ; at < len(line); at++ {
		c := line[at]
		if isDigit(c) {
			mantissa = mantissa*10 + uint64(c-'0')
		} else if c == '.' && point < 0 {
			point = at
		} else {
			break
		}
	}
	digits, exponent := at-first, 0
	if point >= 0 {
		digits--
		exponent = point + 1 - at
	}
	if digits == 0 || digits > 18 || mantissa >= 1<<53 {
		return 0, 0, false
	}
	if at < len(line) && line[at]|0x20 == 'e' {
		var written int
		if written, at = smallExponent(line, at+1); at < 0 {
			return 0, 0, false
		}
		exponent += written
	}
	if at < len(line) && !isBlank(line[at]) || exponent < -22 || exponent > 22 {
		return 0, 0, false
	}
	if exponent < 0 {
		return float64(mantissa) / powersOfTen[-exponent], at, true
	}
	return float64(mantissa) * powersOfTen[exponent], at, true
}

// smallExponent reads an exponent of one or two digits; end is -1 for anything else.
func smallExponent(line []byte, at int) (exponent, end int) {
	negative := at < len(line) && line[at] == '-'
	if negative || at < len(line) && line[at] == '+' {
		at++
	}
	first := at
	for ; at < len(line) && at < first+3 && isDigit(line[at]); at++ {
		exponent = exponent*10 + int(line[at]-'0')
	}
	if at == first || at == first+3 {
		return 0, -1
	}
	if negative {
		exponent = -exponent
	}
	return exponent, at
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

// This file reads labels that are numbers, which programs write in several ways: 1, +1, 1.0,
// 1e0. A label is the number, in its shortest form.

// mostExponent bounds the exponents of numbers: those of a float64 are less.
const mostExponent = 400

// numberLabel returns the shortest form of a label that is a decimal number, and any other
// label as it is. Whole numbers keep all their digits.
func numberLabel(label []byte) []byte {
	if isShortest(label) {
		return label
	}
	d, ok := decimalOf(label)
	switch {
	case !ok:
		return label
	case len(d.digits) == 0:
		return []byte("0")
	case d.exponent >= 0:
		return d.whole()
	}
	value, err := strconv.ParseFloat(string(label), 64)
	if err != nil || value == 0 {
		return label
	}
	return shortest(nil, value, 64)
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

// isShortest reports whether a label is a whole number in its shortest form.
func isShortest(label []byte) bool {
	digits := label
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0] == '0' && len(label) > 1 {
		return false
	}
	for _, c := range digits {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// A decimal is the number digits * 10^exponent, without zeros at either end of the digits.
type decimal struct {
	negative bool
	digits   []byte
	exponent int
}

// whole returns a whole number that is not zero.
func (d *decimal) whole() []byte {
	var number []byte
	if d.negative {
		number = []byte{'-'}
	}
	number = append(number, d.digits...)
	return append(number, bytes.Repeat([]byte{'0'}, d.exponent)...)
}

// decimalOf reads a decimal number such as 3, +3, 3., .5 or -3.0e2.
func decimalOf(text []byte) (d decimal, ok bool) {
	rest := text
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	n := 0
	for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.') {
		n++
	}
	whole, fraction, _ := bytes.Cut(rest[:n], []byte{'.'})
	if len(whole)+len(fraction) == 0 || bytes.IndexByte(fraction, '.') >= 0 {
		return d, false
	}
	if rest = rest[n:]; len(rest) > 0 {
		written, err := strconv.Atoi(string(rest[1:]))
		if rest[0]|0x20 != 'e' || err != nil || written < -mostExponent || written > mostExponent {
			return d, false
		}
		d.exponent = written
	}
	d.exponent -= len(fraction)
	d.digits = bytes.TrimLeft(append(bytes.Clone(whole), fraction...), "0")
	significant := bytes.TrimRight(d.digits, "0")
	d.exponent += len(d.digits) - len(significant)
	d.digits = significant
	return d, true
}
