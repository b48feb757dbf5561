package analysis

import (
	"fmt"
	"sync"
	"testing"
)

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
		a := must(t, opt)
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

// What FindPart finds is what Find finds, where FindsParts says so.
func TestFindPart(t *testing.T) {
	texts := []string{
		"the quick brown fox, the running foxes; naïve Ünï ÜNÏ 中文信息处理 a1 1a 𠮷野家 々々 runs ran",
		"a word of more than sixteen bytes: internationalization, größenwahnsinnigkeit; 中文 ＡＢＣ the quick runner runs",
		"ÜNÏ ünï internationalization INTERNATIONALIZATION quick run running ＡＢＣ abc 信息",
	}
	for n := range 3000 {
		for i := range texts {
			texts[i] += fmt.Sprintf(" w%x", n*(i+2)*7919)
		}
	}
	for _, opt := range []Options{
		{},
		{Tokens: "letters"},
		{Tokens: "unicode"},
		{Tokens: "zh-bigrams", Stop: "chinese"},
		{Stem: "porter2", Stop: "smart"},
		{NGrams: "1-2"},
		{NGrams: "1-2", Stem: "porter"},
	} {
		a, tried := must(t, opt), 0
		for added := range 4 { // to neither, to one, to both
			var counters []*Counter
			for i, text := range texts[:2] {
				c := a.NewCounter()
				if added&(1<<i) != 0 {
					for _, term := range []string{"", "Verbatim", "nul\x00", "quick", "running", "w1eef"}[i:] {
						c.Add(term)
					}
				}
				c.Count([]byte(text), nil)
				c.Count([]byte(texts[2]), nil)
				counters = append(counters, c)
			}
			for i, c := range counters {
				other := counters[1-i]
				numbers := make([]uint32, other.Len())
				for i := range numbers {
					numbers[i] = NotFound
				}
				all := c.FindsParts(other)
				if !all {
					continue
				}
				var parts sync.WaitGroup
				for part := range 7 {
					parts.Go(func() { c.FindPart(other, part, 7, numbers) })
				}
				parts.Wait()
				found := 0
				for id, name := range other.Names() {
					want, ok := c.Find(name)
					switch n := numbers[id]; {
					case n == NotFound && ok:
						t.Errorf("%+v, added %d: %q was not found", opt, added, name)
					case n != NotFound && (!ok || n != want):
						t.Errorf("%+v, added %d: %q is %d, want %d, %v", opt, added, name, n, want, ok)
					case n != NotFound:
						found++
					}
				}
				if tried++; found < 400 {
					t.Errorf("%+v, added %d: %d of %d found", opt, added, found, other.Len())
				}
			}
		}
		if want := 2; (opt.Stem == "" && opt.NGrams == "") != (tried == want) {
			t.Errorf("%+v: tables were tried %d times", opt, tried)
		}
	}
}

// A run of token bytes with a character in it that is of no word is not the name of the word.
func TestFindTakesNoRunForAWord(t *testing.T) {
	for _, o := range []Options{{}, {Tokens: "letters"}, {Tokens: "unicode"}, {Tokens: "zh-bigrams"}, {NGrams: "1-2"}} {
		c := must(t, o).NewCounter()
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
