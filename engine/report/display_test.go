package report

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
		if got := decimals(scores); got != want {
			t.Errorf("%v: %d decimals, want %d", scores, got, want)
		}
	}
	if got := decimals([]float64{0, math.NaN()}); got != 0 {
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
		if got := visible(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		formatScore(math.NaN(), 2): "not a number", formatScore(math.Inf(-1), 2): "−∞", formatScore(-1.23456e-7, 8): "−0.00000012", formatScore(0, 0): "0", formatScore(-.004, 2): "0.00",
		formatScore(-1234567.891, 1): "−1,234,567.9", formatScore(1e300, 0): "1.000e+300", formatScore(2.5, 3): "2.500",
		formatF1(.5): "0.5000", formatF1(math.Inf(1)): "∞", withSpread(.5, math.NaN()): "0.5000", withSpread(.5, .25): "0.5000 ± 0.2500",
		Count(1234567): "1,234,567", Count(-1234): "−1,234", Count(math.MinInt32): "−2,147,483,648", Count(999): "999",
		formatDuration(0): "–", formatDuration(1234567): "1.23ms", formatDuration(90 * time.Second): "1m30s", formatDuration(-1234567): "-1.23ms",
		exact(math.Inf(-1)): "-Infinity", exact(.1): "0.1",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Characters that nobody sees are spelled out: what stands in a page is what a reader sees.
func TestInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\U000e0001b": `a\U000e0001b`, "a\U000e0041": `a\U000e0041`, "a\u034fb": `a\u034fb`, "\u3164": `\u3164`, "a\u00adb": `a\u00adb`, "\u2060": `\u2060`,
		"\u202e": `\u202e`, "\u200e": `\u200e`, "\ufeff": `\ufeff`,
		"می\u200cخواهم": "می\u200cخواهم", "क\u094d\u200dष": "क\u094d\u200dष", "é": "é", "❤\ufe0f": "❤\ufe0f",
	} {
		if got := visibleText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
