package evidence

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file has the text around an occurrence, and the order of lines by it.

// lineOf returns the line of what stands in a text from one place to another, with so many characters on either
// side.
func lineOf(text []byte, from, to, width int) Line {
	const spaces = 4 // characters that become one, on average, at most
	wide := spaces * min(width, math.MaxInt/spaces)
	left, right := lastRunes(text[:from], wide), firstRunes(text[to:], wide)
	return Line{
		Match: oneSpaced(text[from:to]),
		Left:  strings.TrimLeft(string(lastRunes([]byte(oneSpaced(left)), width)), " "),
		Right: strings.TrimRight(string(firstRunes([]byte(oneSpaced(right)), width)), " "),
	}
}

// oneSpaced returns a valid text in which all white space is single spaces.
func oneSpaced(text []byte) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "\ufffd")), " ")
	if first, _ := utf8.DecodeRune(text); first == ' ' || first == '\n' || first == '\t' || first == '\r' {
		s = " " + s
	}
	if last, _ := utf8.DecodeLastRune(text); s != " " && (last == ' ' || last == '\n' || last == '\t' || last == '\r') {
		s += " "
	}
	return s
}

// firstRunes returns the first n characters of a text.
func firstRunes(text []byte, n int) []byte {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return text[:at]
}

// lastRunes returns the last n characters of a text.
func lastRunes(text []byte, n int) []byte {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	return text[at:]
}

// sortLines puts lines that are as they were read in an order; equal ones stay so.
func sortLines(lines []Line, o Order) {
	if o == ByDocument {
		return
	}
	type keyed struct {
		line Line
		key  []string
	}
	all := make([]keyed, len(lines))
	for i, l := range lines {
		if o == ByLeft {
			all[i] = keyed{l, wordsOf(l.Left)}
			slices.Reverse(all[i].key)
		} else {
			all[i] = keyed{l, wordsOf(l.Right)}
		}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return slices.Compare(a.key, b.key) })
	for i := range all {
		lines[i] = all[i].line
	}
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
