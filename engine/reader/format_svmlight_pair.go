package reader

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// usualPair reads a pair of an index of up to seven digits and a value that plainDecimal
// reads. It is not ok for anything else; then anyPair decides whether that is a pair.
func usualPair(line []byte, at int) (index uint64, value float64, end int, ok bool) {
	if at+8 > len(line) {
		return shortPair(line, at)
	}
	index, digits := leadingDigits(binary.LittleEndian.Uint64(line[at:]))
	if at += digits; digits == 0 || digits == 8 || line[at] != ':' {
		return 0, 0, 0, false
	}
	value, end, ok = plainDecimal(line, at+1)
	return index, value, end, ok
}

// shortPair is usualPair for the last eight bytes of a line.
func shortPair(line []byte, at int) (index uint64, value float64, end int, ok bool) {
	first := at
	for ; at < len(line) && isDigit(line[at]); at++ {
		index = index*10 + uint64(line[at]-'0')
	}
	if at == first || at == len(line) || line[at] != ':' {
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
