package reader

import (
	"encoding/binary"
	"unicode/utf8"
)

// This file guesses the encoding of a text without a mark.

// guessEncoding is UTF-8 where the text is that, but for a few bytes or a
// character cut at its end; else GB18030 where it looks like Chinese; else
// Latin-1, in which every text is well-formed. Letters of two bytes in UTF-8 say
// less than GB18030: a review of nothing but 好 is full of them.
func guessEncoding(text []byte) string {
	rest := text[asciiLength(text):]
	switch {
	case len(rest) == 0:
		return inASCII
	case utf8.Valid(rest) || nearlyUTF8(rest, 3):
		return inUTF8
	case looksLikeGB(rest):
		return inGB18030
	case nearlyUTF8(rest, 2):
		return inUTF8
	}
	return inLatin1
}

// asciiLength gives the length of the ASCII at the front of a text. With it a
// text in ASCII is told apart at no cost: utf8.Valid begins with the same scan.
func asciiLength(text []byte) int {
	const high = 0x8080808080808080
	n := 0
	for ; n+16 <= len(text); n += 16 {
		if (binary.LittleEndian.Uint64(text[n:])|binary.LittleEndian.Uint64(text[n+8:]))&high != 0 {
			break
		}
	}
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// nearlyUTF8 says whether a text has more than enough characters of some length in
// bytes for each malformed byte. In Latin-1 hardly any letters form one.
func nearlyUTF8(text []byte, length int) bool {
	const enough = 8
	good, bad := 0, 0
	for len(text) > 0 && utf8.FullRune(text) {
		if good+len(text)/2 <= enough*bad {
			return false // whatever comes
		}
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			bad++
		} else if size >= length {
			good++
		}
		text = text[size:]
		text = text[asciiLength(text):]
	}
	return good > enough*bad
}

// looksLikeGB says whether all bytes beyond ASCII form characters of GB18030, but
// for one cut at the end; whether two that stand together are of the 6,763 Han
// characters of GB2312; and whether there are more of these than of others, except
// signs. In Latin-1 most letters beyond ASCII stand before a space, or before a
// letter that forms no such character with them.
func looksLikeGB(text []byte) bool {
	han, others, run, longest := 0, 0, 0, 0
	for len(text) > 0 {
		if isHan(text) {
			text = text[2:]
			han++
			run++
			longest = max(longest, run)
			continue
		}
		run = 0
		if text[0] < utf8.RuneSelf {
			text = text[asciiLength(text):]
			continue
		}
		size, whole := sizeInGB(text)
		if size == 0 {
			return false
		}
		if !whole {
			break
		}
		if !isSign(text[:size]) {
			others++
		}
		text = text[size:]
	}
	return longest > 1 && han > others
}

// isHan says whether a text begins with a Han character of GB2312. The same byte
// twice, which is hardly ever one, draws a line in the code page of MS-DOS.
func isHan(text []byte) bool {
	return len(text) >= 2 && 0xb0 <= text[0] && text[0] <= 0xf7 && 0xa1 <= text[1] && text[1] <= 0xfe && text[0] != text[1]
}

// isSign says whether a character that is not Han is of GB2312 (punctuation,
// full-width forms, kana and the like), or speaks for no encoding.
func isSign(c []byte) bool {
	return len(c) == 1 || len(c) == 2 && (c[0] == c[1] || 0xa1 <= c[0] && c[0] <= 0xa9 && c[1] >= 0xa1)
}

// sizeInGB gives the length of the character that a text begins with, 0 where it
// begins with none. whole says that it is not cut.
func sizeInGB(text []byte) (size int, whole bool) {
	in := func(i int, low, high byte) bool { // also behind the end
		return i >= len(text) || low <= text[i] && text[i] <= high
	}
	switch {
	case text[0] == 0x80: // the Euro sign, in code page 936
		return 1, true
	case !in(0, 0x81, 0xfe):
		return 0, false
	case in(1, 0x40, 0x7e) || in(1, 0x80, 0xfe):
		return 2, len(text) >= 2
	case in(1, '0', '9') && in(2, 0x81, 0xfe) && in(3, '0', '9'):
		return 4, len(text) >= 4
	}
	return 0, false
}
