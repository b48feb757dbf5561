package analysis

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// whiteSpace is the white space of Python's str.split and of \s in its re.
const whiteSpace = "\t\n\v\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// plainFold is the final form of a text, by the rules of Python; it shares nothing with Counter.
func plainFold(text []byte, o Options) string {
	characters := []rune(string(text)) // U+FFFD for each malformed byte
	if !o.KeepCase {
		var lower []rune
		for _, r := range string(plainSigmas([]byte(string(characters)))) {
			if r == 'İ' {
				lower = append(lower, 'i', 0x307)
				continue
			}
			lower = append(lower, unicode.ToLower(r))
		}
		characters = lower
	}
	var kept []rune
	for _, r := range characters {
		parts := []rune{r}
		if o.StripAccents != "" {
			parts = []rune(norm.NFKD.String(string(r)))
		}
		for _, part := range parts {
			combining := norm.NFKD.PropertiesString(string(part)).CCC() != 0
			if o.StripAccents == "unicode" && combining && len(characters) > 0 || o.StripAccents == "ascii" && part > 0x7F {
				continue
			}
			if !o.KeepCase && o.StripAccents != "" {
				part = unicode.ToLower(part)
			}
			kept = append(kept, part)
		}
	}
	return string(kept)
}

// plainChars are the n-grams of characters of a text in its final form.
func plainChars(text string, words bool, least, most int) (grams []string) {
	var squeezed []rune
	characters := []rune(text)
	white := func(i int) bool { return i < len(characters) && strings.ContainsRune(whiteSpace, characters[i]) }
	for i := 0; i < len(characters); i++ {
		if !white(i) || !white(i+1) {
			squeezed = append(squeezed, characters[i])
			continue
		}
		for white(i + 1) {
			i++
		}
		squeezed = append(squeezed, ' ')
	}
	if !words {
		return plainWindows(squeezed, least, most)
	}
	for word := range strings.FieldsFuncSeq(string(squeezed), func(r rune) bool { return strings.ContainsRune(whiteSpace, r) }) {
		padded := []rune(" " + word + " ")
		if len(padded) <= least {
			grams = append(grams, string(padded))
			continue
		}
		grams = append(grams, plainWindows(padded, least, most)...)
	}
	return grams
}

func plainWindows(characters []rune, least, most int) (grams []string) {
	for n := least; n <= most; n++ {
		for i := 0; i+n <= len(characters); i++ {
			grams = append(grams, string(characters[i:i+n]))
		}
	}
	return grams
}

// A goldenText are values of scikit-learn.
type goldenText struct {
	Inputs []map[string]json.RawMessage `json:"inputs"`
	Stops  []struct {
		Input  string   `json:"input"`
		Stop   []string `json:"stop_words"`
		Range  [2]int   `json:"ngram_range"`
		Tokens []string `json:"tokens"`
	} `json:"stop_words"`
	Patterns []struct {
		Input   string   `json:"input"`
		Pattern string   `json:"token_pattern"`
		Tokens  []string `json:"tokens"`
	} `json:"token_pattern"`
	Sets struct {
		White []string `json:"white_space_of_re_and_split"`
	} `json:"character_sets"`
}

func readGolden() (golden goldenText) {
	testkit.ReadJSON("testdata/golden_text.json", &golden)
	return golden
}

// The terms of scikit-learn 1.2.1 are ours, in their order.
func TestTermsAreThoseOfScikitLearn(t *testing.T) {
	golden := readGolden()
	settings := map[string]Options{
		"words":         {FullCase: true},
		"words_unicode": {FullCase: true, StripAccents: "unicode"},
		"char_wb_3_3":   {FullCase: true, Tokens: "char_wb", NGrams: "3"},
		"char_1_2":      {FullCase: true, Tokens: "char", NGrams: "1-2"},
		"char_wb_2_4":   {FullCase: true, Tokens: "char_wb", NGrams: "2-4"},
		"char_wb_5_6":   {FullCase: true, Tokens: "char_wb", NGrams: "5-6"},
		"char_5_6":      {FullCase: true, Tokens: "char", NGrams: "5-6"},
	}
	for _, input := range golden.Inputs {
		var text string
		testkit.OK(json.Unmarshal(input["input"], &text))
		for key, o := range settings {
			raw, ok := input[key]
			if !ok {
				continue
			}
			var want []string
			testkit.Is(testkit.Stop(t), json.Unmarshal(raw, &want), nil, key)
			testkit.EqualSlices(t, must(o).Terms([]byte(text)), want, text, key)
		}
		for key, o := range map[string]Options{"lower": {FullCase: true}, "unicode": {FullCase: true, StripAccents: "unicode"}, "ascii": {FullCase: true, StripAccents: "ascii"}} {
			var want string
			testkit.Is(testkit.Stop(t), json.Unmarshal(input[key], &want), nil, key)
			fold := must(o).newFolder()
			testkit.Equal(t, string(fold.text([]byte(text))), want, text, key)
		}
	}
	for _, c := range golden.Stops {
		o := Options{StopWords: c.Stop, StopVerbatim: true, NGrams: fmt.Sprintf("%d-%d", c.Range[0], c.Range[1])}
		testkit.EqualSlices(t, must(o).Terms([]byte(c.Input)), c.Tokens, o)
	}
}

// Tokens of patterns are those of Python, and stop words, lengths and n-grams are as of words.
func TestPatterns(t *testing.T) {
	for _, c := range readGolden().Patterns {
		testkit.EqualSlices(t, must(Options{Tokens: "pattern:" + c.Pattern}).Terms([]byte(c.Input)), c.Tokens,
			c.Pattern, "of", c.Input)
	}
	for _, c := range []struct {
		o          Options
		text, want string
	}{
		{Options{Tokens: `pattern:\S+`, NGrams: "1-2"}, "A b-c D", "a|b-c|d|a b-c|b-c d"},
		{Options{Tokens: `pattern:\S+`, NGrams: "2", Stop: "english"}, "cat of the hat", "cat hat"},
		{Options{Tokens: `pattern:\w+`, KeepCase: true, Stop: "english"}, "The Cat OF", "Cat"},
		{Options{Tokens: `pattern:\w+`, StripAccents: "unicode", Stem: "porter2"}, "Rúnning runs", "run|run"},
		{Options{Tokens: `pattern:(x)?y`, NGrams: "1-2"}, "y xy y", "|x|| x|x "},
		{Options{Tokens: `pattern:(x)?y`, StopWords: []string{""}, StopVerbatim: true}, "y xy y", "x"},
		{Options{Tokens: `pattern:[^,]+`}, "a b,c\x00,\x00,a b", "a b|c\x00|\x00|a b"},
		{Options{Tokens: `pattern:\w+`, MaxToken: 3}, "four bee éé", "bee"},
		{Options{Tokens: `pattern:[a-z]+`}, strings.Repeat("ab ", 200), strings.TrimSuffix(strings.Repeat("ab|", 200), "|")},
	} {
		testkit.Equal(t, strings.Join(must(c.o).Terms([]byte(c.text)), "|"), c.want, c.o)
	}
	c := must(Options{Tokens: `pattern:(x)?y`}).NewCounter()
	testkit.EqualSlices(t, c.Count([]byte("y xy y"), nil), []TermCount{{0, 2}, {1, 1}})
	for _, term := range []string{"", "x"} {
		if id := c.Add(term); string(c.Term(id)) != term || c.Len() != 2 {
			t.Errorf("%q is added as %d", term, id)
		}
	}
	for tokens, why := range map[string]string{`pattern:[^,]+`: "may have spaces", `pattern:(?=a)`: "no look-around", `pattern:`: "the empty text"} {
		var e *PatternError
		if _, err := New(Options{Tokens: tokens, NGrams: "1-2"}); !errors.As(err, &e) || !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", tokens, err)
		}
	}
}

func TestWhiteSpaceIsThatOfPython(t *testing.T) {
	var all []string
	for r := range rune(unicode.MaxRune + 1) {
		testkit.Equal(t, isWhite(r), strings.ContainsRune(whiteSpace, r), r)
		if n := whiteAt([]byte(string(r) + "x")); n > 0 != isWhite(r) || n > 0 && n != len(string(r)) {
			t.Errorf("%U has %d bytes", r, n)
		}
		if isWhite(r) {
			all = append(all, fmt.Sprintf("%04X", r))
		}
	}
	testkit.EqualSlices(t, all, readGolden().Sets.White)
}

// randomChars makes texts of what matters to the options of characters.
func randomChars(r *rand.Rand, pieces int) []byte {
	from := []string{
		"a", "B", "ab", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u200b", "é", "e\u0301", "İ", "Σ", "ΑΣ", "ß", "ﬁ", "汉", "字", "한", "한국", "Å", "\x00", "\xff", "\xe4\xb8", "\xc2",
		"😀", "𐐀", "\u034f", "\u0345", "ǅ", "ℂ", "½", "_", "'", ".", "\u0903", "ø", "\ufffd", "aaaa", "Straße", "internationalization", "\u00c5ngström", "x\u0300\u0301\u0302",
	}
	var text []byte
	for range pieces {
		text = append(text, from[r.IntN(len(from))]...)
	}
	return text
}

// The terms of characters are those of the definition, with their counts, however long the texts
// and however often words are forgotten.
func TestCharactersOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	for _, tokens := range []string{"char", "char_wb"} {
		for _, ngrams := range []string{"1", "2", "1-2", "3-5", "2-30", "20-25"} {
			for _, o := range []Options{{}, {KeepCase: true}, {StripAccents: "unicode"}, {StripAccents: "ascii"}, {KeepCase: true, StripAccents: "unicode"}} {
				o.Tokens, o.NGrams = tokens, ngrams
				a := must(o)
				c := a.NewCounter()
				seen := map[string]bool{}
				for range 40 {
					text := randomChars(r, r.IntN(60))
					if tokens == "char_wb" && r.IntN(10) == 0 {
						c.char.forget()
					}
					want := plainChars(plainFold(text, o), tokens == "char_wb", a.grams.least, a.grams.most)
					checkChars(t, c, text, want, seen)
				}
			}
		}
	}
}

// checkChars holds the terms and the counts of a text against those wanted.
func checkChars(t *testing.T, c *Counter, text []byte, want []string, seen map[string]bool) {
	t.Helper()
	counts := map[string]uint32{}
	var distinct []string
	for _, term := range want {
		seen[term] = true
		if counts[term]++; counts[term] == 1 {
			distinct = append(distinct, term)
		}
	}
	found := c.Count(text, nil)
	testkit.Equal(testkit.Stop(t), len(found), len(distinct), c.a.opt, text, "terms", "in all")
	testkit.Equal(testkit.Stop(t), c.Len(), len(seen), c.a.opt, text, "terms", "in all")
	for i, f := range found {
		term := string(c.Term(f.Term))
		testkit.Equal(testkit.Stop(t), term, distinct[i], c.a.opt, text, f.Count, "times", counts[term], "times")
		testkit.Equal(testkit.Stop(t), f.Count, counts[term], c.a.opt, text, "has", term, "times, want", distinct[i])
	}
	testkit.EqualSlices(testkit.Stop(t), c.a.Terms(text), want, c.a.opt, "the terms of", text)
}

// Terms that were added keep their numbers.
func TestAddedCharacters(t *testing.T) {
	for _, tokens := range []string{"char", "char_wb"} {
		c := must(Options{Tokens: tokens, NGrams: "1-2"}).NewCounter()
		c.Count([]byte("xy"), nil)
		id := c.Add("ab")
		if again := c.Add("xy"); again == id || string(c.Term(again)) != "xy" {
			t.Errorf("%s: %d", tokens, again)
		}
		found := false
		for _, f := range c.Count([]byte("ab"), nil) {
			found = found || f.Term == id
		}
		testkit.Equal(t, found, true, tokens, "counts ab anew")
	}
}

// The words of other tokenizers in the case and with the accents that the options say.
func TestCaseAndAccents(t *testing.T) {
	for _, c := range []struct {
		o          Options
		text, want string
	}{
		{Options{KeepCase: true}, "The ΟΔΟΣ of Él", "The ΟΔΟΣ of Él"},
		{Options{KeepCase: true, Stop: "glasgow"}, "The ΟΔΟΣ OF Él", "ΟΔΟΣ Él"},
		{Options{KeepCase: true, Stop: "glasgow", StopVerbatim: true}, "The ΟΔΟΣ of Él", "The ΟΔΟΣ Él"},
		{Options{KeepCase: true, Tokens: "letters"}, "The CAT_1 ΟΣ é", "The CAT ΟΣ é"},
		{Options{KeepCase: true, Tokens: "unicode"}, "The CAN'T ΟΣ É 中", "The CAN'T ΟΣ É 中"},
		{Options{KeepCase: true, Tokens: "zh-bigrams"}, "The Ａb 中文", "The Ab 中文"},
		{Options{StripAccents: "unicode"}, "Él Straße ÅNGSTRÖM ﬁne ℂℝ naïve", "el straße angstrom fine cr naive"},
		{Options{StripAccents: "ascii"}, "Él Straße ŁÓDŹ", "el strae odz"},
		{Options{StripAccents: "unicode"}, "Problematic™ №5 ℃x 𝚺𝐀 Ⓐ㎏", "problematictm no5 cx σa akg"}, // capitals in what they decompose into
		{Options{StripAccents: "ascii", Tokens: "char", NGrams: "2"}, "™", "tm"},
		{Options{StripAccents: "ascii", Tokens: "zh-bigrams"}, "™", "tm"},
		{Options{StripAccents: "unicode", KeepCase: true}, "Problematic™", "ProblematicTM"},
		{Options{StripAccents: "unicode", FullCase: true}, "Problematic™", "problematicTM"}, // as scikit-learn has it
		{Options{}, "Co\u00adoperate co\u00ad\u00adop \u00adend\u00ad a\u00ad b", "cooperate coop end"},
		{Options{Tokens: "unicode"}, "Co\u00adoperate x\u00ad3", "cooperate x3"},
		{Options{Tokens: "letters"}, "É\u00adcole", "école"},
		{Options{Tokens: "zh-bigrams"}, "中\u00ad文 so\u00adft", "中文 soft"},
		{Options{Tokens: "char", NGrams: "3"}, "a\u00adbc", "abc"},
		{Options{Tokens: `pattern:\S+`}, "so\u00adft", "soft"},
		{Options{Markup: "strip"}, "co&shy;op<b>er</b>ate", "cooperate"},
		{Options{Normalize: "nfc"}, "caf\u00ade\u0301", "café"},
		{Options{StopWords: []string{"co\u00adop"}}, "coop c\u00adoop op", "op"},
		{Options{Stem: "english", NGrams: "2"}, "run\u00adning dogs", "run dog"},
		{Options{FullCase: true}, "co\u00adoperate", "co operate"}, // as scikit-learn has it
		{Options{StripAccents: "unicode", Stop: "french"}, "été ÉTÉ école", "ecole"},
		{Options{StripAccents: "unicode", StopWords: []string{"École"}}, "été école", "ete"},
		{Options{StripAccents: "unicode", StopWords: []string{"école", "ete"}, StopVerbatim: true}, "été école", "ecole"},
		{Options{StripAccents: "unicode", KeepCase: true}, "Él École", "El Ecole"},
		{Options{StripAccents: "unicode", Tokens: "unicode"}, "l'École É 中", "l'ecole e 中"},
		{Options{FullCase: true}, "İSTANBUL Kİ ab", "stanbul ki ab"},
		{Options{}, "İSTANBUL Kİ ab", "istanbul ki ab"},
		{Options{FullCase: true, StripAccents: "unicode"}, "İSTANBUL", "istanbul"},
		{Options{FullCase: true, KeepCase: true}, "İSTANBUL", "İSTANBUL"},
	} {
		testkit.Equal(t, strings.Join(must(c.o).Terms([]byte(c.text)), " "), c.want, c.o)
	}
}

func TestOptionsThatExcludeEachOther(t *testing.T) {
	for want, o := range map[string]Options{
		"char have no stop words":    {Tokens: "char", Stop: "english"},
		"char_wb have no stop words": {Tokens: "char_wb", StopWords: []string{"a"}},
		"and no stemmer":             {Tokens: "char", Stem: "porter"},
		"in lower case only":         {KeepCase: true, Stem: "porter2"},
		"characters up to 30":        {Tokens: "char", NGrams: "31"},
		"words up to 5":              {NGrams: "1-6"},
		"way to strip accents":       {StripAccents: "yes"},
	} {
		testkit.Says(t, testkit.Err(New(o)), want, o)
	}
}
