package analysis

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// What a character is to zh-bigrams.
const (
	separator = iota
	wordCharacter
	hanCharacter
)

// planeClasses has the characters of the basic plane. Searching three of
// Unicode's tables for every comma would take as long as everything else.
type planeClasses [1 << 16]uint8

var classes = sync.OnceValue(func() *planeClasses {
	var plane planeClasses
	for r := range plane {
		plane[r] = classOf(rune(r))
	}
	plane[utf8.RuneError] = separator // malformed bytes too
	return &plane
})

func (p *planeClasses) of(r rune) uint8 {
	if r < rune(len(p)) {
		return p[r]
	}
	return classOf(r)
}

func classOf(r rune) uint8 {
	r = narrow(r)
	switch {
	case unicode.Is(unicode.Han, r):
		return hanCharacter
	case unicode.IsLetter(r), unicode.IsNumber(r), r == '_':
		return wordCharacter
	}
	return separator
}

// narrow gives the ASCII character that a full-width form stands for, and any
// other character as it is.
func narrow(r rune) rune {
	if 0xFF01 <= r && r <= 0xFF5E {
		return r - 0xFF01 + '!'
	}
	return r
}
