package analysis

import "testing"

// Whatever the options, a counter finds all its terms, and nothing else.
func TestFind(t *testing.T) {
	texts := []string{
		"The quick brown fox, the running foxes; naïve Ünï 中文信息处理 a1 1a 𠮷野家 々々 x" + string(make([]byte, 3)) + "y",
		"a word of more than sixteen bytes: internationalization, größenwahnsinnigkeit; 中 ＡＢＣ１２３ the quick",
	}
	for _, opt := range []Options{
		{},
		{Tokens: "letters"},
		{Tokens: "unicode"},
		{Tokens: "zh-bigrams"},
		{Stem: "porter2", Stop: "smart"},
		{NGrams: "1-2"},
		{NGrams: "2-3"},
		{NGrams: "1-3", Stem: "porter"},
		{Tokens: "zh-bigrams", Stop: "chinese"},
	} {
		a := must(opt)
		for _, added := range []bool{false, true} {
			c := a.NewCounter()
			for i, text := range texts {
				c.Count([]byte(text), nil)
				if added && i == 0 {
					for _, term := range []string{"", "Verbatim", "a b", "nul\x00", "中文", "quick"} {
						c.Add(term)
					}
				}
			}
			for id, name := range c.Names() {
				if found, ok := c.Find(name); !ok || found != uint32(id) {
					t.Errorf("%+v, added %v: %q is %d, %v; want %d", opt, added, name, found, ok, id)
				}
			}
			for _, other := range []string{"qui", "Quick", "the  quick", " ", "brown quick", "文中", "a\x00", "Ａ"} {
				if id, ok := c.Find(other); ok && string(c.Term(id)) != other {
					t.Errorf("%+v: %q was found", opt, other)
				}
			}
		}
	}
}

// A run of token bytes with a character in it that is of no word is not the name of the word.
func TestFindTakesNoRunForAWord(t *testing.T) {
	for _, o := range []Options{{}, {Tokens: "letters"}, {Tokens: "unicode"}, {Tokens: "zh-bigrams"}, {NGrams: "1-2"}} {
		c := must(o).NewCounter()
		c.Count([]byte("\u202eabc ÉTÉ \u00abxyz\u00bb a\u0301bcd"), nil)
		for _, run := range []string{"\u202eabc", "ÉtÉ", "ÉTÉ", "\u00abxyz\u00bb"} {
			if id, ok := c.Find(run); ok && string(c.Term(id)) != run {
				t.Errorf("%+v: %q is found as %q", o, run, c.Term(id))
			}
		}
		if id, ok := c.Find("été"); !ok || string(c.Term(id)) != "été" {
			t.Errorf("%+v: été is not found", o)
		}
	}
}
