package lab

import (
	"math"
	"strconv"
	"strings"
)

// Number writes three significant digits, or an integer from 100 on with
// commas between the thousands.
func Number(v float64) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(rounded))))
	if decimals > 0 {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	return Thousands(strconv.FormatFloat(v, 'f', 0, 64))
}

// Thousands puts commas into the digits of an integer.
func Thousands(digits string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		sign, digits = "-", rest
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// A Table is a Markdown table. The first columns are text, the others figures,
// which stand on the right.
type Table struct {
	Head    []string
	Rows    [][]string
	Text    int // number of columns of text, from the left
	Caption string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String writes the table with its caption, without a newline at the end.
func (t *Table) String() string {
	lines := []string{row(t.Head), t.rule()}
	for _, cells := range t.Rows {
		lines = append(lines, row(cells))
	}
	if t.Caption != "" {
		lines = append(lines, "", t.Caption)
	}
	return strings.Join(lines, "\n")
}

func (t *Table) rule() string {
	rule := "|"
	for i := range t.Head {
		if i < t.Text {
			rule += "---|"
		} else {
			rule += "--:|"
		}
	}
	return rule
}

func row(cells []string) string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	return "| " + strings.Join(escaped, " | ") + " |"
}
