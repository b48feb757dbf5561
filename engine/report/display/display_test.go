package display

import (
	"math"
	"strings"
	"testing"
	"time"
)

// A list's scores have the same decimals, four digits of the largest.
func TestDecimals(t *testing.T) {
	for want, scores := range map[int][]float64{
		0: {12345, 2}, 1: {-123.4, 5}, 3: {1, math.Inf(1), math.NaN()}, 5: {.0123}, 8: {1e-20},
	} {
		if got := Decimals(scores); got != want {
			t.Errorf("%v: %d decimals, want %d", scores, got, want)
		}
	}
	if got := Decimals([]float64{0, math.NaN()}); got != 0 {
		t.Errorf("%d decimals of nothing", got)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"":                       "(empty)",
		"plain äé 汉 😀":           "plain äé 汉 😀",
		"a\tb\nc\x00":            `a\tb\nc\x00`,
		"\xffé":                  `\xffé`,
		"\u202eabc\u200f":        `\u202eabc\u200f`,
		"\u2028\ufffe":           `\u2028\ufffe`,
		"نیم\u200cفاصله":         "نیم\u200cفاصله", // a joiner that Persian needs
		"'":                      "'",
		strings.Repeat("é", 120): strings.Repeat("é", 120),
		strings.Repeat("é", 121): strings.Repeat("é", 120) + "…",
	} {
		if got := Name(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		Score(math.NaN(), 2): "not a number", Score(math.Inf(-1), 2): "−∞", Score(-1.23456e-7, 8): "−0.00000012", Score(0, 0): "0", Score(-.004, 2): "0.00",
		Score(-1234567.891, 1): "−1,234,567.9", Score(1e300, 0): "1.000e+300", Score(2.5, 3): "2.500",
		F1(.5): "0.5000", F1(math.Inf(1)): "∞", WithSpread(.5, math.NaN()): "0.5000", WithSpread(.5, .25): "0.5000 ± 0.2500",
		Count(1234567): "1,234,567", Count(-1234): "−1,234", Count(math.MinInt32): "−2,147,483,648", Count(999): "999",
		Duration(0): "–", Duration(1234567): "1.23ms", Duration(90 * time.Second): "1m30s", Duration(-1234567): "-1.23ms",
		Exact(math.Inf(-1)): "-Infinity", Exact(.1): "0.1",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
