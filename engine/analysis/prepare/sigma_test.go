package prepare

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Capital sigmas become what Unicode's lower-casing makes of them. The oracle is x/text, which has
// the rule from SpecialCasing.txt. A letter such as ʰ, which has case and may be ignored, is left
// out: Python's lower, which is followed here, ignores it, and x/text does not.
func TestSigmas(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"ΟΔΟΣ":      "ΟΔΟς",
		"ΟΔΟΣ.":     "ΟΔΟς.",
		"ΟΔΟΣ.Α":    "ΟΔΟσ.Α",
		"ΟΔΟΣ Α":    "ΟΔΟς Α",
		"Σ":         "σ",
		"ΣΣ":        "σς",
		"Α.Σ":       "Α.ς",
		"aΣ1":       "aς1",
		"1Σ":        "1σ",
		"Α\u0301Σ":  "Α\u0301ς",
		"ΑΣ\u0301Α": "ΑσΑ"[:4] + "\u0301Α",
		"ΑΣ\xffΑ":   "Ας\xffΑ",
		"Α\xffΣ":    "Α\xffσ",
		"中ΑΣ中":      "中Ας中",
		"\xce":      "\xce",
	} {
		if got, _ := sigmas([]byte(text), nil); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	pieces := []string{"Σ", "Σ", "σ", "ς", "Α", "a", "A", "1", " ", ".", "'", ":", "-", "_", "\u00b7", "\u0301", "\u00ad", "\u2019", "中", "ⅷ", "Ⓐ", "^", "`", "\u200d", "ª"}
	r := rand.New(rand.NewPCG(1, 2))
	var buffer []byte
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		var got []byte
		got, buffer = sigmas([]byte(b.String()), buffer)
		lower := cases.Lower(language.Und)
		if got, want := sigmasOf(string(got)), sigmasOf(lower.String(b.String())); got != want {
			t.Fatalf("%q: %s, want %s", b.String(), got, want)
		}
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
