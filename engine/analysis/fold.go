package analysis

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A folder puts texts into lower case as Python's str.lower does and takes their accents off, both as
// far as it is asked to. What a character without a lower case is decomposed into may have capitals, as ™ has: they become
// small, but in Python. It belongs to one goroutine.
type folder struct {
	keepCase bool
	python   bool   // capitals that come of accents stay
	accents  string // one of [accents], "" for none
	version  unicodeVersion
	words    bool // for scanners of words: malformed bytes stay, and U+FFFF stands for characters that are newer

	lowered, stripped []byte
}

// text returns a text in its final characters. Of a malformed byte it makes U+FFFD, but for scanners
// of words. The result is valid until the next call, and may be the text itself.
func (f *folder) text(text []byte) []byte {
	if f.version.hasAll(text) {
		return f.fold(text)
	}
	known, newer := f.version.hide(text)
	known = f.fold(known)
	if f.words {
		return known
	}
	return show(known, newer)
}

func (f *folder) fold(text []byte) []byte {
	switch {
	case !f.keepCase:
		text = f.lower(text)
	case !f.words && !utf8.Valid(text):
		text = []byte(string([]rune(string(text))))
	}
	if f.accents != "" && !isASCII(text) {
		f.stripped = f.stripAccents(f.stripped[:0], text)
		text = f.stripped
	}
	return text
}

// dottedI becomes two characters in lower case.
var dottedI = []byte("İ")

// lower is Python's str.lower, which differs from the lower case of single characters in two of
// them: of U+0130 it makes an i and the combining dot U+0307, and of Σ what its neighbours ask for.
func (f *folder) lower(text []byte) []byte {
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
			lower = utf8.AppendRune(lower, smallSigma(text, at))
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
func (f *folder) appendError(dst, bytes []byte) []byte {
	if f.words {
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

// isASCII reports whether a text has ASCII characters only.
func isASCII(text []byte) bool { return asciiPrefix(text) == len(text) }

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

// [folder] takes accents off so: it decomposes each character as Unicode's form NFKD does, and
// leaves out marks. Since all marks that NFKD would put in order go, each character is decomposed
// by itself.

// asciiOnly is the one of [accents] that leaves out every character beyond ASCII.
const asciiOnly = "ascii"

// accents lists the values of Options.StripAccents, the default first, as scikit-learn has them.
// unicode leaves out characters with a combining class, and composes nothing again: of Hangul
// syllables it makes letters. ascii leaves out every character beyond ASCII, so that ß and ø vanish.
func accents() []string { return []string{"none", "unicode", asciiOnly} }

// stripAccents appends a text without accents to dst.
func (f *folder) stripAccents(dst, text []byte) []byte {
	for len(text) > 0 {
		if b := text[0]; b < utf8.RuneSelf {
			dst = append(dst, b)
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		dst = f.stripRune(dst, r, text[:size])
		text = text[size:]
	}
	return dst
}

// stripRune appends what remains of a character beyond ASCII.
func (f *folder) stripRune(dst []byte, r rune, bytes []byte) []byte {
	parts, asciiOnly := bytes, f.accents == asciiOnly
	switch decomposed := norm.NFKD.Properties(bytes).Decomposition(); {
	case firstSyllable <= r && r <= lastSyllable:
		return appendJamo(dst, r-firstSyllable, asciiOnly)
	case decomposed != nil:
		parts = decomposed
	}
	for len(parts) > 0 {
		r, size := utf8.DecodeRune(parts)
		if r < utf8.RuneSelf || !asciiOnly && norm.NFKD.Properties(parts).CCC() == 0 {
			if !f.keepCase && !f.python {
				r = unicode.ToLower(r)
			}
			dst = utf8.AppendRune(dst, r)
		}
		parts = parts[size:]
	}
	return dst
}

// The syllables of Hangul and the letters they consist of, which Unicode computes.
const (
	firstSyllable, lastSyllable           = 0xAC00, 0xD7A3
	firstConsonant, firstVowel, firstCoda = 0x1100, 0x1161, 0x11A7
	vowels, codas                         = 21, 28
)

// appendJamo appends the letters of a syllable of Hangul.
func appendJamo(dst []byte, syllable rune, asciiOnly bool) []byte {
	if asciiOnly {
		return dst
	}
	dst = utf8.AppendRune(dst, firstConsonant+syllable/(vowels*codas))
	dst = utf8.AppendRune(dst, firstVowel+syllable/codas%vowels)
	if coda := syllable % codas; coda > 0 {
		dst = utf8.AppendRune(dst, firstCoda+coda)
	}
	return dst
}

// Capital sigmas are put into lower case here. Σ is the only letter whose lower case Unicode
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
		utf8.EncodeRune(buffer[at:], smallSigma(text, at))
	}
	return buffer, buffer
}

// smallSigma returns the lower case of the Σ at a place of a text.
func smallSigma(text []byte, at int) rune {
	if casedBefore(text[:at]) && !casedAtStart(text[at+len(sigma):]) {
		return 'ς'
	}
	return 'σ'
}

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

// places returns a text as [folder.text] does, and for each of its bytes the place of the character it
// comes from: it begins at from[i] and ends before to[i]. It is slow.
func (f *folder) places(text []byte) (final []byte, from, to []int) {
	known, _ := f.version.hide(text) // has the same characters, but for those that are newer
	for at, place := 0, 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		_, knownSize := utf8.DecodeRune(known[place:])
		parts := f.foldRune(r, size, known, place)
		for range parts {
			from, to = append(from, at), append(to, at+size)
		}
		final = append(final, parts...)
		at, place = at+size, place+knownSize
	}
	return final, from, to
}

// foldRune returns what becomes of the character at a place of a text.
func (f *folder) foldRune(r rune, size int, text []byte, at int) (parts []byte) {
	switch {
	case r == utf8.RuneError:
		parts = f.appendError(nil, text[at:at+size])
	case !f.version.has(r) && f.words:
		return utf8.AppendRune(nil, hidden)
	case !f.version.has(r) && f.accents == asciiOnly:
		return nil
	case !f.version.has(r), f.keepCase:
		parts = utf8.AppendRune(nil, r)
	case r == 'İ':
		parts = []byte("i\u0307")
	case r == 'Σ':
		parts = utf8.AppendRune(nil, smallSigma(text, at))
	default:
		parts = utf8.AppendRune(nil, unicode.ToLower(r))
	}
	if f.accents == "" || !f.version.has(r) {
		return parts
	}
	return f.stripAccents(nil, parts)
}
