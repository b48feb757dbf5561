package tables

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
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
		testkit.Equal(t, DisplayWidth(text), want, text, "takes", "columns")
	}
}
