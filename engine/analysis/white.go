package analysis

import (
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis/prepare"
)

// This file finds white space.

// whiteAt returns the length of the white space character at the start of a text, 0 if there is
// another.
func whiteAt(text []byte) int {
	switch whiteBytes[text[0]] {
	case white:
		return 1
	case mayBeWhite:
		if r, size := utf8.DecodeRune(text); prepare.White(r) {
			return size
		}
	}
	return 0
}

// What a byte at the start of a character says.
const (
	dark = iota
	white
	mayBeWhite
)

var whiteBytes = func() (kinds [256]uint8) {
	for r := range rune(0x3001) {
		if prepare.White(r) {
			kinds[string(r)[0]] = mayBeWhite
		}
		if prepare.White(r) && r < utf8.RuneSelf {
			kinds[r] = white
		}
	}
	return kinds
}()

// nextDark returns the first place from one on in a text where no white space is.
func nextDark(text []byte, from int) int {
	for from < len(text) {
		n := whiteAt(text[from:])
		if n == 0 {
			break
		}
		from += n
	}
	return from
}

// nextWhite returns the first place from one on in a text where white space is.
func nextWhite(text []byte, from int) int {
	for from < len(text) && (whiteBytes[text[from]] == dark || whiteAt(text[from:]) == 0) {
		from++
	}
	return from
}

// squeeze appends to dst a text in which each run of two or more characters of white space is one
// space. A single one stays what it is.
func squeeze(dst, text []byte) []byte {
	for at := 0; at < len(text); {
		end := nextWhite(text, at)
		dst = append(dst, text[at:end]...)
		if end == len(text) {
			break
		}
		one := end + whiteAt(text[end:])
		if at = nextDark(text, one); at > one {
			dst = append(dst, ' ')
		} else {
			dst = append(dst, text[end:one]...)
		}
	}
	return dst
}
