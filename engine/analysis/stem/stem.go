// Package stem cuts words back to their stems.
//
// It takes a lower-cased word and gives its stem, by the algorithm of a name: see [New].
// Begin reading at porter2.go; stem.go has what the algorithms share, in the terms of
// Snowball's definitions: vowels, the regions R1 and R2, rules for suffixes. It never
// gives an empty stem, and never keeps a word.
//
// Languages other than English are github.com/blevesearch/snowballstem's, in languages.go.
// The tests demand what it gives for porter and porter2, too.
// It does not take the place of these: it has no form of Porter's program in C,
// which needs all of stem.go and porter.go, and it allocates for every word. Counting 20
// Newsgroups with stop words and porter2 takes 0.37 s here and 0.48 s with it (best of
// seven in turn, a core of a shared AMD EPYC), 112,548 allocations for 521,186.
package stem

import (
	"strings"
	"unicode/utf8"
)

// Names lists the stemmers.
//
//	porter    Porter's algorithm of 1980 as Snowball has it
//	porter-c  Porter's program in C, with its departures from the paper
//	porter2   Snowball's "english", which is another name of it
//
// and those of Snowball's other languages: arabic, danish, dutch, finnish, french, german,
// hungarian, irish, italian, norwegian, portuguese, romanian, russian, spanish, swedish,
// tamil, turkish.
func Names() []string { return append([]string{"porter", "porter-c", "porter2"}, languageNames()...) }

// Deprecated lists the stemmers that old files may name and new ones should not.
// porter-paper is porter with words of one or two letters left alone, which is neither
// the paper nor the program.
func Deprecated() []string { return []string{"porter-paper"} }

// New returns the stemmer of a name, nil if there is none. A stemmer may overwrite the
// array of the word and grow it. It is safe for concurrent use.
func New(name string) func(word []byte) []byte {
	switch name {
	case "porter":
		return func(word []byte) []byte { return stemWith(word, byPorter) }
	case "porter-c":
		return func(word []byte) []byte { return stemLong(word, byPorterC) }
	case "porter-paper":
		return func(word []byte) []byte { return stemLong(word, byPorter) }
	case "porter2", "english":
		return func(word []byte) []byte { return stemWith(word, byPorter2) }
	}
	return byLanguage(name)
}

// An algorithm names one of those that stemWith runs.
type algorithm int

const (
	byPorter algorithm = iota
	byPorterC
	byPorter2
)

// stemLong is stemWith, but returns words of one or two letters as they are.
func stemLong(word []byte, a algorithm) []byte {
	if utf8.RuneCount(word) <= 2 {
		return word
	}
	return stemWith(word, a)
}

// nonASCII stands for a character beyond ASCII, which no rule takes for a vowel.
const nonASCII = 0xFF

// stemWith runs an algorithm on a word in which every character is one byte. Suffixes are
// ASCII, so that only ASCII at the end of the word changes, and all other characters stay.
//
// The algorithm is a number instead of a function because the call of a function
// variable would make s escape to the heap.
func stemWith(word []byte, a algorithm) []byte {
	s := stemming{w: word}
	var whole []byte
	if !isASCII(word) {
		whole = word
		s.w = make([]byte, 0, len(word)+1)
		for _, r := range string(word) {
			s.w = append(s.w, byte(min(r, nonASCII)))
			if r >= utf8.RuneSelf {
				s.w[len(s.w)-1] = nonASCII
			}
		}
	}
	first := word[0]
	switch a {
	case byPorter:
		s.porter(porterStep2, snowballDoubles)
	case byPorterC:
		s.porter(porterCStep2, allDoubles)
	case byPorter2:
		s.porter2()
	}
	switch {
	case len(s.w) == 0: // the rules of Snowball's porter remove all of "s"
		return append(s.w, first)
	case whole != nil:
		return s.restore(whole)
	}
	return s.w
}

func isASCII(word []byte) bool {
	for _, c := range word {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// restore returns the stem with the characters beyond ASCII of the whole word in place
// of nonASCII.
func (s *stemming) restore(whole []byte) []byte {
	var out []byte
	for _, b := range s.w {
		if b != nonASCII {
			out = append(out, b)
			continue
		}
		for whole[0] < utf8.RuneSelf {
			whole = whole[1:]
		}
		_, size := utf8.DecodeRune(whole)
		out, whole = append(out, whole[:size]...), whole[size:]
	}
	return out
}

// A stemming is a word that rules are being applied to. While they are, a y that is a
// consonant is written Y. R1 is w[p1:] and R2 is w[p2:].
type stemming struct {
	w      []byte
	p1, p2 int
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

// markY writes Y for a y at the start of the word or after a vowel.
func (s *stemming) markY() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || vowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
}

func (s *stemming) unmarkY() {
	for i, c := range s.w {
		if c == 'Y' {
			s.w[i] = 'y'
		}
	}
}

// region returns the place after the first consonant that follows a vowel in w[from:];
// the length of the word if there is none.
func (s *stemming) region(from int) int {
	for i := from + 1; i < len(s.w); i++ {
		if vowel(s.w[i-1]) && !vowel(s.w[i]) {
			return i + 1
		}
	}
	return len(s.w)
}

// hasVowel reports whether one of the first n letters is a vowel.
func (s *stemming) hasVowel(n int) bool {
	for i := range n {
		if vowel(s.w[i]) {
			return true
		}
	}
	return false
}

// short reports whether the first n letters end in consonant, vowel, consonant, the last
// of them other than w, x and Y.
func (s *stemming) short(n int) bool {
	if n < 3 || vowel(s.w[n-3]) || !vowel(s.w[n-2]) || vowel(s.w[n-1]) {
		return false
	}
	last := s.w[n-1]
	return last != 'w' && last != 'x' && last != 'Y'
}

// ends reports whether the word ends in a suffix. It compares the last letter first, since
// dozens of suffixes are tried on each word.
func (s *stemming) ends(suffix string) bool {
	n := len(s.w) - len(suffix)
	return n >= 0 && s.w[len(s.w)-1] == suffix[len(suffix)-1] && string(s.w[n:]) == suffix
}

// longest returns the first suffix of the list that the word ends in and the number of
// letters before it, or "" and -1. Longer suffixes must stand first.
func (s *stemming) longest(suffixes ...string) (suffix string, before int) {
	for _, suffix := range suffixes {
		if s.ends(suffix) {
			return suffix, len(s.w) - len(suffix)
		}
	}
	return "", -1
}

// replace sets w[from:] to by.
func (s *stemming) replace(from int, by string) { s.w = append(s.w[:from], by...) }

// A rule replaces a suffix.
type rule struct{ suffix, by string }

// apply finds the first rule whose suffix the word ends in and follows it if the suffix
// lies in w[region:]. Rules of longer suffixes must stand first.
func (s *stemming) apply(rules []rule, region int) {
	for _, r := range rules {
		if s.ends(r.suffix) {
			if n := len(s.w) - len(r.suffix); n >= region {
				s.replace(n, r.by)
			}
			return
		}
	}
}

// The consonants of which one of two equal ones is removed after -ed or -ing was removed:
// those of Snowball; and all but l, s and z, as in Porter's paper and program.
const (
	snowballDoubles = "bdfgmnprt"
	allDoubles      = "bcdfghjkmnpqrtvwx"
)

// afterEd finishes a word of which -ed or -ing was removed: it appends an e, or removes
// one of two equal consonants. brief says whether the word is a short one.
func (s *stemming) afterEd(brief bool, doubles string) {
	n := len(s.w)
	switch {
	case s.ends("at"), s.ends("bl"), s.ends("iz"):
		s.w = append(s.w, 'e')
	case n >= 2 && s.w[n-1] == s.w[n-2] && strings.IndexByte(doubles, s.w[n-1]) >= 0:
		s.w = s.w[:n-1]
	case brief && n == s.p1:
		s.w = append(s.w, 'e')
	}
}

// residual removes the longest of the suffixes if it lies in R2, and -ion only after s or
// t.
func (s *stemming) residual(suffixes []string) {
	suffix, n := s.longest(suffixes...)
	if n < s.p2 || n < 0 || suffix == "ion" && (n == 0 || s.w[n-1] != 's' && s.w[n-1] != 't') {
		return
	}
	s.w = s.w[:n]
}
