package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// This file writes names and numbers as a reader sees them.

// longest is the number of characters after which a name is cut: a table with longer
// ones is hard to read.
const longest = 120

// visible gives a name in which every character can be seen and XML allows it.
func visible(name string) string {
	if name == "" {
		return "(empty)"
	}
	var b strings.Builder
	for shown := 0; name != ""; shown++ {
		if shown == longest {
			b.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(name)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[0])
		case unseen(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
		name = name[size:]
	}
	return b.String()
}

// unseen says whether a character changes what stands around it, or is none in XML.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r&0xfffe == 0xfffe
}

// width estimates the width of a text in pixels at the charts' size of letters.
func width(text string) (w float64) {
	for _, r := range text {
		w += letter(r)
	}
	return w
}

func letter(r rune) float64 {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100: // Hangul, Han, kana and signs
		return 13
	case strings.ContainsRune("mwMW@%—", r):
		return 11
	default:
		return 7.3
	}
}

// fit cuts a name to a width in pixels.
func fit(name string, most float64) string {
	if width(name) <= most {
		return name
	}
	w := letter('…')
	for i, r := range name {
		if w += letter(r); w > most {
			return strings.TrimRight(name[:i], " ") + "…"
		}
	}
	return name
}

// px writes a place in a chart. A tenth of a pixel is more than can be seen, and far
// above what logarithms may differ by between machines.
func px(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	if s = strings.TrimSuffix(s, ".0"); s == "-0" {
		return "0"
	}
	return s
}

// share writes an F1.
func share(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return number(v)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// withSpread writes an F1 and its standard deviation, if it has one.
func withSpread(v, spread float64) string {
	if !drawable(v) || !(spread > 0) || math.IsInf(spread, 0) {
		return share(v)
	}
	return share(v) + " ± " + share(spread)
}

// number writes a score with four digits.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "not a number"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 4, 64), "-", "−")
}

// exact writes a value for the script, which sorts by it.
func exact(v float64) string {
	if math.IsInf(v, 0) {
		return map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// count writes a whole number with commas.
func count(n int) string {
	s := strconv.Itoa(n)
	digits := strings.TrimPrefix(s, "-")
	sign := strings.TrimSuffix(s, digits)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return strings.Replace(sign, "-", "−", 1) + digits
}

// took writes a time with about three digits.
func took(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	unit := time.Duration(1)
	for d/unit >= 1000 || d/unit <= -1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
