package document

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// This file guesses what number somebody meant by a text that is none.

// missingNumbers are ways to write that there is no number.
var missingNumbers = []string{"nan", "na", "n/a", "null", "none", "nil", "-", "--", "?", ".", "unknown", "missing"}

// grouped are whole numbers, perhaps with a fraction, in groups of thousands; withComma are
// numbers with a decimal comma.
var (
	grouped   = regexp.MustCompile("^[+-]?\\d{1,3}([,.'’_\u00a0\u202f ]\\d{3})+([.,]\\d+)?$")
	withComma = regexp.MustCompile(`^[+-]?\d+,\d+$`)
)

// NumberRemedy says how to write the number that a text of a target seems to be.
func NumberRemedy(text string) string {
	text = strings.TrimSpace(text)
	lower := strings.ToLower(text)
	for _, missing := range missingNumbers {
		if lower == missing {
			return "leave the field empty where there is no number"
		}
	}
	switch bare := withoutUnit(text); {
	case grouped.MatchString(text) && withComma.MatchString(text):
		return fmt.Sprintf("write %s, or %s if the comma is the decimal point", strings.Replace(text, ",", "", 1), strings.Replace(text, ",", ".", 1))
	case grouped.MatchString(text):
		return "write it without separators between thousands, and with a decimal point"
	case withComma.MatchString(text):
		return "write a decimal point: " + strings.Replace(text, ",", ".", 1)
	case strings.HasSuffix(text, "%") && isNumber(bare):
		return "write it without the percent sign: " + bare
	case bare != text && (isNumber(bare) || grouped.MatchString(bare) || withComma.MatchString(bare)):
		return "write the number alone, without its currency or unit"
	}
	return "write a decimal number such as 12.5 or 1e3, or name another field with --target"
}

// withoutUnit returns a number without the letters and signs before and behind it.
func withoutUnit(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || r == '%'
	})
}

func isNumber(text string) bool {
	_, err := AppendNumber(nil, []byte(text))
	return err == nil
}
