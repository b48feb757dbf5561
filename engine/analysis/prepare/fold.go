package prepare

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// A Folder puts texts into lower case as Python's str.lower does and takes their accents off, both as
// far as it is asked to. It belongs to one goroutine.
type Folder struct {
	KeepCase bool
	Accents  string // one of [Accents], "" for none
	Version  Version
	Words    bool // for scanners of words: malformed bytes stay, and U+FFFF stands for characters that are newer

	lowered, stripped []byte
}

// Text returns a text in its final characters. Of a malformed byte it makes U+FFFD, but for scanners
// of words. The result is valid until the next call, and may be the text itself.
func (f *Folder) Text(text []byte) []byte {
	if f.Version.HasAll(text) {
		return f.fold(text)
	}
	known, newer := f.Version.hide(text)
	known = f.fold(known)
	if f.Words {
		return known
	}
	return show(known, newer)
}

func (f *Folder) fold(text []byte) []byte {
	switch {
	case !f.KeepCase:
		text = f.lower(text)
	case !f.Words && !utf8.Valid(text):
		text = []byte(string([]rune(string(text))))
	}
	if f.Accents != "" && !IsASCII(text) {
		f.stripped = stripAccents(f.stripped[:0], text, f.Accents == asciiOnly)
		text = f.stripped
	}
	return text
}

// HasDottedI reports whether a text has an İ, which becomes two characters in lower case.
func HasDottedI(text []byte) bool { return bytes.Contains(text, dottedI) }

var dottedI = []byte("İ")

// lower is Python's str.lower, which differs from the lower case of single characters in two of
// them: of U+0130 it makes an i and the combining dot U+0307, and of Σ what its neighbours ask for.
func (f *Folder) lower(text []byte) []byte {
	lower := f.lowered[:0]
	for at := 0; at < len(text); {
		if b := text[at]; b < utf8.RuneSelf {
			lower = append(lower, asciiLower[b])
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		switch r {
		case 'İ':
			lower = append(lower, "i\u0307"...)
		case 'Σ':
			lower = utf8.AppendRune(lower, SmallSigma(text, at))
		case utf8.RuneError:
			lower = f.appendError(lower, text[at:at+size])
		default:
			lower = utf8.AppendRune(lower, unicode.ToLower(r))
		}
		at += size
	}
	f.lowered = lower
	return lower
}

// appendError appends U+FFFD or a malformed byte.
func (f *Folder) appendError(dst, bytes []byte) []byte {
	if f.Words {
		return append(dst, bytes...)
	}
	return utf8.AppendRune(dst, utf8.RuneError)
}

var asciiLower = func() (lower [utf8.RuneSelf]byte) {
	for b := range lower {
		lower[b] = byte(unicode.ToLower(rune(b)))
	}
	return lower
}()

// IsASCII reports whether a text has ASCII characters only.
func IsASCII(text []byte) bool { return asciiPrefix(text) == len(text) }

// highBits are the top bits of eight bytes.
const highBits = 0x8080808080808080

// asciiPrefix returns the length of the ASCII characters at the start of a text.
func asciiPrefix(text []byte) (n int) {
	for len(text)-n >= 8 && binary.LittleEndian.Uint64(text[n:])&highBits == 0 {
		n += 8
	}
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}
