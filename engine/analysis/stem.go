package analysis

import (
	"bytes"
	"unicode/utf8"
)

// This file holds what the stemmers share, in the terms of Snowball's
// definitions: vowels, the regions R1 and R2, suffix rules.

// stemmer gives the function of a name, nil for "none". The function may use the
// word's array, and grow it by one byte; the stem is never empty.
func stemmer(name string) func(word []byte) []byte {
	switch name {
	case "porter":
		return func(word []byte) []byte { return stemWith(word, false) }
	case "porter-paper":
		return func(word []byte) []byte {
			if utf8.RuneCount(word) <= 2 {
				return word
			}
			return stemWith(word, false)
		}
	case "porter2":
		return func(word []byte) []byte { return stemWith(word, true) }
	}
	return nil
}

// beyond stands for a character beyond ASCII, which is a consonant in no rule.
const beyond = 0xFF

// stemWith runs an algorithm on a word in which every character is one byte.
// Suffixes are ASCII, so all characters beyond it stay, at the front.
//
// The algorithm is a flag and no function, which would make s escape.
func stemWith(word []byte, porter2 bool) []byte {
	s := stem{w: word}
	var whole []byte
	if !isASCII(word) {
		whole = word
		s.w = make([]byte, 0, len(word)+1)
		for _, r := range string(word) {
			s.w = append(s.w, byte(min(r, beyond)))
			if r >= utf8.RuneSelf {
				s.w[len(s.w)-1] = beyond
			}
		}
	}
	first := word[0]
	if porter2 {
		s.porter2()
	} else {
		s.porter()
	}
	switch {
	case len(s.w) == 0: // Snowball's porter makes nothing of "s"
		return append(s.w, first)
	case whole != nil:
		return s.restore(whole)
	}
	return s.w
}

// restore puts the characters beyond ASCII back.
func (s *stem) restore(whole []byte) []byte {
	var out []byte
	for _, b := range s.w {
		if b != beyond {
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

// A stem in the making. A y that is a consonant is written Y. R1 and R2 are what
// lies from p1 and p2 on.
type stem struct {
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

// markY writes Y for a y at the start and behind a vowel.
func (s *stem) markY() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || vowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
}

func (s *stem) unmarkY() {
	for i, c := range s.w {
		if c == 'Y' {
			s.w[i] = 'y'
		}
	}
}

// region gives the place behind the first consonant that follows a vowel, from a
// place on; the end of the word if there is none.
func (s *stem) region(from int) int {
	for i := from + 1; i < len(s.w); i++ {
		if vowel(s.w[i-1]) && !vowel(s.w[i]) {
			return i + 1
		}
	}
	return len(s.w)
}

// hasVowel looks at the first n letters.
func (s *stem) hasVowel(n int) bool {
	for i := range n {
		if vowel(s.w[i]) {
			return true
		}
	}
	return false
}

// short says that the first n letters end consonant-vowel-consonant, the last
// not w, x or Y.
func (s *stem) short(n int) bool {
	if n < 3 || vowel(s.w[n-3]) || !vowel(s.w[n-2]) || vowel(s.w[n-1]) {
		return false
	}
	last := s.w[n-1]
	return last != 'w' && last != 'x' && last != 'Y'
}

// ends looks at the last letter first: dozens of suffixes are tried on a word.
func (s *stem) ends(suffix string) bool {
	n := len(s.w) - len(suffix)
	return n >= 0 && s.w[len(s.w)-1] == suffix[len(suffix)-1] && string(s.w[n:]) == suffix
}

// longest gives the first suffix of a list, longest first, that the word ends
// in, and the number of letters before it.
func (s *stem) longest(suffixes ...string) (suffix string, before int) {
	for _, suffix := range suffixes {
		if s.ends(suffix) {
			return suffix, len(s.w) - len(suffix)
		}
	}
	return "", -1
}

// replace puts other letters for all from a place on.
func (s *stem) replace(from int, by string) { s.w = append(s.w[:from], by...) }

// A rule puts other letters for a suffix.
type rule struct{ suffix, by string }

// apply takes the first rule, longest suffix first, that the word ends in, and
// follows it if the suffix lies in the region that begins at the place.
func (s *stem) apply(rules []rule, region int) {
	for _, r := range rules {
		if s.ends(r.suffix) {
			if n := len(s.w) - len(r.suffix); n >= region {
				s.replace(n, r.by)
			}
			return
		}
	}
}

// afterEd finishes a word that has lost -ed or -ing: an e comes back, or one of
// two equal consonants goes. brief says whether the word is a short one.
func (s *stem) afterEd(brief bool) {
	n := len(s.w)
	switch {
	case s.ends("at"), s.ends("bl"), s.ends("iz"):
		s.w = append(s.w, 'e')
	case n >= 2 && s.w[n-1] == s.w[n-2] && bytes.IndexByte([]byte("bdfgmnprt"), s.w[n-1]) >= 0:
		s.w = s.w[:n-1]
	case brief && n == s.p1:
		s.w = append(s.w, 'e')
	}
}

// residual is the step of suffixes that go when they lie in R2, -ion only behind
// s or t.
func (s *stem) residual(suffixes []string) {
	suffix, n := s.longest(suffixes...)
	if n < s.p2 || n < 0 || suffix == "ion" && (n == 0 || s.w[n-1] != 's' && s.w[n-1] != 't') {
		return
	}
	s.w = s.w[:n]
}
