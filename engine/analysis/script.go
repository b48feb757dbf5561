package analysis

import (
	"unicode"
	"unicode/utf8"
)

// Auto is the value of Options.Tokens of a corpus whose texts decide: zh-bigrams if Han
// letters prevail in a [Sample] of them, else words. An [Analyzer] needs the decision.
const Auto = "auto"

// SampleBytes is how much text decides for [Auto]: the first bytes of the texts of the
// first documents, as many documents as it takes.
const SampleBytes = 256 << 10

// A Sample counts letters in the texts that decide for [Auto]. The zero value is empty.
type Sample struct{ bytes, letters, han int }

// Add adds the text of the next document, up to SampleBytes in all.
func (s *Sample) Add(text []byte) {
	text = text[:min(len(text), SampleBytes-s.bytes)]
	s.bytes += len(text)
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			if 'a' <= c|0x20 && c|0x20 <= 'z' {
				s.letters++
			}
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		switch {
		case isIdeograph(r) || unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
			s.han++
			s.letters++
		case unicode.IsLetter(r):
			s.letters++
		}
	}
}

// Full reports whether more text would change nothing.
func (s *Sample) Full() bool { return s.bytes == SampleBytes }

// Tokens returns what Options.Tokens is for these texts: zh-bigrams if more than half of the
// letters are of the script Han, else words.
func (s *Sample) Tokens() string {
	if 2*s.han > s.letters {
		return Tokenizers()[bigrams]
	}
	return Tokenizers()[words]
}
