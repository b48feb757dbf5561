package prepare

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A Folder puts texts into lower case as Python's str.lower does and takes their accents off, both as
// far as it is asked to. It belongs to one goroutine.
type Folder struct {
	KeepCase bool
	Accents  string // one of [Accents]

	lowered, stripped []byte
}

// Text returns a text in its final characters. Of a malformed byte it makes U+FFFD. The result is
// valid until the next call, and may be the text itself.
func (f *Folder) Text(text []byte) []byte {
	switch {
	case !f.KeepCase:
		text = f.lower(text)
	case !utf8.Valid(text):
		text = []byte(string([]rune(string(text))))
	}
	if f.Accents != "" && !isASCII(text) {
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
		default:
			lower = utf8.AppendRune(lower, unicode.ToLower(r))
		}
		at += size
	}
	f.lowered = lower
	return lower
}

var asciiLower = func() (lower [utf8.RuneSelf]byte) {
	for b := range lower {
		lower[b] = byte(unicode.ToLower(rune(b)))
	}
	return lower
}()

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
