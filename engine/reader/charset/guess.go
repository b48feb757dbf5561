package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Guess guesses the encoding of a text without a byte order mark: UTF-8 if it is
// that, but for a few bytes or a character cut at its end; else GB18030 if it looks like
// Chinese; else Latin-1, in which every text is well-formed. UTF-8 with characters of two
// bytes only is tried after GB18030, since Chinese such as a review of nothing but 好 has
// many byte pairs that are well-formed in UTF-8.
func Guess(text []byte) string {
	rest := text[ASCIILength(text):]
	switch {
	case len(rest) == 0:
		return ASCII
	case utf8.Valid(rest) || nearlyUTF8(rest, 3):
		return UTF8
	case looksLikeGB(rest):
		return GB18030
	case nearlyUTF8(rest, 2):
		return UTF8
	}
	return Latin1
}

// ASCIILength returns the length of the ASCII at the front of a text. Recognising a text in
// ASCII by it costs nothing: utf8.Valid begins with the same scan.
func ASCIILength(text []byte) int {
	const high = 0x8080808080808080
	word := func(text []byte) uint64 { return binary.LittleEndian.Uint64(text) }
	rest := text[:len(text):len(text)] // whose capacity need not be computed again
	for len(rest) > 32 && (word(rest)|word(rest[8:])|word(rest[16:])|word(rest[24:]))&high == 0 {
		rest = rest[32:]
	}
	for len(rest) > 8 && word(rest)&high == 0 {
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] < utf8.RuneSelf {
		rest = rest[1:]
	}
	return len(text) - len(rest)
}

// nearlyUTF8 reports whether a text has more than eight characters of length bytes or more
// for each byte that is malformed in UTF-8. In Latin-1 hardly any letters form such a
// character.
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
		text = text[ASCIILength(text):]
	}
	return good > enough*bad
}

// looksLikeGB reports whether all bytes beyond ASCII form characters of GB18030, the last
// of which may be cut; two neighbouring ones are among the 6,763 Han characters of GB2312;
// and there are more of these than of other characters, signs not counted. In Latin-1 most
// letters beyond ASCII are followed by a space, or by a letter that forms no such character
// with them.
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
			text = text[ASCIILength(text):]
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

// isHan reports whether a text begins with a Han character of GB2312. The same byte twice
// is refused: it is hardly ever such a character, but draws lines in MS-DOS code pages.
func isHan(text []byte) bool {
	return len(text) >= 2 && 0xb0 <= text[0] && text[0] <= 0xf7 && 0xa1 <= text[1] && text[1] <= 0xfe && text[0] != text[1]
}

// isSign reports whether a character other than Han is of GB2312 (punctuation, full-width
// forms, kana and the like) or says nothing about the encoding.
func isSign(c []byte) bool {
	return len(c) == 1 || len(c) == 2 && (c[0] == c[1] || 0xa1 <= c[0] && c[0] <= 0xa9 && c[1] >= 0xa1)
}

// sizeInGB returns the length in GB18030 of the character that a text begins with, 0 where
// it begins with none, and whether all of its bytes are there.
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

// bareUTF16 returns the encoding of a text in UTF-16 without a mark, "" for any other: an
// eighth of the first characters or more are ASCII in one order of bytes, four times as many
// as in the other, and none is a control character or half of a pair. What without its
// zeros is UTF-8, or ASCII for the most part, needs three in four.
func bareUTF16(text []byte) string {
	const shortest, longest = 8, 512
	head := text[:min(len(text), longest)&^1]
	if len(head) < shortest || bytes.IndexByte(head, 0) < 0 {
		return ""
	}
	little, ok := asciiUnits(head, binary.LittleEndian)
	big, fine := asciiUnits(head, binary.BigEndian)
	units := len(head) / 2
	enough := max(units/8, 2)
	if isTextWithZeros(head) {
		enough = units * 3 / 4
	}
	switch {
	case ok && little >= max(enough, 4*big):
		return "utf-16le"
	case fine && big >= max(enough, 4*little):
		return "utf-16be"
	}
	return ""
}

// isTextWithZeros reports whether a text without its zeros is UTF-8, or ASCII for the most
// part, without control characters.
func isTextWithZeros(text []byte) bool {
	rest, ascii := bytes.ReplaceAll(text, []byte{0}, nil), 0
	for _, c := range rest {
		if c < utf8.RuneSelf {
			ascii++
			if isControl(rune(c)) {
				return false
			}
		}
	}
	return ascii*4 >= len(rest)*3 || utf8.Valid(wholeRunes(rest))
}

// isControl reports whether a character of a text is none that texts have.
func isControl(c rune) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' || 0x7f <= c && c < 0xa0 || c == 0xfffe || c == 0xffff
}

// asciiUnits counts the code units of a text that are ASCII. It is not ok if one is none of a
// text.
func asciiUnits(text []byte, order binary.ByteOrder) (ascii int, ok bool) {
	for i := 0; i < len(text); i += 2 {
		unit := rune(order.Uint16(text[i:]))
		switch {
		case isControl(unit):
			return ascii, false
		case utf16.IsSurrogate(unit):
			i += 2
			if i < len(text) && utf16.DecodeRune(unit, rune(order.Uint16(text[i:]))) == utf8.RuneError {
				return ascii, false
			}
		case unit < utf8.RuneSelf:
			ascii++
		}
	}
	return ascii, true
}

// hasUTF16Mark reports whether a prefix is a byte order mark of UTF-16.
func hasUTF16Mark(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("\xff\xfe")) || bytes.HasPrefix(prefix, []byte("\xfe\xff"))
}

// IsUTF16 reports whether a text is UTF-16, with a byte order mark or without.
func IsUTF16(text []byte) bool { return hasUTF16Mark(text) || bareUTF16(text) != "" }
