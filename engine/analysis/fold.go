package analysis

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"

	"github.com/termsift/termsift/engine/usage"
)

// A folder puts texts into lower case as Python's str.lower does and takes their accents off, both as far as it is
// asked to. What a character without a lower case is decomposed into may have capitals, as ™ has: they become small,
// but in Python. It belongs to one goroutine.
type folder struct {
	keepCase bool
	python   bool   // capitals that come of accents stay
	accents  string // one of [accents], "" for none
	version  unicodeVersion
	words    bool // malformed bytes stay, U+FFFF stands for characters that are newer, and İ becomes i but in Python
	narrow   bool // full-width forms (U+FF01 to U+FF5E) become the ASCII they stand for

	lowered, stripped []byte
	parts             []byte // of a character
}

// text returns a text in its final characters. Of a malformed byte it makes U+FFFD, but for scanners
// of words. The result is valid until the next call, and may be the text itself.
func (f *folder) text(text []byte) []byte {
	if !f.version.hasAll(text) {
		final, _, _ := f.places(text)
		return final
	}
	switch {
	case !f.keepCase || f.narrow:
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
		if b := text[at]; b < utf8.RuneSelf && !f.keepCase {
			lower = append(lower, asciiLower[b])
			at++
			continue
		}
		same := at
		for ideographAt(text, at) {
			at += 3
		}
		lower = append(lower, text[same:at]...)
		r, size := utf8.DecodeRune(text[at:])
		lower = f.appendLower(lower, r, text, at, size)
		at += size
	}
	f.lowered = lower
	return lower
}

// appendLower appends what becomes of a character of so many bytes at a place of a text, but for its accents.
func (f *folder) appendLower(dst []byte, r rune, text []byte, at, size int) []byte {
	if f.narrow && 0xFF01 <= r && r <= 0xFF5E {
		r += '!' - 0xFF01
	}
	switch {
	case r == utf8.RuneError && f.words: // a malformed byte
		return append(dst, text[at:at+size]...)
	case f.keepCase, 0x2E80 <= r && r < 0xA640: // what is Chinese, Japanese or Yi has no case, which takes long to find
	case r == 'İ' && (f.python || !f.words):
		return append(dst, "i\u0307"...)
	case r == 'Σ':
		r = smallSigma(text, at)
	default:
		r = unicode.ToLower(r)
	}
	return utf8.AppendRune(dst, r)
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
		_, size := utf8.DecodeRune(text)
		dst = f.stripRune(dst, text[:size])
		text = text[size:]
	}
	return dst
}

// stripRune appends what remains of a character beyond ASCII.
func (f *folder) stripRune(dst, character []byte) []byte {
	f.parts = norm.NFKD.Append(f.parts[:0], character...)
	for parts := f.parts; len(parts) > 0; {
		r, size := utf8.DecodeRune(parts)
		if r < utf8.RuneSelf || f.accents != asciiOnly && norm.NFKD.Properties(parts).CCC() == 0 {
			if !f.keepCase && !f.python {
				r = unicode.ToLower(r)
			}
			dst = utf8.AppendRune(dst, r)
		}
		parts = parts[size:]
	}
	return dst
}

// Capital sigmas are put into lower case here. Σ is the only letter whose lower case Unicode
// makes depend on its neighbours (Final_Sigma in its SpecialCasing.txt): ς behind a letter with
// case and not before one, else σ. All three take two bytes.

var sigma = []byte("Σ")

// smallSigma returns the lower case of the Σ at a place of a text.
func smallSigma(text []byte, at int) rune {
	before, _ := utf8.DecodeLastRune(bytes.TrimRightFunc(text[:at], ignorable))
	behind, _ := utf8.DecodeRune(bytes.TrimLeftFunc(text[at+len(sigma):], ignorable))
	if cased(before) && !cased(behind) {
		return 'ς'
	}
	return 'σ'
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
	known := f.version.hide(text) // has the same characters, but for those that are newer
	for at, place := 0, 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		_, knownSize := utf8.DecodeRune(known[place:])
		final = f.foldRune(final, r, size, known, place)
		for len(from) < len(final) {
			from, to = append(from, at), append(to, at+size)
		}
		at, place = at+size, place+knownSize
	}
	return final, from, to
}

// foldRune appends what becomes of the character at a place of a text.
func (f *folder) foldRune(dst []byte, r rune, size int, text []byte, at int) []byte {
	switch newer := !f.version.has(r); {
	case newer && f.words:
		return utf8.AppendRune(dst, hidden)
	case newer && f.accents == asciiOnly:
		return dst
	case newer:
		return utf8.AppendRune(dst, r)
	case f.accents == "":
		return f.appendLower(dst, r, text, at, size)
	}
	return f.stripAccents(dst, f.appendLower(nil, r, text, at, size))
}

// What follows knows which characters a version of Unicode has. Between two versions characters are
// added, and none changes what matters to terms: letters and numbers stay what they are, as their
// lower case and their parts do. The one exception is at the end of a word, see [Analyzer.Knows].

// firstVersion is the first version of Unicode that callers may name, and lastVersion that of package unicode. A test
// holds what is added between them to the properties that Python has in each version.
const firstVersion, lastVersion = 13, 15

// addedIn15 are the characters that 15.0 added to 14.0.
var addedIn15 = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0CF3, 0x0CF3, 1},
		{0x0ECE, 0x0ECE, 1},
	},
	R32: []unicode.Range32{
		{0x10EFD, 0x10EFF, 1},
		{0x1123F, 0x11241, 1},
		{0x11B00, 0x11B09, 1},
		{0x11F00, 0x11F10, 1},
		{0x11F12, 0x11F3A, 1},
		{0x11F3E, 0x11F59, 1},
		{0x1342F, 0x1342F, 1},
		{0x13439, 0x13455, 1},
		{0x1B132, 0x1B132, 1},
		{0x1B155, 0x1B155, 1},
		{0x1D2C0, 0x1D2D3, 1},
		{0x1DF25, 0x1DF2A, 1},
		{0x1E030, 0x1E06D, 1},
		{0x1E08F, 0x1E08F, 1},
		{0x1E4D0, 0x1E4F9, 1},
		{0x1F6DC, 0x1F6DC, 1},
		{0x1F774, 0x1F776, 1},
		{0x1F77B, 0x1F77F, 1},
		{0x1F7D9, 0x1F7D9, 1},
		{0x1FA75, 0x1FA77, 1},
		{0x1FA87, 0x1FA88, 1},
		{0x1FAAD, 0x1FAAF, 1},
		{0x1FABB, 0x1FABD, 1},
		{0x1FABF, 0x1FABF, 1},
		{0x1FACE, 0x1FACF, 1},
		{0x1FADA, 0x1FADB, 1},
		{0x1FAE8, 0x1FAE8, 1},
		{0x1FAF7, 0x1FAF8, 1},
		{0x2B739, 0x2B739, 1},
		{0x31350, 0x323AF, 1},
	},
}

// newerThan14 and newerThan13 are the characters that package unicode has beyond the version.
var (
	newerThan14 = sync.OnceValue(func() *runeSet { return newRuneSet(addedIn15) })
	newerThan13 = sync.OnceValue(func() *runeSet {
		known, added := rangetable.Assigned("13.0.0"), []rune(nil)
		rangetable.Visit(rangetable.Assigned(unicode.Version), func(r rune) {
			if !unicode.Is(known, r) {
				added = append(added, r)
			}
		})
		return newRuneSet(rangetable.New(added...))
	})
	// unassigned are the characters that package unicode does not know.
	unassigned = sync.OnceValue(func() *runeSet { return newRuneSet(unicode.Cn) })
)

// A unicodeVersion is a version of Unicode. The zero value is that of package unicode.
type unicodeVersion struct {
	newer   *runeSet // characters that package unicode has and the version has not; nil for none
	unknown *runeSet // characters whose properties nobody knows here; nil for none
}

// parseUnicodeVersion parses a version of Unicode such as 14.0 or 15.0.0, "" for that of package unicode.
func parseUnicodeVersion(text string) (v unicodeVersion, err error) {
	if text == "" {
		return v, nil
	}
	var major, minor, update int
	if n, _ := fmt.Sscanf(text+".0.0", "%d.%d.%d", &major, &minor, &update); n < 3 || major < firstVersion || major > 99 {
		return v, usage.Errorf("the version of Unicode is one from %d.0 on, such as 14.0, not %q", firstVersion, usage.Cut(text))
	}
	switch {
	case major == 13: // the mark U+1734 may stand within a word, as far as a Σ before it goes, and later may not
		v.newer, v.unknown = newerThan13(), newRuneSet(rangetable.New(0x1734))
	case major == 14:
		v.newer = newerThan14()
	case major > lastVersion || minor > 0:
		v.unknown = unassigned()
	}
	return v, nil
}

// has reports whether a character is not newer than the version.
func (v unicodeVersion) has(r rune) bool { return v.newer == nil || !unicode.Is(v.newer.table, r) }

// hasAll reports whether no character of a text is newer than the version.
func (v unicodeVersion) hasAll(text []byte) bool { return v.newer == nil || !v.newer.meets(text) }

// hidden stands for a character that is newer. It is a letter nowhere, and it has no case, no accent
// and no parts.
const hidden = '\uffff'

// hide returns a text in which a character that is newer stands as hidden.
func (v unicodeVersion) hide(text []byte) (rest []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if v.has(r) {
			rest = append(rest, text[:size]...)
		} else {
			rest = utf8.AppendRune(rest, hidden)
		}
		text = text[size:]
	}
	return rest
}

// A runeSet is a set of characters beyond ASCII.
type runeSet struct {
	table *unicode.RangeTable
	leads [256]bool // the first bytes of its characters
}

func newRuneSet(table *unicode.RangeTable) *runeSet {
	s := &runeSet{table: table}
	var text [utf8.UTFMax]byte
	rangetable.Visit(table, func(r rune) {
		utf8.EncodeRune(text[:], r)
		s.leads[text[0]] = true
	})
	return s
}

// meets reports whether a character of a text is in the set.
func (s *runeSet) meets(text []byte) bool {
	for {
		text = text[asciiPrefix(text):]
		if len(text) == 0 {
			return false
		}
		r, size := rune(0), 1
		if s.leads[text[0]] {
			r, size = utf8.DecodeRune(text)
		}
		if size > 1 && unicode.Is(s.table, r) {
			return true
		}
		text = text[size:]
	}
}
