package tables

import "strings"

// A Spreadsheet says how CSV is written for programs that calculate, and tells what they would
// not take as it is.
type Spreadsheet struct {
	// Mark writes the mark of UTF-8 first, without which Excel takes another charset.
	Mark bool
	// Escape puts an apostrophe before texts that such programs take for formulas.
	Escape bool
	// Formulas is the number of such texts, escaped or not.
	Formulas int
}

// plain is Plain, as the spreadsheet has it.
func (t *Table[T]) plain(v any) string {
	text := Plain(v)
	if _, isText := v.(string); !isText || t.Format != "csv" || t.Spreadsheet == nil || !isFormula(text) {
		return text
	}
	t.Spreadsheet.Formulas++
	if t.Spreadsheet.Escape {
		return "'" + text
	}
	return text
}

// isFormula reports whether programs that calculate take a text for a formula.
func isFormula(s string) bool { return s != "" && strings.Contains("=+-@\t\r", s[:1]) }
