package display

import "testing"

// Characters that nobody sees are spelled out: what stands in a page is what a reader sees.
func TestInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\U000e0001b": `a\U000e0001b`, "a\U000e0041": `a\U000e0041`, "a\u034fb": `a\u034fb`, "\u3164": `\u3164`, "a\u00adb": `a\u00adb`, "\u2060": `\u2060`,
		"\u202e": `\u202e`, "\u200e": `\u200e`, "\ufeff": `\ufeff`,
		"می\u200cخواهم": "می\u200cخواهم", "क\u094d\u200dष": "क\u094d\u200dष", "é": "é", "❤\ufe0f": "❤\ufe0f",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
