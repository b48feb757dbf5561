package analysis

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"

	"github.com/termsift/termsift/engine/usage"
)

// This file knows which characters a version of Unicode has. Between two versions characters are
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

// hide returns a text in which a character that is newer stands as hidden, and the characters behind
// it in their order. A hidden that is in the text counts as newer.
func (v unicodeVersion) hide(text []byte) (rest []byte, newer []rune) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == hidden || !v.has(r) {
			newer = append(newer, r)
			rest = utf8.AppendRune(rest, hidden)
		} else {
			rest = append(rest, text[:size]...)
		}
		text = text[size:]
	}
	return rest, newer
}

// show undoes hide.
func show(text []byte, newer []rune) (shown []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == hidden {
			r, newer = newer[0], newer[1:]
		}
		shown = utf8.AppendRune(shown, r)
		text = text[size:]
	}
	return shown
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
