package document

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

const digits = "0123456789"

// parseDecimal parses a number such as 12, +12.50, .5 or 1e-3.
func parseDecimal(text []byte) (d decimal, ok bool) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		d.negative, text = text[0] == '-', text[1:]
	}
	mantissa := text
	if at := bytes.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
		exponent, err := strconv.Atoi(string(text[at+1:]))
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return d, false
		}
		const far = 1 << 24 // a number is shorter than that, and what is beyond is as good as it
		d.point = max(-far, min(exponent, far))
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	if len(whole)+len(fraction) == 0 || len(bytes.Trim(whole, digits)) > 0 || len(bytes.Trim(fraction, digits)) > 0 {
		return d, false
	}
	d.point += len(whole)
	d.digits = bytes.TrimRight(append(append(make([]byte, 0, len(mantissa)), whole...), fraction...), "0")
	significant := bytes.TrimLeft(d.digits, "0")
	d.point -= len(d.digits) - len(significant)
	d.digits = significant
	return d, true
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

// This file guesses what number somebody meant by a text that is none.

// missingNumbers are ways to write that there is no number.
var missingNumbers = []string{"nan", "na", "n/a", "null", "none", "nil", "-", "--", "?", ".", "unknown", "missing"}

// grouped are whole numbers, perhaps with a fraction, in groups of thousands; withComma are
// numbers with a decimal comma.
var (
	grouped   = regexp.MustCompile("^[+-]?\\d{1,3}([,.'’_\u00a0\u202f ]\\d{3})+([.,]\\d+)?$")
	withComma = regexp.MustCompile(`^[+-]?\d+,\d+$`)
)

// NumberRemedy says how to write the number that a text of a target seems to be.
func NumberRemedy(text string) string {
	text = strings.TrimSpace(text)
	if slices.Contains(missingNumbers, strings.ToLower(text)) {
		return "leave the field empty where there is no number"
	}
	bare := strings.TrimFunc(text, func(r rune) bool { // without its unit
		return unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || r == '%'
	})
	switch {
	case grouped.MatchString(text) && withComma.MatchString(text):
		return fmt.Sprintf("write %s, or %s if the comma is the decimal point", strings.Replace(text, ",", "", 1), strings.Replace(text, ",", ".", 1))
	case grouped.MatchString(text):
		return "write it without separators between thousands, and with a decimal point"
	case withComma.MatchString(text):
		return "write a decimal point: " + strings.Replace(text, ",", ".", 1)
	case strings.HasSuffix(text, "%") && isNumber(bare):
		return "write it without the percent sign: " + bare
	case bare != text && (isNumber(bare) || grouped.MatchString(bare) || withComma.MatchString(bare)):
		return "write the number alone, without its currency or unit"
	}
	return "write a decimal number such as 12.5 or 1e3, or name another field with --target"
}

func isNumber(text string) bool {
	_, err := AppendNumber(nil, []byte(text))
	return err == nil
}
