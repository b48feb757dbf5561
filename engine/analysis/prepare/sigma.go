package prepare

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// This file puts capital sigmas into lower case. Σ is the only letter whose lower case Unicode
// makes depend on its neighbours (Final_Sigma in its SpecialCasing.txt): ς behind a letter with
// case and not before one, else σ. All three take two bytes.

// sigmaLead is the first byte of Σ in UTF-8.
const sigmaLead = 0xCE

var sigma = []byte("Σ")

// sigmas returns a text whose capital sigmas are small ones. A text that has none is returned
// itself; else the result is in buffer, which is made longer where it must.
func sigmas(text, buffer []byte) (lower, grown []byte) {
	at := nextSigma(text, 0)
	if at < 0 {
		return text, buffer
	}
	buffer = append(buffer[:0], text...)
	for ; at >= 0; at = nextSigma(text, at+len(sigma)) {
		utf8.EncodeRune(buffer[at:], SmallSigma(text, at))
	}
	return buffer, buffer
}

// SmallSigma returns the lower case of the Σ at a place of a text.
func SmallSigma(text []byte, at int) rune {
	if casedBefore(text[:at]) && !casedAtStart(text[at+len(sigma):]) {
		return 'ς'
	}
	return 'σ'
}

// HasSigma reports whether a text has a Σ.
func HasSigma(text []byte) bool { return nextSigma(text, 0) >= 0 }

// nextSigma returns the place of the first Σ from a place on, or -1.
func nextSigma(text []byte, from int) int {
	for {
		i := bytes.IndexByte(text[from:], sigmaLead)
		if i < 0 {
			return -1
		}
		from += i
		if bytes.HasPrefix(text[from:], sigma) {
			return from
		}
		from++
	}
}

// casedBefore reports whether the last character of a text that is not ignorable has case.
func casedBefore(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRune(text)
		if !ignorable(r) {
			return cased(r)
		}
		text = text[:len(text)-size]
	}
	return false
}

// casedAtStart reports whether the first character of a text that is not ignorable has case.
func casedAtStart(text []byte) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if !ignorable(r) {
			return cased(r)
		}
		text = text[size:]
	}
	return false
}

// cased is Unicode's property Cased.
func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// ignorable is Unicode's property Case_Ignorable: marks, modifiers, format characters, and what
// stands within words.
func ignorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '\u0387', '\u055F', '\u05F4', '\u2018', '\u2019', '\u2024', '\u2027', '\uFE13', '\uFE52', '\uFE55', '\uFF07', '\uFF0E', '\uFF1A':
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
