package usage

import (
	"iter"
	"sort"
	"strings"
)

// mostNear is the number of names that an error suggests at most.
const mostNear = 3

// Nearest returns up to three known names, the most similar first, whose edit distance
// from name is at most a third of its length in bytes, and at least 1.
func Nearest(name string, known iter.Seq[string]) []string {
	if known == nil {
		return nil
	}
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
	sort.SliceStable(found, func(i, j int) bool { return found[i].distance < found[j].distance }) // few: smaller code than SortStableFunc
	var names []string
	for _, c := range found[:min(mostNear, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// editDistance returns the number of bytes to insert, delete, replace or exchange with the
// next that make a of b, or limit+1 if it is above limit. Bytes that were exchanged are not
// edited again (optimal string alignment).
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	// The distances of the beginnings of a, of the lengths i-2, i-1 and i, to those of b.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				row[j] = min(row[j], last[j-1])
			} else {
				row[j] = min(row[j], last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
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
