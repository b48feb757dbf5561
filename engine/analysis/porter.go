package analysis

// This file holds Porter's algorithm: M. F. Porter, An algorithm for suffix
// stripping, Program 14(3), 1980, 130-137, in the form of Snowball's "porter",
// which has the paper's rule abli -> able and none for -logi. (Porter's program
// in C departs from the paper: bli -> ble, logi -> log, and words of one or two
// letters are left alone.) A word has measure m > 0 before a suffix exactly if
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
	porterStep3 = []rule{
		{"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ative", ""}, {"ical", "ic"}, {"ness", ""}, {"ful", ""},
	}
	porterStep4 = []string{
		"ement", "ance", "ence", "able", "ible", "ment",
		"ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
	}
)

func (s *stem) porter() {
	s.markY()
	s.p1 = s.region(0)
	s.p2 = s.region(s.p1)
	s.apply([]rule{{"sses", "ss"}, {"ies", "i"}, {"ss", "ss"}, {"s", ""}}, 0)
	s.porterEd()
	if n := len(s.w) - 1; (s.ends("y") || s.ends("Y")) && s.hasVowel(n) {
		s.w[n] = 'i'
	}
	s.apply(porterStep2, s.p1)
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

// porterEd is step 1b.
func (s *stem) porterEd() {
	suffix, n := s.longest("eed", "ing", "ed")
	switch {
	case suffix == "eed" && n >= s.p1:
		s.replace(n, "ee")
	case suffix != "eed" && n > 0 && s.hasVowel(n):
		s.w = s.w[:n]
		s.afterEd(s.short(n))
	}
}
