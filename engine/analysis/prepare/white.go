package prepare

import "unicode/utf8"

// White reports whether a character is white space to Python: to \s of its re and to str.split.
func White(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', 0x1C <= r && r <= ' ', 0x2000 <= r && r <= 0x200A:
		return true
	}
	switch r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}

// WhiteAt returns the length of the white space character at the start of a text, 0 if there is
// another.
func WhiteAt(text []byte) int {
	switch whiteBytes[text[0]] {
	case white:
		return 1
	case mayBeWhite:
		if r, size := utf8.DecodeRune(text); White(r) {
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
		if White(r) {
			kinds[string(r)[0]] = mayBeWhite
		}
		if White(r) && r < utf8.RuneSelf {
			kinds[r] = white
		}
	}
	return kinds
}()

// NextDark returns the first place from one on in a text where no white space is.
func NextDark(text []byte, from int) int {
	for from < len(text) {
		n := WhiteAt(text[from:])
		if n == 0 {
			break
		}
		from += n
	}
	return from
}

// NextWhite returns the first place from one on in a text where white space is.
func NextWhite(text []byte, from int) int {
	for from < len(text) && (whiteBytes[text[from]] == dark || WhiteAt(text[from:]) == 0) {
		from++
	}
	return from
}

// Squeeze appends to dst a text in which each run of two or more characters of white space is one
// space. A single one stays what it is.
func Squeeze(dst, text []byte) []byte {
	for at := 0; at < len(text); {
		end := NextWhite(text, at)
		dst = append(dst, text[at:end]...)
		if end == len(text) {
			break
		}
		one := end + WhiteAt(text[end:])
		if at = NextDark(text, one); at > one {
			dst = append(dst, ' ')
		} else {
			dst = append(dst, text[end:one]...)
		}
	}
	return dst
}
