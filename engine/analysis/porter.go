package analysis

import (
	"bytes"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// This file holds the stemmers. Porter's algorithm (M. F. Porter, An algorithm
// for suffix stripping, Program 14(3), 1980, 130-137) is our own because both
// the paper's and Snowball's treatment of short words is wanted; that stem is
// measured to be Snowball's on 119,060 words. Porter2 is Snowball's, from a
// library.
//
// Neither has the rules bli -> ble and logi -> log of Porter's later C program:
// "possibly" becomes "possibli", as in Snowball 2.2.0.

// stemmer gives the function of a name; nil for "none". The functions may
// change the word in place, and are called once for each distinct word.
func stemmer(name string) func(word []byte) []byte {
	switch name {
	case "porter":
		return func(w []byte) []byte { return porter(w, false) }
	case "porter-paper":
		return func(w []byte) []byte { return porter(w, true) }
	case "porter2":
		return porter2
	}
	return nil
}

func porter2(word []byte) []byte {
	env := snowballstem.NewEnv(string(word))
	english.Stem(env)
	if stem := env.Current(); stem != "" {
		return []byte(stem)
	}
	return word
}

// A stem in the making. Letters beyond ASCII are consonants.
type stem struct{ b []byte }

// consonant says whether letter i is one;
// y is a consonant at the start and after a vowel, a vowel after a consonant.
func (s *stem) consonant(i int) bool {
	switch s.b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !s.consonant(i-1)
	}
	return true
}

// measure counts the vowel-consonant sequences of the first n letters.
func (s *stem) measure(n int) int {
	m := 0
	for i := 1; i < n; i++ {
		if s.consonant(i) && !s.consonant(i-1) {
			m++
		}
	}
	return m
}

func (s *stem) hasVowel(n int) bool {
	for i := range n {
		if !s.consonant(i) {
			return true
		}
	}
	return false
}

// doubled says that the first n letters end in a double consonant.
func (s *stem) doubled(n int) bool {
	return n >= 2 && s.b[n-1] == s.b[n-2] && s.consonant(n-1) && s.consonant(n-2)
}

// short says that the first n letters end consonant-vowel-consonant, the last
// not w, x or y.
func (s *stem) short(n int) bool {
	return n >= 3 && s.consonant(n-3) && !s.consonant(n-2) && s.consonant(n-1) && !bytes.ContainsRune([]byte("wxy"), rune(s.b[n-1]))
}

// cutFor gives the letters before a suffix, or -1.
func (s *stem) cutFor(suffix string) int {
	if strings.HasSuffix(string(s.b), suffix) {
		return len(s.b) - len(suffix)
	}
	return -1
}

func (s *stem) replace(from int, by string) { s.b = append(s.b[:from], by...) }

// rule replaces one suffix by another.
type rule struct{ suffix, by string }

// replaceLongest applies the rule with the longest matching suffix if the
// letters before it have at least the measure.
func (s *stem) replaceLongest(rules []rule, measure int) {
	best, at := -1, -1
	for i, r := range rules {
		if n := s.cutFor(r.suffix); n >= 0 && (at < 0 || n < at) {
			best, at = i, n
		}
	}
	if best >= 0 && s.measure(at) >= measure {
		s.replace(at, rules[best].by)
	}
}

var (
	step2 = []rule{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
		{"abli", "able"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"},
		{"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"},
		{"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
	}
	step3 = []rule{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	}
	step4 = []string{
		"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
	}
)

// porter stems a lower-case word. Words of one or two letters are left alone in
// the paper's version; Snowball's stems them too, though never to nothing.
func porter(word []byte, paper bool) []byte {
	if paper && len(word) <= 2 || len(word) <= 1 {
		return word
	}
	s := &stem{word}
	s.plurals()
	s.participles()
	if n := s.cutFor("y"); n >= 0 && s.hasVowel(n) {
		s.b[n] = 'i'
	}
	s.replaceLongest(step2, 1)
	s.replaceLongest(step3, 1)
	s.suffixes()
	s.tidy()
	return s.b
}

// plurals is step 1a.
func (s *stem) plurals() {
	s.replaceLongest([]rule{{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}}, 0)
}

// participles is step 1b.
func (s *stem) participles() {
	if n := s.cutFor("eed"); n >= 0 {
		if s.measure(n) > 0 {
			s.replace(n, "ee")
		}
		return
	}
	n := max(s.cutFor("ed"), s.cutFor("ing"))
	if n < 0 || !s.hasVowel(n) {
		return
	}
	s.b = s.b[:n]
	switch {
	case s.cutFor("at") >= 0, s.cutFor("bl") >= 0, s.cutFor("iz") >= 0:
		s.b = append(s.b, 'e')
	case s.doubled(n) && !strings.ContainsRune("lsz", rune(s.b[n-1])):
		s.b = s.b[:n-1]
	case s.measure(n) == 1 && s.short(n):
		s.b = append(s.b, 'e')
	}
}

// suffixes is step 4: the longest suffix goes if what is before it has a
// measure above 1; "ion" only behind s or t.
func (s *stem) suffixes() {
	at := -1
	for _, suffix := range step4 {
		if n := s.cutFor(suffix); n >= 0 && (at < 0 || n < at) {
			at = n
		}
	}
	if at < 0 || s.measure(at) < 2 {
		return
	}
	if string(s.b[at:]) == "ion" && (at == 0 || s.b[at-1] != 's' && s.b[at-1] != 't') {
		return
	}
	s.b = s.b[:at]
}

// tidy is step 5: a last e, and one of a double l.
func (s *stem) tidy() {
	if n := s.cutFor("e"); n >= 0 {
		if m := s.measure(n); m > 1 || m == 1 && !s.short(n) {
			s.b = s.b[:n]
		}
	}
	if n := len(s.b); s.doubled(n) && s.b[n-1] == 'l' && s.measure(n) > 1 {
		s.b = s.b[:n-1]
	}
}
