package reader

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// copyPlain copies data[at:] to out[n:] up to the next quote, control character or \u
// escape, or the end, and returns the ends of both; near the end it stops at any escape.
// Shorter escapes become what they stand for. out must be as long as data, and n not above
// at. It takes eight bytes at once. What it costs is that nobody can predict the place of the
// next escape: finding the end of a string first and decoding it after takes 1.5 times as
// long.
func copyPlain(out, data []byte, n, at int) (outEnd, end int) {
	out = out[:len(data)]
	for at+8 <= len(data) && n+8 <= len(out) {
		w := binary.LittleEndian.Uint64(data[at:])
		binary.LittleEndian.PutUint64(out[n:], w) // what is not plain is overwritten
		quote, backslash := w^('"'*lowBits), w^('\\'*lowBits)
		// A byte borrows from the next one only if it is found itself, so that the
		// first one found is right.
		found := ((quote-lowBits)&^quote | (backslash-lowBits)&^backslash | (w-' '*lowBits)&^w) & highBits
		if found == 0 {
			at, n = at+8, n+8
			continue
		}
		plain := bits.TrailingZeros64(found) / 8
		at, n = at+plain, n+plain
		if data[at] != '\\' || at+1 == len(data) || !isShortEscape(data[at+1]) {
			return n, at
		}
		out[n] = escapes[data[at+1]]
		at, n = at+2, n+1
	}
	for at < len(data) && data[at] != '"' && data[at] != '\\' && data[at] >= ' ' {
		out[n] = data[at]
		at, n = at+1, n+1
	}
	return n, at
}

// isShortEscape reports whether c after a backslash is an escape sequence of two bytes.
func isShortEscape(c byte) bool { return escapes[c] != 0 && c != 'u' }

// escapes maps the byte after a backslash to the byte that it stands for; u begins a
// number.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hexDigit returns the value of a hexadecimal digit, -1 for another byte.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unescape appends the decoded form of a string without its quotes, which jsonScan must
// have checked. Each malformed byte of UTF-8 and each lone surrogate becomes U+FFFD.
func unescape(to, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == '\\' {
			r, size = escapedRune(text)
		}
		to = utf8.AppendRune(to, r)
		text = text[size:]
	}
	return to
}

// escapedRune returns the character and the length of the escape sequence at the front of a
// text.
func escapedRune(text []byte) (r rune, size int) {
	if text[1] != 'u' {
		return rune(escapes[text[1]]), 2
	}
	r = codeUnit(text)
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, codeUnit(text[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6
}

// codeUnit returns the number of an escape sequence \u1234 at the front of a text, -1 if
// there is none.
func codeUnit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	return hexDigit(text[2])<<12 | hexDigit(text[3])<<8 | hexDigit(text[4])<<4 | hexDigit(text[5])
}

// short returns the decoded form of a quoted string, valid until the next call.
func (j *jsonObject) short(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if !j.verbatim(text) {
		text = unescape(j.p.short[:0], text)
		j.p.short = text
	}
	return text
}

// name is short for a string that names something. It fails for malformed UTF-8 and lone
// surrogates, which would make one name of different ones.
func (j *jsonObject) name(what string, quoted []byte) []byte {
	name := j.short(quoted)
	switch {
	case !j.valid && !utf8.Valid(quoted):
		j.fail("the "+what+" is not UTF-8", quoted, "write UTF-8, or name the charset with --charset")
	case bytes.Contains(name, replacement) && loneSurrogate(quoted):
		j.fail("the "+what+" has half of a surrogate pair, which is no character", quoted, `write both halves, as in \ud83d\ude00`)
	}
	return name
}

var replacement = []byte("\ufffd")

// loneSurrogate reports whether a text has an escape sequence of half a surrogate pair.
func loneSurrogate(text []byte) bool {
	for at := bytes.IndexByte(text, '\\'); at >= 0; {
		r, size := escapedRune(text[at:])
		if r == utf8.RuneError && utf16.IsSurrogate(codeUnit(text[at:])) {
			return true
		}
		next := bytes.IndexByte(text[at+size:], '\\')
		if next < 0 {
			return false
		}
		at += size + next
	}
	return false
}

// verbatim reports whether a string without its quotes needs no decoding.
func (j *jsonObject) verbatim(text []byte) bool { return j.valid && bytes.IndexByte(text, '\\') < 0 }
