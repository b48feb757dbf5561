package document

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

var (
	// ErrNoNumber is returned for a text that is no decimal number.
	ErrNoNumber = errors.New("not a decimal number")
	// ErrRange is returned for a number that is infinite, or that a float64 holds only as
	// infinite or as zero.
	ErrRange = errors.New("beyond the range of a float64")
	// ErrSmall is the ErrRange of a number that a float64 holds only as zero.
	ErrSmall = fmt.Errorf("%w: it is too close to zero", ErrRange)
)

// AppendNumber appends the form that all ways to write a decimal number share: 5 for 5.0, +05 and
// 50e-1. Such a text is the label of a document whose target is the number, so that documents
// have the same label if and only if their numbers are equal. The form keeps every digit that
// counts, however many there are. Like encoding/json it has an exponent where the size of
// the number is below 1e-6, or 1e21 and more. Minus zero is 0. White space around the number
// is no part of it.
//
// The error is [ErrNoNumber], also for NaN, or [ErrRange], which may be [ErrSmall]; then to is returned as it was.
func AppendNumber(to, text []byte) ([]byte, error) {
	text = bytes.TrimSpace(text)
	d, ok := parseDecimal(text)
	if !ok {
		if value, err := strconv.ParseFloat(string(text[:min(len(text), len("+infinity"))]), 64); err == nil && math.IsInf(value, 0) {
			return to, ErrRange
		}
		return to, ErrNoNumber
	}
	if len(d.digits) == 0 {
		return append(to, '0'), nil
	}
	switch {
	case d.point < -mostExponent:
		return to, ErrSmall
	case d.point > mostExponent:
		return to, ErrRange
	}
	number := d.append(to)
	switch value, err := strconv.ParseFloat(string(number[len(to):]), 64); {
	case err != nil:
		return to, ErrRange
	case value == 0:
		return to, ErrSmall
	}
	return number, nil
}

// mostExponent bounds the place of the point: beyond it no float64 has the number.
const mostExponent = 400

// A decimal is a number 0.digits times 10 to the power of point. No digits are zero; else the
// first and the last are not 0.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

// parseDecimal parses a number such as 12, +12.50, .5 or 1e-3.
func parseDecimal(text []byte) (d decimal, ok bool) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		d.negative, text = text[0] == '-', text[1:]
	}
	mantissa, exponent, scaled := cutExponent(text)
	if scaled {
		if d.point, ok = parseExponent(exponent); !ok {
			return d, false
		}
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	if len(whole)+len(fraction) == 0 || !areDigits(whole) || !areDigits(fraction) {
		return d, false
	}
	d.point += len(whole)
	d.digits = bytes.TrimRight(append(append(make([]byte, 0, len(mantissa)), whole...), fraction...), "0")
	significant := bytes.TrimLeft(d.digits, "0")
	d.point -= len(d.digits) - len(significant)
	d.digits = significant
	return d, true
}

// cutExponent cuts a number at its e or E.
func cutExponent(text []byte) (mantissa, exponent []byte, found bool) {
	at := bytes.IndexAny(text, "eE")
	if at < 0 {
		return text, nil, false
	}
	return text[:at], text[at+1:], true
}

// parseExponent parses an exponent. One that is far beyond mostExponent, which is as good as
// any such, is cut.
func parseExponent(text []byte) (n int, ok bool) {
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	if len(text) == 0 || !areDigits(text) {
		return 0, false
	}
	const far = 1 << 24 // a number is shorter than that
	for _, c := range text {
		n = min(n*10+int(c-'0'), far)
	}
	if negative {
		n = -n
	}
	return n, true
}

func areDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// append appends the number, which is not zero.
func (d *decimal) append(to []byte) []byte {
	if d.negative {
		to = append(to, '-')
	}
	const least, most = -5, 21 // places of the point without an exponent
	n := len(d.digits)
	switch {
	case d.point < least || d.point > most:
		to = append(to, d.digits[0])
		if n > 1 {
			to = append(append(to, '.'), d.digits[1:]...)
		}
		to = append(to, 'e')
		if d.point > 0 {
			to = append(to, '+')
		}
		return strconv.AppendInt(to, int64(d.point-1), 10)
	case d.point <= 0:
		to = append(to, "0."...)
		return append(append(to, bytes.Repeat([]byte{'0'}, -d.point)...), d.digits...)
	case d.point >= n:
		return append(append(to, d.digits...), bytes.Repeat([]byte{'0'}, d.point-n)...)
	}
	to = append(append(to, d.digits[:d.point]...), '.')
	return append(to, d.digits[d.point:]...)
}
