package analysis

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/termsift/termsift/bench/testkit"
)

var all, _ = parseHeaders("keep")

func TestMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"plain & simple":                       "plain & simple",
		"a < b, c > d":                         "a < b, c > d",
		"<p>Caf&eacute; au&nbsp;lait</p>":      " Café au\u00a0lait ",
		"<b>W</b>ord <a href=x>one</a>two<br>": "Word  one two ",
		"x<script>if (a<b) 'c'</script>y":      "x  y",
		"x<style>p { color: red }</style>y":    "x  y",
		"x<SCRIPT src='s'/>y</SCRIPT>z":        "x y z",
		"x<!-- no --><!DOCTYPE html>y":         "xy",
		"<?xml version='1.0'?><TEI><title/><p rend='it'>one</p><lb/>two<![CDATA[ <three> & ]]></TEI>": "   one  two <three> &  ",
		"<textarea/>one<plaintext>two<xmp>three":                                                      " one two three",
		"&#x48;&#72;&amp;lt;&unknown; &lt;p&gt;":                                                      "HH&lt;&unknown; <p>",
		"if a <b then":                                                                                "if a <b then",
		"<title>a &amp; <i>b</i></title>":                                                             " a & b ",
		"<p title='a>b'>c":                                                                            " c",
		"\xff<p>\xfe</p>":                                                                             "\xff \xfe ",
	} {
		p := newPreparer(&Options{Markup: "strip"}, all)
		testkit.Equal(t, string(p.text([]byte(text))), want, text)
		testkit.Equal(t, string(newPreparer(&Options{}, all).text([]byte(text))), text, "kept")
	}
}

func TestNormalForms(t *testing.T) {
	for _, c := range []struct{ form, text, want string }{
		{"none", "cafe\u0301 ﬁne", "cafe\u0301 ﬁne"},
		{"nfc", "cafe\u0301 ﬁne", "café ﬁne"},
		{"nfkc", "cafe\u0301 ﬁne ＳＡＬＥ", "café fine SALE"},
		{"nfc", "\xffe\u0301\xff", "\xffé\xff"},
		{"nfc", "\u0958", "\u0915\u093c"},
	} {
		p := newPreparer(&Options{Normalize: c.form}, all)
		for range 2 {
			testkit.Equal(t, string(p.text([]byte(c.text))), c.want, c.form, "of", c.text)
		}
	}
}

// A text that needs nothing is returned itself, without memory for a copy.
func TestNothingToPrepare(t *testing.T) {
	text := []byte(strings.Repeat("plain text, and none with markup. café\n", 100))
	p := newPreparer(&Options{Normalize: "nfc", Markup: "strip"}, all)
	if n := testing.AllocsPerRun(10, func() {
		if got := p.text(text); &got[0] != &text[0] || len(got) != len(text) {
			t.Error("the text was copied")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Whatever the text, the preparer does not change it, gives the same again, and makes no
// malformed text of a well-formed one.
func FuzzPrepare(f *testing.F) {
	for _, text := range []string{"<p>a</p>", "<script>", "<!--", "&#0;&#xD800;&amp", "<![CDATA[", "</", "<a b='", "e\u0301Σ'", "\xff\xce", "<plaintext><title/>"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		for _, form := range normalForms() {
			p := newPreparer(&Options{Normalize: form, Markup: "strip"}, all)
			once := bytes.Clone(p.text(text))
			if again := p.text(text); !bytes.Equal(once, again) || !bytes.Equal(text, before) {
				t.Fatalf("%q: %q, then %q; %q is left", before, once, again, text)
			}
			if utf8.Valid(text) && !utf8.Valid(once) {
				t.Fatalf("%q: %q", text, once)
			}
		}
	})
}

// Capital sigmas become what Unicode's lower-casing makes of them. The oracle is x/text, which has
// the rule from SpecialCasing.txt. A letter such as ʰ, which has case and may be ignored, is left
// out: Python's lower, which is followed here, ignores it, and x/text does not.
func TestSigmas(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"ΟΔΟΣ":      "οδος",
		"ΟΔΟΣ.":     "οδος.",
		"ΟΔΟΣ.Α":    "οδοσ.α",
		"ΟΔΟΣ Α":    "οδος α",
		"Σ":         "σ",
		"ΣΣ":        "σς",
		"Α.Σ":       "α.ς",
		"aΣ1":       "aς1",
		"1Σ":        "1σ",
		"Α\u0301Σ":  "α\u0301ς",
		"ΑΣ\u0301Α": "ασ\u0301α",
		"ΑΣ\xffΑ":   "ας\xffα",
		"Α\xffΣ":    "α\xffσ",
		"中ΑΣ中":      "中ας中",
		"\xce":      "\xce",
	} {
		testkit.Equal(t, string((&folder{words: true}).text([]byte(text))), want, text)
	}
	pieces := []string{"Σ", "Σ", "σ", "ς", "Α", "a", "A", "1", " ", ".", "'", ":", "-", "_", "\u00b7", "\u0301", "\u00ad", "\u2019", "中", "ⅷ", "Ⓐ", "^", "`", "\u200d", "ª"}
	r := rand.New(rand.NewPCG(1, 2))
	f := folder{words: true}
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		got := f.text([]byte(b.String()))
		lower := cases.Lower(language.Und)
		testkit.Equal(testkit.Stop(t), sigmasOf(string(got)), sigmasOf(lower.String(b.String())), b.String())
	}
}

// sigmasOf returns the sigmas of a text in order.
func sigmasOf(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("Σσς", r) {
			return r
		}
		return -1
	}, text)
}
