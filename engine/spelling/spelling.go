// Package spelling finds what a mistyped name was meant to be, for messages.
package spelling

import (
	"iter"
	"slices"
	"strings"
)

// Nearest gives up to three known names within an edit distance of a third of
// the name's length, at least 1, the most similar first.
func Nearest(name string, known iter.Seq[string]) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := max(1, len(name)/3)
	var found []candidate
	for k := range known {
		if d := editDistance(name, k, limit); d <= limit {
			found = append(found, candidate{strings.Clone(k), d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// editDistance is Levenshtein's, in bytes; anything above limit is limit+1.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit+1)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
