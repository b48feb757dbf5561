package reader

import (
	"bytes"
	"math"
	"strconv"
)

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
