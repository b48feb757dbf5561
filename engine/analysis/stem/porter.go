package stem

import "slices"

// This file has Porter's algorithm: M. F. Porter, An algorithm for suffix
// stripping, Program 14(3), 1980, 130-137, as Snowball's "porter" has it, which takes
// off one of two equal consonants only where English has them doubled: "revving" gives
// "revv", in the paper "rev". Porter's program in C departs from the paper in three
// places, which it marks: bli -> ble instead of abli -> able, logi -> log, and words of
// one or two letters are left alone. A word has measure m > 0 before a suffix exactly if
// the suffix lies in R1, and m > 1 if it lies in R2.

var (
	porterStep2 = []rule{
		{"ational", "ate"},
		{"ization", "ize"},
		{"fulness", "ful"},
		{"ousness", "ous"},
		{"iveness", "ive"},
		{"tional", "tion"},
		{"biliti", "ble"},
		{"entli", "ent"},
		{"ation", "ate"},
		{"alism", "al"},
		{"aliti", "al"},
		{"ousli", "ous"},
		{"iviti", "ive"},
		{"enci", "ence"},
		{"anci", "ance"},
		{"abli", "able"},
		{"izer", "ize"},
		{"ator", "ate"},
		{"alli", "al"},
		{"eli", "e"},
	}
	// porterCStep2 has the two rules that the program in C changed and added.
	porterCStep2 = append(
		slices.DeleteFunc(slices.Clone(porterStep2), func(r rule) bool { return r.suffix == "abli" }),
		rule{"bli", "ble"}, rule{"logi", "log"},
	)
	porterStep3 = []rule{
		{"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ative", ""}, {"ical", "ic"}, {"ness", ""}, {"ful", ""},
	}
	porterStep4 = []string{
		"ement", "ance", "ence", "able", "ible", "ment",
		"ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
	}
)

// porter applies the rules of Porter's paper, with these rules for step 2 and these
// double consonants.
func (s *stemming) porter(step2 []rule, doubles string) {
	s.markY()
	s.p1 = s.region(0)
	s.p2 = s.region(s.p1)
	s.apply([]rule{{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}}, 0)
	s.porterEd(doubles)
	if n := len(s.w) - 1; (s.ends("y") || s.ends("Y")) && s.hasVowel(n) {
		s.w[n] = 'i'
	}
	s.apply(step2, s.p1)
	s.apply(porterStep3, s.p1)
	s.residual(porterStep4)
	n := len(s.w) - 1
	if s.ends("e") && (n >= s.p2 || n >= s.p1 && !s.short(n)) {
		s.w = s.w[:n]
	}
	if n = len(s.w) - 1; s.ends("ll") && n >= s.p2 {
		s.w = s.w[:n]
	}
	s.unmarkY()
}

// porterEd does step 1b.
func (s *stemming) porterEd(doubles string) {
	suffix, n := s.longest("eed", "ing", "ed")
	switch {
	case suffix == "eed" && n >= s.p1:
		s.replace(n, "ee")
	case suffix != "eed" && n > 0 && s.hasVowel(n):
		s.w = s.w[:n]
		s.afterEd(s.short(n), doubles)
	}
}
