package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestSample(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"nothing":            {nil, "words"},
		"English":            {[]string{"The quick brown fox"}, "words"},
		"Chinese":            {[]string{"这本书很好"}, "zh-bigrams"},
		"half":               {[]string{"ab中文"}, "words"},
		"one more":           {[]string{"ab 中文", "字"}, "zh-bigrams"},
		"numbers do not say": {[]string{"1234567890 ... 中"}, "zh-bigrams"},
		"Japanese":           {[]string{"これはとても良い本です"}, "words"},
		"Russian":            {[]string{"Хорошая книга"}, "words"},
		"malformed":          {[]string{"\xff\xfe\xe4\xb8"}, "words"},
		"only the beginning": {[]string{strings.Repeat("a", SampleBytes), strings.Repeat("中", SampleBytes)}, "words"},
		"cut in a character": {[]string{strings.Repeat("中", SampleBytes), strings.Repeat("a", SampleBytes)}, "zh-bigrams"},
	} {
		var s Sample
		for _, text := range c.texts {
			s.Add([]byte(text))
		}
		testkit.Equal(t, s.Tokens(), c.want, name, s)
		testkit.Equal(t, s.Full(), len(strings.Join(c.texts, "")) >= SampleBytes, name, "full")
	}
}

// What texts look like besides.
func TestSampleLooks(t *testing.T) {
	for text, want := range map[string]string{
		"plain English text, a < b & c; <grin> AT&T; <fred@example.org>": "",
		"हिन्दी भाषा में":                                                "marked",
		"தமிழ் மொழி":                                                     "marked",
		"বাংলা ভাষা":                                                     "marked",
		"שָׁלוֹם עֲלֵיכֶם":                                               "marked",
		"བོད་ཡིག":                                                        "marked",
		"ภาษาไทย ที่นี่":                                                 "marked spaceless",
		"ພາສາລາວ":                                                        "spaceless",
		"ភាសាខ្មែរ":                                                      "marked spaceless",
		"မြန်မာဘာသာ":                                                     "marked spaceless",
		"cafe\u0301 te\u0302te":                                          "accented",
		"café tête naïve":                                                "",
		"שלום عربي русский ελληνικά 한국어":                                 "",
		"❤\ufe0f 1\ufe0f\u20e3 yes":                                      "",
		"one<br/>two":                                                    "markup",
		"AT&amp;T":                                                       "markup",
		"a&#160;b":                                                       "markup",
		"<?xml version='1.0'?><TEI><rend>x</rend></TEI>":                 "markup",
		" <doc a='b'>x</doc>":                                            "markup",
		"<A HREF='x'>y":                                                  "markup",
		"<br":                                                            "",
		"if a<b then c":                                                  "",
		"<unk> token":                                                    "",
		strings.Repeat("<&", SampleBytes):                                "",
		strings.Repeat("a", 99) + "हि":                                   "",
	} {
		var s Sample
		s.Add([]byte(text))
		var got []string
		marked, all := s.Markup()
		for name, is := range map[string]bool{"marked": s.Marked(), "accented": s.Accented(), "spaceless": s.Spaceless(), "markup": marked == 1} {
			if is {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		testkit.Equal(t, strings.Join(got, " "), want, text, got, "of", s)
		testkit.Equal(t, all, 1, text, got, "of", s)
	}
}

// Documents that are counted already do not fill a sample by their bytes.
func TestSampleEnds(t *testing.T) {
	var s Sample
	for i := range SampleDocuments {
		testkit.Equal(testkit.Stop(t), s.Full(), false, i)
		s.Add(nil)
	}
	if s.Add([]byte("中")); !s.Full() || s.Tokens() != "words" {
		t.Fatalf("%+v", s)
	}
}
