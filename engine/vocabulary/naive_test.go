package vocabulary_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/termsift/termsift/engine/vocabulary"
)

// This file has scikit-learn's rules once more, by maps of strings and as plain as can be.

// A rules is what the reference knows of options: n-grams of words, or of characters.
type rules struct {
	characters  bool
	least, most int
	stop        []string
	options     vocabulary.Options
}

// terms returns the terms of a text in order, repeated ones too.
func (r rules) terms(text string) (terms []string) {
	text = strings.ToLower(text)
	stop := map[string]bool{}
	for _, word := range r.stop {
		stop[word] = true
	}
	var units []string
	join := " "
	if r.characters {
		join = ""
		for _, c := range squeezed(text) {
			units = append(units, string(c))
		}
	} else {
		for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) && c != '_' }) {
			if len([]rune(word)) > 1 && !stop[word] {
				units = append(units, word)
			}
		}
	}
	for n := r.least; n <= r.most; n++ {
		for i := 0; i+n <= len(units); i++ {
			terms = append(terms, strings.Join(units[i:i+n], join))
		}
	}
	return terms
}

// squeezed replaces runs of two or more spaces by one.
func squeezed(text string) string {
	for strings.Contains(text, "  ") {
		text = strings.ReplaceAll(text, "  ", " ")
	}
	return text
}

// An element is a column with its value.
type element struct {
	column int
	value  int64
}

// A bag is a matrix with its terms in the order of their numbers.
type bag struct {
	terms []vocabulary.Term
	rows  [][]element
	left  int
}

// fit is what Fit must give.
func (r rules) fit(texts []string) (b bag) {
	numbers := map[string]int{}
	var names []string
	var uses [][2]int64
	var rows []map[int]int64 // by number
	for _, text := range texts {
		row := map[int]int64{}
		for _, term := range r.terms(text) {
			n, ok := numbers[term]
			if !ok {
				n = len(names)
				numbers[term] = n
				names, uses = append(names, term), append(uses, [2]int64{})
			}
			if row[n]++; r.options.Binary {
				row[n] = 1
			}
		}
		for n, count := range row {
			uses[n][0]++
			uses[n][1] += count
		}
		rows = append(rows, row)
	}
	columns := r.columns(names, uses)
	b.left = len(names) - len(columns)
	for n, name := range names {
		if c, ok := columns[n]; ok {
			b.terms = append(b.terms, vocabulary.Term{Name: name, Column: c, Documents: uses[n][0], Occurrences: uses[n][1]})
		}
	}
	for _, row := range rows {
		var elements []element
		for _, n := range slices.Sorted(maps.Keys(row)) { // in the order of first occurrence
			if c, ok := columns[n]; ok {
				elements = append(elements, element{c, row[n]})
			}
		}
		b.rows = append(b.rows, elements)
	}
	return b
}

// columns returns the columns of the numbers that the bounds keep.
func (r rules) columns(names []string, uses [][2]int64) map[int]int {
	var kept []int
	for n := range names {
		if df := uses[n][0]; df >= int64(r.options.MinDF) && (r.options.MaxDF == 0 || df <= int64(r.options.MaxDF)) {
			kept = append(kept, n)
		}
	}
	byName := func(a, b int) int { return cmp.Compare(names[a], names[b]) }
	if most := r.options.MaxFeatures; most > 0 && len(kept) > most {
		slices.SortFunc(kept, func(a, b int) int { return cmp.Or(cmp.Compare(uses[b][1], uses[a][1]), byName(a, b)) })
		kept = kept[:most]
	}
	slices.SortFunc(kept, byName)
	columns := map[int]int{}
	for c, n := range kept {
		columns[n] = c
	}
	return columns
}

// transform is what Transform must give for terms by their columns.
func (r rules) transform(columns map[string]int, texts []string) (rows [][]element) {
	for _, text := range texts {
		counts := map[int]int64{}
		for _, term := range r.terms(text) {
			if c, ok := columns[term]; ok {
				if counts[c]++; r.options.Binary {
					counts[c] = 1
				}
			}
		}
		rows = append(rows, ascending(counts))
	}
	return rows
}

// ascending returns the elements of a row by their columns.
func ascending(counts map[int]int64) (row []element) {
	for c, v := range counts {
		row = append(row, element{c, v})
	}
	slices.SortFunc(row, func(a, b element) int { return cmp.Compare(a.column, b.column) })
	return row
}
