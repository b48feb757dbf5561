package stem

import "bytes"

// This file has Porter2, which is Snowball's "english" as of its release 2.0:
// https://snowballstem.org/algorithms/english/stemmer.html

var (
	// english1 has words that the rules do not apply to, with their stems.
	english1 = map[string]string{
		"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie",
		"idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
		"sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
	}
	// english2 has words that no rule after step 1a applies to.
	english2 = map[string]bool{
		"inning": true, "outing": true, "canning": true, "herring": true, "earring": true,
		"proceed": true, "exceed": true, "succeed": true,
	}
	// englishR1 has prefixes after which R1 begins.
	englishR1 = []string{"gener", "commun", "arsen"}

	english2nd = []rule{
		{"ization", "ize"},
		{"ational", "ate"},
		{"fulness", "ful"},
		{"ousness", "ous"},
		{"iveness", "ive"},
		{"tional", "tion"},
		{"biliti", "ble"},
		{"lessli", "less"},
		{"entli", "ent"},
		{"ation", "ate"},
		{"alism", "al"},
		{"aliti", "al"},
		{"ousli", "ous"},
		{"iviti", "ive"},
		{"fulli", "ful"},
		{"enci", "ence"},
		{"anci", "ance"},
		{"abli", "able"},
		{"izer", "ize"},
		{"ator", "ate"},
		{"alli", "al"},
		{"bli", "ble"},
	}
	english3rd = []rule{
		{"ational", "ate"},
		{"tional", "tion"},
		{"alize", "al"},
		{"icate", "ic"},
		{"iciti", "ic"},
		{"ical", "ic"},
		{"ness", ""},
		{"ful", ""},
	}
	english4th = []string{
		"ement", "ance", "ence", "able", "ible", "ment",
		"ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er", "ic",
	}
)

func (s *stemming) porter2() {
	if by, ok := english1[string(s.w)]; ok {
		s.replace(0, by)
		return
	}
	if len(s.w) < 3 {
		return
	}
	if s.w[0] == '\'' {
		s.w = s.w[1:]
	}
	s.markY()
	s.englishRegions()
	s.englishPlurals()
	if !english2[string(s.w)] {
		s.englishSteps()
	}
	s.unmarkY()
}

// englishRegions sets p1 and p2.
func (s *stemming) englishRegions() {
	s.p1 = -1
	for _, front := range englishR1 {
		if bytes.HasPrefix(s.w, []byte(front)) {
			s.p1 = len(front)
		}
	}
	if s.p1 < 0 {
		s.p1 = s.region(0)
	}
	s.p2 = s.region(s.p1)
}

// englishPlurals does steps 0 and 1a.
func (s *stemming) englishPlurals() {
	if _, n := s.longest("'s'", "'s", "'"); n >= 0 {
		s.w = s.w[:n]
	}
	suffix, n := s.longest("sses", "ied", "ies", "us", "ss", "s")
	switch suffix {
	case "sses":
		s.replace(n, "ss")
	case "ied", "ies":
		s.replace(n, "ie")
		if n > 1 {
			s.replace(n, "i")
		}
	case "s":
		if n > 1 && s.hasVowel(n-1) {
			s.w = s.w[:n]
		}
	}
}

// englishSteps does steps 1b to 5.
func (s *stemming) englishSteps() {
	s.englishEd()
	if n := len(s.w) - 1; n > 1 && (s.w[n] == 'y' || s.w[n] == 'Y') && !vowel(s.w[n-1]) {
		s.w[n] = 'i'
	}
	s.englishLi()
	if s.ends("ative") {
		if n := len(s.w) - 5; n >= s.p2 {
			s.w = s.w[:n]
		}
	} else {
		s.apply(english3rd, s.p1)
	}
	s.residual(english4th)
	n := len(s.w) - 1
	switch {
	case s.ends("e") && (n >= s.p2 || n >= s.p1 && !s.englishShort(n)), s.ends("ll") && n >= s.p2:
		s.w = s.w[:n]
	}
}

// englishShort reports what short does, and whether n is 2 and the two letters are a
// vowel and a consonant.
func (s *stemming) englishShort(n int) bool {
	return s.short(n) || n == 2 && vowel(s.w[0]) && !vowel(s.w[1])
}

// englishEd does step 1b.
func (s *stemming) englishEd() {
	suffix, n := s.longest("eedly", "ingly", "edly", "eed", "ing", "ed")
	switch suffix {
	case "eed", "eedly":
		if n >= s.p1 {
			s.replace(n, "ee")
		}
	case "ed", "edly", "ing", "ingly":
		if s.hasVowel(n) {
			s.w = s.w[:n]
			s.afterEd(s.englishShort(n), snowballDoubles)
		}
	}
}

// englishLi does step 2: its rules, then -ogi after l and -li after some letters.
func (s *stemming) englishLi() {
	before := len(s.w)
	for _, r := range english2nd {
		if s.ends(r.suffix) {
			s.apply(english2nd, s.p1)
			return
		}
	}
	switch n := before - 3; {
	case s.ends("logi") && n >= s.p1:
		s.w = s.w[:before-1]
	case s.ends("li") && n+1 >= s.p1 && n >= 0 && bytes.IndexByte([]byte("cdeghkmnrt"), s.w[n]) >= 0:
		s.w = s.w[:n+1]
	}
}
