package reader

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// This file finds the ends of JSON's texts and gives what they mean.

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// plainText passes over what needs no thought: up to a quote, a control character,
// an escape with a number, or the end; near the end, up to any escape. It takes
// eight bytes at once. Half of the time of a text goes here and half into unescape,
// both for what cannot be foreseen: where the next escape is.
func plainText(data []byte, at int) int {
	for at+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[at:])
		quote, backslash := w^('"'*lowBits), w^('\\'*lowBits)
		// A byte borrows from the next one only if it is found itself, so that the
		// first one found is right.
		found := ((quote-lowBits)&^quote | (backslash-lowBits)&^backslash | (w-' '*lowBits)&^w) & highBits
		if found == 0 {
			at += 8
			continue
		}
		at += bits.TrailingZeros64(found) / 8
		if data[at] != '\\' || at+1 == len(data) || !isShortEscape(data[at+1]) {
			return at
		}
		at += 2
	}
	for at < len(data) && data[at] != '"' && data[at] != '\\' && data[at] >= ' ' {
		at++
	}
	return at
}

// isShortEscape says whether a byte ends an escape that begins before it.
func isShortEscape(c byte) bool { return escapes[c] != 0 && c != 'u' }

// escapes has what follows a backslash and what that means; u begins a number.
var escapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hexDigit gives the value of a hexadecimal digit, -1 for another byte.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// unescape appends what a text without its quotes means. The scanner has been
// over it. What is malformed, in UTF-8 or UTF-16, becomes U+FFFD, each byte or
// half for itself; valid says that there is no such byte.
func unescape(to, text []byte, valid bool) []byte {
	if !valid {
		return unescapeRunes(to, text)
	}
	to = slices.Grow(to, len(text)+8)
	out, n := to[:cap(to)], len(to)
	for at := 0; at < len(text); {
		if at+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[at:])
			binary.LittleEndian.PutUint64(out[n:], w) // what is not plain is overwritten
			backslash := w ^ ('\\' * lowBits)
			plain := bits.TrailingZeros64((backslash-lowBits)&^backslash&highBits) / 8
			at += plain
			n += plain
			if plain == 8 {
				continue
			}
		}
		if text[at] != '\\' {
			out[n] = text[at]
			at++
			n++
			continue
		}
		if c := text[at+1]; c != 'u' {
			out[n] = escapes[c]
			n++
			at += 2
			continue
		}
		r, size := escapedRune(text[at:])
		n += utf8.EncodeRune(out[n:], r)
		at += size
	}
	return out[:n]
}

// unescapeRunes takes the text rune by rune.
func unescapeRunes(to, text []byte) []byte {
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

// escapedRune gives the character of the escape at the front of a text.
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

// codeUnit gives the number of an escape \u1234, -1 where none stands.
func codeUnit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	return hexDigit(text[2])<<12 | hexDigit(text[3])<<8 | hexDigit(text[4])<<4 | hexDigit(text[5])
}

// short gives what a text with its quotes means, until the next call.
func (j *jsonObject) short(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	if !j.verbatim(text) {
		text = unescape(j.p.json.short[:0], text, j.valid)
		j.p.json.short = text
	}
	return text
}

// verbatim says that a text without its quotes means itself.
func (j *jsonObject) verbatim(text []byte) bool { return j.valid && bytes.IndexByte(text, '\\') < 0 }
