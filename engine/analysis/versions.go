package analysis

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// This file knows which characters a version of Unicode has. Between two versions characters are
// added, and none changes what matters to terms: letters and numbers stay what they are, as their
// lower case and their parts do. The one exception is at the end of a word, see [Analyzer.Knows].

// additions are the ranges of characters that each version of Unicode added to the one before, from
// the first that callers may name to that of package unicode. A test holds them to the properties that
// Python has in each version.
var additions = []struct {
	major, minor int
	ranges       [][2]rune
}{
	{13, 0, nil},
	{14, 0, [][2]rune{
		{0x061D, 0x061D},
		{0x0870, 0x088E},
		{0x0890, 0x0891},
		{0x0898, 0x089F},
		{0x08B5, 0x08B5},
		{0x08C8, 0x08D2},
		{0x0C3C, 0x0C3C},
		{0x0C5D, 0x0C5D},
		{0x0CDD, 0x0CDD},
		{0x170D, 0x170D},
		{0x1715, 0x1715},
		{0x171F, 0x171F},
		{0x180F, 0x180F},
		{0x1AC1, 0x1ACE},
		{0x1B4C, 0x1B4C},
		{0x1B7D, 0x1B7E},
		{0x1DFA, 0x1DFA},
		{0x20C0, 0x20C0},
		{0x2C2F, 0x2C2F},
		{0x2C5F, 0x2C5F},
		{0x2E53, 0x2E5D},
		{0x9FFD, 0x9FFF},
		{0xA7C0, 0xA7C1},
		{0xA7D0, 0xA7D1},
		{0xA7D3, 0xA7D3},
		{0xA7D5, 0xA7D9},
		{0xA7F2, 0xA7F4},
		{0xFBC2, 0xFBC2},
		{0xFD40, 0xFD4F},
		{0xFDCF, 0xFDCF},
		{0xFDFE, 0xFDFF},
		{0x10570, 0x1057A},
		{0x1057C, 0x1058A},
		{0x1058C, 0x10592},
		{0x10594, 0x10595},
		{0x10597, 0x105A1},
		{0x105A3, 0x105B1},
		{0x105B3, 0x105B9},
		{0x105BB, 0x105BC},
		{0x10780, 0x10785},
		{0x10787, 0x107B0},
		{0x107B2, 0x107BA},
		{0x10F70, 0x10F89},
		{0x11070, 0x11075},
		{0x110C2, 0x110C2},
		{0x116B9, 0x116B9},
		{0x11740, 0x11746},
		{0x11AB0, 0x11ABF},
		{0x12F90, 0x12FF2},
		{0x16A70, 0x16ABE},
		{0x16AC0, 0x16AC9},
		{0x1AFF0, 0x1AFF3},
		{0x1AFF5, 0x1AFFB},
		{0x1AFFD, 0x1AFFE},
		{0x1B11F, 0x1B122},
		{0x1CF00, 0x1CF2D},
		{0x1CF30, 0x1CF46},
		{0x1CF50, 0x1CFC3},
		{0x1D1E9, 0x1D1EA},
		{0x1DF00, 0x1DF1E},
		{0x1E290, 0x1E2AE},
		{0x1E7E0, 0x1E7E6},
		{0x1E7E8, 0x1E7EB},
		{0x1E7ED, 0x1E7EE},
		{0x1E7F0, 0x1E7FE},
		{0x1F6DD, 0x1F6DF},
		{0x1F7F0, 0x1F7F0},
		{0x1F979, 0x1F979},
		{0x1F9CC, 0x1F9CC},
		{0x1FA7B, 0x1FA7C},
		{0x1FAA9, 0x1FAAC},
		{0x1FAB7, 0x1FABA},
		{0x1FAC3, 0x1FAC5},
		{0x1FAD7, 0x1FAD9},
		{0x1FAE0, 0x1FAE7},
		{0x1FAF0, 0x1FAF6},
		{0x2A6DE, 0x2A6DF},
		{0x2B735, 0x2B738},
	}},
	{15, 0, [][2]rune{
		{0x0CF3, 0x0CF3},
		{0x0ECE, 0x0ECE},
		{0x10EFD, 0x10EFF},
		{0x1123F, 0x11241},
		{0x11B00, 0x11B09},
		{0x11F00, 0x11F10},
		{0x11F12, 0x11F3A},
		{0x11F3E, 0x11F59},
		{0x1342F, 0x1342F},
		{0x13439, 0x13455},
		{0x1B132, 0x1B132},
		{0x1B155, 0x1B155},
		{0x1D2C0, 0x1D2D3},
		{0x1DF25, 0x1DF2A},
		{0x1E030, 0x1E06D},
		{0x1E08F, 0x1E08F},
		{0x1E4D0, 0x1E4F9},
		{0x1F6DC, 0x1F6DC},
		{0x1F774, 0x1F776},
		{0x1F77B, 0x1F77F},
		{0x1F7D9, 0x1F7D9},
		{0x1FA75, 0x1FA77},
		{0x1FA87, 0x1FA88},
		{0x1FAAD, 0x1FAAF},
		{0x1FABB, 0x1FABD},
		{0x1FABF, 0x1FABF},
		{0x1FACE, 0x1FACF},
		{0x1FADA, 0x1FADB},
		{0x1FAE8, 0x1FAE8},
		{0x1FAF7, 0x1FAF8},
		{0x2B739, 0x2B739},
		{0x31350, 0x323AF},
	}},
}

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
	if n, _ := fmt.Sscanf(text+".0.0", "%d.%d.%d", &major, &minor, &update); n < 3 || major < additions[0].major || major > 99 {
		return v, usage.Errorf("the version of Unicode is one from %d.0 on, such as 14.0, not %q", additions[0].major, usage.Cut(text))
	}
	if v.newer = newerThan(major, minor); !v.newer.any {
		v.newer = nil
	}
	switch last := additions[len(additions)-1]; {
	case major == 13: // the mark U+1734 may stand within a word, as far as a Σ before it goes, and later may not
		v.unknown = &runeSet{}
		v.unknown.add(0x1734, 0x1734)
	case major > last.major, major == last.major && minor > last.minor:
		v.unknown = unassigned()
	}
	return v, nil
}

// newerThan returns the characters that were added after a version.
func newerThan(major, minor int) *runeSet {
	newer := &runeSet{}
	for _, a := range additions {
		if a.major > major || a.major == major && a.minor > minor {
			for _, in := range a.ranges {
				newer.add(in[0], in[1])
			}
		}
	}
	return newer
}

// has reports whether a character is not newer than the version.
func (v unicodeVersion) has(r rune) bool { return v.newer == nil || !v.newer.has(r) }

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
	any   bool
	leads [256]bool // the first bytes of its characters
	bits  [(unicode.MaxRune + 1) / 64]uint64
}

func (s *runeSet) add(from, to rune) {
	s.any = true
	for r := from; r <= to; r++ {
		s.bits[r/64] |= 1 << (r % 64)
	}
	for lead := firstByte(from); lead <= firstByte(to); lead++ {
		s.leads[lead] = true
	}
}

// addEvery adds characters from one to another, so far apart.
func (s *runeSet) addEvery(from, to, stride rune) {
	if stride == 1 {
		s.add(from, to)
		return
	}
	for r := from; r <= to; r += stride {
		s.add(r, r)
	}
}

func firstByte(r rune) int {
	var text [utf8.UTFMax]byte
	utf8.EncodeRune(text[:], r)
	return int(text[0])
}

func (s *runeSet) has(r rune) bool { return s.bits[r/64]>>(r%64)&1 != 0 }

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
		if size > 1 && s.has(r) {
			return true
		}
		text = text[size:]
	}
}

// unassigned returns the characters that package unicode does not know.
var unassigned = sync.OnceValue(func() *runeSet {
	s := &runeSet{}
	for _, in := range unicode.Cn.R16 {
		s.addEvery(rune(in.Lo), rune(in.Hi), rune(in.Stride))
	}
	for _, in := range unicode.Cn.R32 {
		s.addEvery(rune(in.Lo), rune(in.Hi), rune(in.Stride))
	}
	return s
})
