package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/termsift/termsift/bench/testkit"
)

// located returns the words of the tokens of a text.
func located(a *Analyzer, l *Locator, text []byte) (words []string) {
	l.EachPart(text, func(part []byte, tokens []Token) {
		for _, t := range tokens {
			words = append(words, t.Word)
			if got := a.Terms(part[t.From:t.To]); !a.tokens.takesAnything() && a.opt.StripAccents == "" && !a.opt.FullCase && (len(got) != 1 || strings.ReplaceAll(got[0], "σ", "ς") != strings.ReplaceAll(t.Word, "σ", "ς")) { // by its neighbours
				words = append(words, fmt.Sprintf("%q is at the place of %q", part[t.From:t.To], t.Word))
			}
		}
	})
	return words
}

// Tokens are the terms of a counter in the same order, whatever the text.
func TestLocatorFindsTheTermsOfCounters(t *testing.T) {
	pieces := []string{
		"the", "Running", " ", "\n", "\t", "x", "don't", "3.14", "汉字", "中", "文", "Ａｂｃ", "é", "e\u0301", "\xff", "\xe4\xb8", "_", "-", ".", "'", "\u00a0", "\uff9e", "\u202f1", "ß",
		"İ", "a_b", "１２", "𠀀", "カナ", "한국어", "ไทย", "😀", "\u200d", ",", "1,000", "𐐀", "\ufffd", "\r\n", "Σ", "ℂ", "\u2c2f", "\U0001E4D0", "\uffff", "ﬁ", "한", "\x00", "  ", "1a", strings.Repeat("long", 70),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, tokens := range append(Tokenizers(), `pattern:\w+'?`, `pattern:\b[a-z]{2,}\b`, `pattern:(\d)?\w`) {
		for _, o := range []Options{
			{},
			{Stop: "glasgow", Stem: "porter2"},
			{Headers: "none"},
			{Headers: "subject"},
			{StripAccents: "unicode"},
			{StripAccents: "ascii", Stop: "english"},
			{KeepCase: true, Stop: "english"},
			{FullCase: true},
			{Unicode: "13.0"},
			{KeepCase: true, StripAccents: "unicode", Unicode: "14.0"},
			{NGrams: "2-3"},
		} {
			o.Tokens = tokens
			if tokenizer := must(Options{Tokens: tokens}).tokens; tokenizer.ofCharacters() && (o.Stop != "" || o.Stem != "") || o.NGrams != "" && !tokenizer.ofCharacters() {
				continue
			}
			a := testkit.Must(New(o))
			l := a.NewLocator()
			for range 80 {
				var b strings.Builder
				if r.IntN(3) == 0 {
					b.WriteString("Subject: Re: the running 汉字\nFrom: somebody\n\n")
				}
				for range r.IntN(40) {
					b.WriteString(pieces[r.IntN(len(pieces))])
				}
				text := []byte(b.String())
				testkit.EqualSlices(testkit.Stop(t), located(a, l, text), a.Terms(text), o, text, "the counter")
			}
		}
	}
}

// What a token comes from stands at its place, whatever became of its characters.
func TestPlacesOfTokens(t *testing.T) {
	for _, c := range []struct {
		o          Options
		text, want string
	}{
		{Options{StripAccents: "unicode"}, "der ÉCOLE, İ ﬁne 한국", "der ÉCOLE ﬁne 한국"},
		{Options{StripAccents: "ascii"}, "xéy Ünder Straße", "xéy Ünder Straße"},
		{Options{Tokens: "char_wb", NGrams: "3"}, "Ab  é\n", "Ab|Ab|é"},
		{Options{Tokens: "char", NGrams: "3"}, "a \n\tbc", "a \n\tb| \n\tbc"},
		{Options{Tokens: `pattern:#(\w+)`, StripAccents: "unicode"}, "#Été #b", "Été|b"},
		{Options{Tokens: `pattern:#(\w+)?`}, "a# #b", "|b"},
		{Options{FullCase: true}, "İstanbul", "stanbul"},
	} {
		var got []string
		must(c.o).NewLocator().EachPart([]byte(c.text), func(part []byte, tokens []Token) {
			for _, token := range tokens {
				got = append(got, string(part[token.From:token.To]))
			}
		})
		separator := "|"
		if !strings.Contains(c.want, "|") {
			separator = " "
		}
		testkit.Equal(t, strings.Join(got, separator), c.want, c.o, got)
	}
}

// The tests below fix by name what becomes of the odd texts that the field's
// collections have. Other tests reach the same by all short texts and by chance.

func TestOddTexts(t *testing.T) {
	const encoded = "M3W)I=&4@=&AE('-A;64@=&AI;F<@86=A:6X@86YD(&%G86EN('5N=&EL(#$R"
	for name, c := range map[string]struct {
		tokens, text, want string
	}{
		"astral, alone":          {"zh-bigrams", "𠀀", ""},
		"astral, a pair":         {"zh-bigrams", "𠀀𠀁", "𠀀𠀁"},
		"astral, in a run":       {"zh-bigrams", "中𠀀文", "中𠀀 𠀀文"},
		"astral, cut":            {"zh-bigrams", "中文\xf0\xa0\x80", "中文"},
		"astral, no letter":      {"zh-bigrams", "中😀文", ""},
		"full-width forms":       {"zh-bigrams", "ＡＢｃ１２", "abc12"},
		"full-width punctuation": {"zh-bigrams", "中文，文中", "中文 文中"},
		"full-width space":       {"zh-bigrams", "中文　文中", "中文 文中"},
		"a mark of byte order":   {"zh-bigrams", "\ufeff中文", "中文"},
		"one character":          {"zh-bigrams", "中", ""},
		"full-width words":       {"words", "ＡＢｃ", "ａｂｃ"},
		"a mark between words":   {"words", "one\ufefftwo", "one two"},
		"uuencoded":              {"words", encoded, "m3w ae 64 ai 86 6x 86yd g86en 5n el"},
		"signs alone":            {"unicode", "—…！", ""},
	} {
		got := must(Options{Tokens: c.tokens}).Terms([]byte(c.text))
		testkit.Equal(t, strings.Join(got, " "), c.want, name)
	}
}

// Every character is to us what it is to Pythons of each version of Unicode: testdata/characters.py
// prints the digests.
func TestCharactersOfEachVersionOfUnicode(t *testing.T) {
	for version, want := range map[string]string{
		"13.0":   "a0b7d03c7c1caa925b52f8c3d9f0fe474f6789d0bddcacfdd777dd4131a1f986",
		"14.0.0": "4ae4565ec76db9e4ab860859de25b552a322d41a2b5e614eeb0bb68b6217ec00",
		"15.0":   "99b0c7c2bf7934109195422e83f432e2e0eee1a74848220b748365af8ed174b7",
		"15.1":   "a3346941bbbe546b14c4dc32f6e0a266a24a5625c832ce371bdfaa50ccfad0b4",
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			words := must(Options{FullCase: true, Unicode: version})
			known := func(r rune) bool { return !(0xD800 <= r && r < 0xE000) && words.Knows([]byte(string(r))) }
			of := func(o Options) func(text []byte) []string {
				o.Unicode, o.MaxToken = version, 1<<20
				c := must(o).NewCounter()
				return func(text []byte) (terms []string) {
					c.scan(text)
					for _, id := range c.ids {
						terms = append(terms, string(c.Term(id)))
					}
					return terms
				}
			}
			folded := func(accents string) func(text []byte) []string {
				f := folder{python: true, accents: accents, version: words.version}
				return func(text []byte) []string { return []string{string(f.text(text))} }
			}
			all := []func(text []byte) []string{
				of(Options{}), of(Options{StripAccents: "unicode"}), folded(""), folded("unicode"), folded("ascii"),
				of(Options{Tokens: `pattern:\w+`, KeepCase: true}), of(Options{Tokens: `pattern:\d`, KeepCase: true}),
				of(Options{Tokens: `pattern:\S+`, KeepCase: true}), of(Options{Tokens: `pattern:\W\b`, KeepCase: true}),
			}
			digest := sha256.New()
			for first := rune(0); first < 0xE1000; first += 256 {
				if first == 0x40000 { // there is nothing between
					first = 0xE0000
				}
				var parts []string
				for c := first; c < first+256; c++ {
					if known(c) {
						parts = append(parts, fmt.Sprintf("x%cY AΣ%c AΣ%cA %c", c, c, c, c))
					}
				}
				text := []byte(strings.Join(parts, " "))
				for _, terms := range all {
					fmt.Fprintf(digest, "%s\x00", strings.Join(terms(text), "\n"))
				}
			}
			testkit.Equal(t, hex.EncodeToString(digest.Sum(nil)), want)
		})
	}
}

// What a version of Unicode lacks, and what Go lacks.
func TestVersionsOfUnicode(t *testing.T) {
	const newIn14, newIn15, newIn151, newer = "\u1715", "\U0001E4D0", "\U0002EBF0", "\U0001E5D0"
	for _, c := range []struct{ version, text, want string }{
		{"", "x" + newIn14 + "y x" + newIn15 + "y", "x" + newIn15 + "y"},
		{"15.0", "\u2C2Fx" + newIn15 + "y", "\u2C5Fx" + newIn15 + "y"},
		{"14.0", "\u2C2Fx" + newIn15 + "yy", "\u2C5Fx yy"},
		{"13.0", "\u2C2Fxx" + newIn15 + "yy", "xx yy"},
		{"13.0", "\uFFFFxx\uFFFFyy" + newIn15, "xx yy"},
		{"13.0", "İstanbul", "stanbul"},
	} {
		testkit.Equal(t, strings.Join(must(Options{Unicode: c.version}).Terms([]byte(c.text)), " "), c.want, c.version)
	}
	for _, c := range []struct {
		version, text string
		knows         bool
	}{
		{"", newer, true},
		{"14.0", newer, true},
		{"15.0", newIn151, true},
		{"15.1", newIn151, false},
		{"16.0", newer, false},
		{"17", newer, false},
		{"15.1", "é中" + newIn15, true},
		{"15.1", "plain text of ASCII", true},
		{"15.1", "\xff\xe4\xb8", true},
		{"13.0", "\u1734", false},
		{"14.0", "\u1734", true},
	} {
		testkit.Equal(t, must(Options{Unicode: c.version}).Knows([]byte(c.text)), c.knows, c.version, "knows", c.text)
	}
	grams := must(Options{Tokens: "char", Unicode: "13.0", StripAccents: "unicode"}).Terms([]byte("É\u2C2F\uFFFFe\u0301" + newIn15))
	testkit.Equal(t, strings.Join(grams, "|"), "e|\u2C2F|\uFFFF|e|"+newIn15, grams)
	for _, version := range []string{"12.1", "x", "14x", "-14.0", "1e9", "14..0", "100.0"} {
		testkit.Says(t, testkit.Err(New(Options{Unicode: version})), "version of Unicode", version)
	}
	testkit.Equal(t, unicode.Version, "15.0.0", "package unicode is of")
}

// What a person types is told from what the analysis leaves of it.
func TestLost(t *testing.T) {
	var cases []struct {
		O          Options
		Text, Want string
	}
	testkit.ReadJSON("testdata/lost.json", &cases)
	for _, c := range cases {
		a := testkit.Must(New(c.O))
		testkit.Equal(t, a.Lost(c.Text), c.Want, c.O, c.Text, "lost")
	}
}
