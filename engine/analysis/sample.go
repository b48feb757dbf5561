package analysis

import (
	"unicode"
	"unicode/utf8"
)

// Auto is the value of Options.Tokens of a corpus whose texts decide: zh-bigrams if Han
// letters prevail in a [Sample] of them, else words. An [Analyzer] needs the decision, and takes ""
// for words.
const Auto = "auto"

// SampleBytes is how much text decides for [Auto]: the first bytes of the texts of the
// first documents, as many documents as it takes, but at most SampleDocuments.
const (
	SampleBytes     = 256 << 10
	SampleDocuments = 1 << 14
)

// A Sample counts letters in the texts that decide for [Auto], and what else they look like, which the
// user should be told. The zero value is empty.
type Sample struct {
	bytes, documents, letters, han int
	marks, accents, spaceless      int
	texts, markup                  int
}

// Add adds the text of the next document, up to SampleBytes in all.
func (s *Sample) Add(text []byte) {
	if s.Full() {
		return
	}
	text = text[:min(len(text), SampleBytes-s.bytes)]
	s.documents++
	s.bytes += len(text)
	if len(text) > 0 {
		s.texts++
	}
	if looksLikeMarkup(text) {
		s.markup++
	}
	for afterLetter := false; len(text) > 0; {
		if c := text[0]; c < utf8.RuneSelf {
			if afterLetter = 'a' <= c|0x20 && c|0x20 <= 'z'; afterLetter {
				s.letters++
			}
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		afterLetter = s.addRune(r, afterLetter)
	}
}

// addRune adds a character that is not of ASCII, and reports whether it is a letter or a letter's
// mark.
func (s *Sample) addRune(r rune, afterLetter bool) bool {
	switch {
	case 0x4E00 <= r && r <= 0x9FFF, unicode.Is(unicode.Han, r) && unicode.IsLetter(r): // nearly all Han is of that block
		s.han++
		s.letters++
		return true
	case unicode.IsLetter(r):
		s.letters++
		if unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			s.spaceless++
		}
		return true
	case !unicode.IsMark(r) || !afterLetter:
		return false
	case unicode.Is(unicode.Inherited, r) && r < 0x370:
		s.accents++
	default:
		s.marks++
	}
	return true
}

// Full reports whether more text would change nothing.
func (s *Sample) Full() bool { return s.bytes == SampleBytes || s.documents == SampleDocuments }

// Tokens returns what Options.Tokens is for these texts: zh-bigrams if more than half of the
// letters are of the script Han, else words.
func (s *Sample) Tokens() string {
	if 2*s.han > s.letters {
		return "zh-bigrams"
	}
	return "words"
}

// Of this many letters one that is not as usual is enough to tell of it.
const fewLetters = 20

// Marked reports whether many letters have marks behind them that belong to the word, as the
// vowels of Devanagari and Tamil do. Words and letters end there.
func (s *Sample) Marked() bool { return s.marks > 0 && fewLetters*s.marks >= s.letters }

// Accented reports whether many letters have accents behind them that Unicode's form NFC composes
// with them.
func (s *Sample) Accented() bool { return s.accents > 0 && fewLetters*s.accents >= s.letters }

// Spaceless reports whether many letters are of scripts without spaces between words that no
// tokenizer knows: Thai, Lao, Khmer and Myanmar.
func (s *Sample) Spaceless() bool { return s.spaceless > 0 && fewLetters*s.spaceless >= s.letters }

// Markup returns the number of texts that look like HTML or XML, and that of all.
func (s *Sample) Markup() (marked, all int) { return s.markup, s.texts }
