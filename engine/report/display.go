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

// maxNameRunes is the number of characters after which a name is cut; longer ones make
// tables hard to read.
const maxNameRunes = 120

// visible returns a name in which every character can be seen and is valid in XML.
func visible(name string) string {
	if name == "" {
		return "(empty)"
	}
	return visibleRunes(name, maxNameRunes)
}

// visibleText is visible for texts, which may be long or empty.
func visibleText(text string) string { return visibleRunes(text, math.MaxInt) }

// visibleRunes returns the first runes of a text so that every one can be seen.
func visibleRunes(name string, most int) string {
	if len(name) <= most && utf8.ValidString(name) && !strings.ContainsFunc(name, isInvisible) {
		return name
	}
	var b strings.Builder
	shown := 0
	for i, r := range name {
		if shown == most {
			b.WriteString("…")
			break
		}
		shown++
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case isInvisible(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isInvisible reports whether a character cannot be seen, changes the characters around
// it, or is invalid in XML.
func isInvisible(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r == '\u200c' || r == '\u200d': // join and part letters, of Persian and of Hindi
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point) || r&0xfffe == 0xfffe
}

// textWidth estimates the width of a text in pixels, in the size of letters of the charts.
func textWidth(text string) (w float64) {
	for _, r := range text {
		w += letterWidth(r)
	}
	return w
}

// letterWidth estimates the width of a letter in pixels.
func letterWidth(r rune) float64 {
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

// fit returns a name cut to a width in pixels.
func fit(name string, most float64) string {
	if textWidth(name) <= most {
		return name
	}
	w := letterWidth('…')
	for i, r := range name {
		if w += letterWidth(r); w > most {
			return strings.TrimRight(name[:i], " ") + "…"
		}
	}
	return name
}

// px is a place or a length in a chart. It is shown to a tenth of a pixel, which is finer
// than can be seen, and far coarser than logarithms differ between machines.
type px float64

func (v px) String() string {
	s := strconv.FormatFloat(float64(v), 'f', 1, 64)
	if s = strings.TrimSuffix(s, ".0"); s == "-0" {
		return "0"
	}
	return s
}

// isF1 reports whether a value can be an F1.
func isF1(v float64) bool { return v >= 0 && v <= 1 }

// formatF1 formats an F1 with four decimals.
func formatF1(v float64) string { return formatScore(v, 4) }

// withSpread formats an F1 and its standard deviation, if it has one.
func withSpread(v, spread float64) string {
	if !isF1(v) || !(spread > 0) || math.IsInf(spread, 0) {
		return formatF1(v)
	}
	return formatF1(v) + " ± " + formatF1(spread)
}

// decimals returns the number of decimals with which all scores of a list are shown:
// four digits of the largest one, and at most eight decimals.
func decimals(scores []float64) int {
	largest := 0.0
	for _, v := range scores {
		if v = math.Abs(v); v > largest && !math.IsInf(v, 0) {
			largest = v
		}
	}
	if largest == 0 {
		return 0
	}
	return max(0, min(8, 3-int(math.Floor(math.Log10(largest)))))
}

// formatScore formats a score with so many decimals, and commas between thousands.
func formatScore(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return "not a number"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case math.Abs(v) >= 1e15:
		return strings.ReplaceAll(strconv.FormatFloat(v, 'e', 3, 64), "-", "−")
	}
	digits := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, _, _ := strings.Cut(digits, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if v < 0 && strings.Trim(digits, "0,.") != "" {
		return "−" + digits
	}
	return digits
}

// exact formats a value for the script of the page, which sorts by it.
func exact(v float64) string {
	if math.IsInf(v, 0) {
		return map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Count formats a whole number with commas.
func Count(n int) string { return formatScore(float64(n), 0) }

// formatDuration formats a time with about three digits; 0 is unknown.
func formatDuration(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	unit := time.Duration(1)
	for d/unit >= 1000 || d/unit <= -1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
