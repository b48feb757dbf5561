package analysis

import (
	"slices"
	"strings"
	"testing"
)

// This file fixes by name what becomes of the odd texts that the field's
// collections have. Other tests reach the same by all short texts and by chance.

func TestOddTexts(t *testing.T) {
	const encoded = "M3W)I=&4@=&AE('-A;64@=&AI;F<@86=A:6X@86YD(&%G86EN('5N=&EL(#$R"
	for name, c := range map[string]struct {
		tokens, text, want string
	}{
		"astral, alone":           {"zh-bigrams", "𠀀", ""},
		"astral, a pair":          {"zh-bigrams", "𠀀𠀁", "𠀀𠀁"},
		"astral, in a run":        {"zh-bigrams", "中𠀀文", "中𠀀 𠀀文"},
		"astral, cut":             {"zh-bigrams", "中文\xf0\xa0\x80", "中文"},
		"astral, no letter":       {"zh-bigrams", "中😀文", ""},
		"private use":             {"zh-bigrams", "中文\ue000文中", "中文 文中"},
		"private use, beyond":     {"zh-bigrams", "中文\U000f0000文中", "中文 文中"},
		"full-width forms":        {"zh-bigrams", "ＡＢｃ１２", "abc12"},
		"full-width punctuation":  {"zh-bigrams", "中文，文中", "中文 文中"},
		"full-width space":        {"zh-bigrams", "中文　文中", "中文 文中"},
		"what was malformed":      {"zh-bigrams", "中文\ufffd文中", "中文 文中"},
		"a malformed byte":        {"zh-bigrams", "中文\xff文中", "中文 文中"},
		"NUL":                     {"zh-bigrams", "中\x00文中", "文中"},
		"a mark of byte order":    {"zh-bigrams", "\ufeff中文", "中文"},
		"one character":           {"zh-bigrams", "中", ""},
		"full-width words":        {"words", "ＡＢｃ", "ａｂｃ"},
		"Latin-1 as it came":      {"words", "caf\xe9 cr\xe8me", "caf cr me"},
		"a mark between words":    {"words", "one\ufefftwo", "one two"},
		"control characters":      {"words", "one\x00two\x08three\x1bfour\x7ffive", "one two three four five"},
		"a word that is too long": {"words", "one " + strings.Repeat("x", 257) + " two", "one two"},
		"the longest word":        {"words", strings.Repeat("x", 256), strings.Repeat("x", 256)},
		"uuencoded":               {"words", encoded, "m3w ae 64 ai 86 6x 86yd g86en 5n el"},
		"signs alone":             {"unicode", "—…！", ""},
		"nothing":                 {"unicode", "", ""},
	} {
		got := must(Options{Tokens: c.tokens}).Terms([]byte(c.text))
		if joined := strings.Join(got, " "); joined != c.want {
			t.Errorf("%s: %q, want %q", name, joined, c.want)
		}
	}
}

// A post may have no header, nothing but one, or no text at all.
func TestOddHeaders(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no blank line": {"From: me\nSubject: it\nLines: 1\nthe text", "from me subject it lines the text"},
		"header only":   {"From: me\nSubject: it\n", ""},
		"no header":     {"the text\n\nmore", "the text more"},
		"Latin-1":       {"From: Andr\xe9\n\ncaf\xe9", "caf"},
		"empty":         {"", ""},
	} {
		got := must(Options{Headers: "none"}).Terms([]byte(c.text))
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
