package prepare

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// This file takes accents off: it decomposes each character as Unicode's form NFKD does, and
// leaves out marks. Since all marks that NFKD would put in order go, each character is decomposed
// by itself.

// asciiOnly is the one of [Accents] that leaves out every character beyond ASCII.
const asciiOnly = "ascii"

// Accents lists the values of the option strip accents, the default first, as scikit-learn has them.
// unicode leaves out characters with a combining class, and composes nothing again: of Hangul
// syllables it makes letters. ascii leaves out every character beyond ASCII, so that ß and ø vanish.
func Accents() []string { return []string{"none", "unicode", asciiOnly} }

// stripAccents appends a text without accents to dst.
func stripAccents(dst, text []byte, asciiOnly bool) []byte {
	for len(text) > 0 {
		if b := text[0]; b < utf8.RuneSelf {
			dst = append(dst, b)
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		dst = stripRune(dst, r, text[:size], asciiOnly)
		text = text[size:]
	}
	return dst
}

// stripRune appends what remains of a character beyond ASCII.
func stripRune(dst []byte, r rune, bytes []byte, asciiOnly bool) []byte {
	parts := bytes
	switch decomposed := norm.NFKD.Properties(bytes).Decomposition(); {
	case firstSyllable <= r && r <= lastSyllable:
		return appendJamo(dst, r-firstSyllable, asciiOnly)
	case decomposed != nil:
		parts = decomposed
	}
	for len(parts) > 0 {
		r, size := utf8.DecodeRune(parts)
		if r < utf8.RuneSelf || !asciiOnly && norm.NFKD.Properties(parts).CCC() == 0 {
			dst = append(dst, parts[:size]...)
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
