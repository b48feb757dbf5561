package terminal

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// DisplayWidth returns the number of columns that a text takes on a terminal: two for wide
// characters of East Asia, none for those that combine with the one before or are not seen.
func DisplayWidth(text string) int {
	columns := 0
	for _, r := range text {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	const softHyphen, hangulVowels, hangulEnd = 0xad, 0x1160, 0x11ff
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || hangulVowels <= r && r <= hangulEnd:
		return 0 // vowels and finals of Hangul join the consonant before
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Padded returns a text followed by as many spaces as fill the columns.
func Padded(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-DisplayWidth(text)))
}

// Indented returns a text behind as many spaces as fill the columns.
func Indented(text string, columns int) string {
	return strings.Repeat(" ", max(0, columns-DisplayWidth(text))) + text
}
