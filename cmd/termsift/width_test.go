package main

import (
	"bytes"
	"testing"
)

func TestDisplayWidth(t *testing.T) {
	for text, want := range map[string]int{
		"":                   0,
		"term":               4,
		"naïve":              5,
		"nai\u0308ve":        5, // the diaeresis combines
		"苹果":                 4,
		"ＡＢ":                 4, // full-width forms
		"ｱｲ":                 2, // half-width ones
		"한국":                 4,
		"\u1112\u1161\u11ab": 2, // the same syllable as han, in its parts
		"Привет":             6,
		"かな\u3099":           4,
		"a\u200db":           2,
		"\u202aab":           2,
		"👩":                  2,
		"\ufffd…":            2,
	} {
		if got := displayWidth(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}

// Columns of a table begin below each other whatever the script.
func TestTableOfWideCharacters(t *testing.T) {
	type row struct {
		term string
		n    int
	}
	var out bytes.Buffer
	err := newTable(&out, style{"table", false}, []column[row]{
		{key: "term", left: true, value: func(r row) any { return r.term }},
		{key: "n", value: func(r row) any { return r.n }},
	}).addAll([]row{{"苹果汁", 12}, {"e\u0301te\u0301", 3}, {"word", 100}})
	const want = "term      n\n苹果汁   12\ne\u0301te\u0301       3\nword    100\n"
	if err != nil || out.String() != want {
		t.Fatalf("%v\n%s, want\n%s", err, out.String(), want)
	}
}
