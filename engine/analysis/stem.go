package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/porter"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// This file cuts words back to their stems. The stemmers are those of github.com/blevesearch/snowballstem, but for
// Porter's program in C, which it does not have. A stem is never empty.

// stemmers lists the values of Options.Stem, the default first.
//
//	none      words as they are
//	porter    Porter's algorithm of 1980 as Snowball has it
//	porter-c  Porter's program in C, with its departures from the paper
//	porter2   Snowball's "english", which is another name of it
//
// and those of Snowball's other languages: arabic, danish, dutch, finnish, french, german,
// hungarian, irish, italian, norwegian, portuguese, romanian, russian, spanish, swedish,
// tamil, turkish.
func stemmers() []string {
	names := []string{"none", snowballs[0].name, porterC}
	for _, s := range snowballs[1:] {
		names = append(names, s.name)
	}
	return names
}

// newStemmer returns the stemmer of a name, nil if there is none. A stemmer may overwrite the
// array of the word and grow it. It is safe for concurrent use.
func newStemmer(name string) func(word []byte) []byte {
	if name == porterC {
		return stemPorterC
	}
	if i := slices.IndexFunc(snowballs, func(s snowball) bool { return s.name == name }); i >= 0 {
		return snowballs[i].stemWord
	}
	return nil
}

// A snowball is a stemmer that Snowball's compiler wrote in Go.
type snowball struct {
	name string
	stem func(*snowballstem.Env) bool
}

// snowballs lists the stemmers of Snowball in the order of stemmers.
var snowballs = []snowball{
	{"porter", porter.Stem},
	{"porter2", english.Stem},
	{"arabic", arabic.Stem},
	{"danish", danish.Stem},
	{"dutch", dutch.Stem},
	{"english", english.Stem},
	{"finnish", finnish.Stem},
	{"french", french.Stem},
	{"german", german.Stem},
	{"hungarian", hungarian.Stem},
	{"irish", irish.Stem},
	{"italian", italian.Stem},
	{"norwegian", norwegian.Stem},
	{"portuguese", portuguese.Stem},
	{"romanian", romanian.Stem},
	{"russian", russian.Stem},
	{"spanish", spanish.Stem},
	{"swedish", swedish.Stem},
	{"tamil", tamil.Stem},
	{"turkish", turkish.Stem},
}

// stemWord returns the stem of a word. A word of which nothing would be left is its own
// stem, and so is one on which the generated code fails.
func (s snowball) stemWord(word []byte) (stem []byte) {
	defer func() {
		if recover() != nil {
			stem = word
		}
	}()
	env := snowballstem.NewEnv(string(word))
	s.stem(env)
	if env.Current() == "" {
		return word
	}
	return append(word[:0], env.Current()...)
}

// Porter's program in C of his algorithm: M. F. Porter, An algorithm for suffix
// stripping, Program 14(3), 1980, 130-137. The program departs from the paper in three
// places, which it marks: bli -> ble instead of abli -> able, logi -> log, and words of
// one or two letters are left alone. A word has measure m > 0 before a suffix exactly if
// the suffix lies in Snowball's region R1, and m > 1 if it lies in R2.

const porterC = "porter-c"

// A rule replaces a suffix.
type rule struct{ suffix, by string }

// rules reads rules, each a suffix and what replaces it.
func rules(text string) (list []rule) {
	for pair := range strings.FieldsSeq(text) {
		suffix, by, _ := strings.Cut(pair, ":")
		list = append(list, rule{suffix, by})
	}
	return list
}

var (
	porterStep1a = rules("sses:ss ies:i ss:ss s:")
	// The last two are departures.
	porterStep2 = rules(`ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble entli:ent ation:ate alism:al
		aliti:al ousli:ous iviti:ive enci:ence anci:ance izer:ize ator:ate alli:al eli:e bli:ble logi:log`)
	porterStep3 = rules("alize:al icate:ic iciti:ic ative: ical:ic ness: ful:")
	porterStep4 = strings.Fields("ement ance ence able ible ment ant ent ion ism ate iti ous ive ize al er ic ou")
)

// doubles are the consonants of which one of two equal ones is removed after -ed or -ing was
// removed: all but l, s and z.
const doubles = "bcdfghjkmnpqrtvwx"

// stemPorterC returns the stem of a word. Suffixes are ASCII, so that only ASCII at the end of the
// word changes.
func stemPorterC(word []byte) []byte {
	if utf8.RuneCount(word) <= 2 {
		return word
	}
	s := stemming{w: word}
	s.porter()
	return s.w
}

// A stemming is a word that rules are being applied to. While they are, a y that is a
// consonant is written Y. R1 is w[p1:] and R2 is w[p2:]. The bytes of characters beyond ASCII
// count as consonants.
type stemming struct {
	w      []byte
	p1, p2 int
}

// porter applies the rules.
func (s *stemming) porter() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || vowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
	s.p1 = s.region(0)
	s.p2 = s.region(s.p1)
	s.apply(porterStep1a, 0)
	s.porterEd()
	if n := len(s.w) - 1; (s.ends("y") || s.ends("Y")) && s.hasVowel(n) {
		s.w[n] = 'i'
	}
	s.apply(porterStep2, s.p1)
	s.apply(porterStep3, s.p1)
	suffix, n := s.longest(porterStep4...)
	if n >= s.p2 && n >= 0 && (suffix != "ion" || n > 0 && (s.w[n-1] == 's' || s.w[n-1] == 't')) {
		s.w = s.w[:n]
	}
	n = len(s.w) - 1
	if s.ends("e") && (n >= s.p2 || n >= s.p1 && !s.short(n)) {
		s.w = s.w[:n]
	}
	if n = len(s.w) - 1; s.ends("ll") && n >= s.p2 {
		s.w = s.w[:n]
	}
	for i, c := range s.w {
		if c == 'Y' {
			s.w[i] = 'y'
		}
	}
}

// porterEd does step 1b.
func (s *stemming) porterEd() {
	suffix, n := s.longest("eed", "ing", "ed")
	switch {
	case suffix == "eed" && n >= s.p1:
		s.replace(n, "ee")
	case suffix != "eed" && n > 0 && s.hasVowel(n):
		s.w = s.w[:n]
		s.afterEd(s.short(n))
	}
}

// afterEd finishes a word of which -ed or -ing was removed: it appends an e, or removes
// one of two equal consonants. brief says whether the word is a short one.
func (s *stemming) afterEd(brief bool) {
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

func vowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

// region returns the place after the first consonant that follows a vowel in w[from:];
// the length of the word if there is none.
func (s *stemming) region(from int) int {
	for i := from + 1; i < len(s.w); i++ {
		if vowel(s.w[i-1]) && !vowel(s.w[i]) {
			_, size := utf8.DecodeRune(s.w[i:])
			return i + size
		}
	}
	return len(s.w)
}

// hasVowel reports whether one of the first n letters is a vowel.
func (s *stemming) hasVowel(n int) bool {
	return slices.ContainsFunc(s.w[:n], vowel)
}

// short reports whether the first n bytes end in consonant, vowel, consonant, the last
// of them other than w, x and Y.
func (s *stemming) short(n int) bool {
	_, size := utf8.DecodeLastRune(s.w[:n])
	last := n - size
	if last < 2 || vowel(s.w[last-2]) || !vowel(s.w[last-1]) || vowel(s.w[last]) {
		return false
	}
	return s.w[last] != 'w' && s.w[last] != 'x' && s.w[last] != 'Y'
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
