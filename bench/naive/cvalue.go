package naive

import (
	"math"
	"sort"
	"strings"
)

// CValueCounts are what the C-value of a candidate is made of, and its values.
type CValueCounts struct {
	F, Longer, Nested          float64
	CValue, Literal, PlusWords float64
}

// CValues are those of candidates with these frequencies, by Frantzi's algorithm, by the formula as it is displayed,
// and by the algorithm with 1 added to the logarithm of the length.
func CValues(frequency map[string]float64) map[string]CValueCounts {
	var longest []string
	for a := range frequency {
		longest = append(longest, a)
	}
	words := func(a string) int { return len(strings.Split(a, " ")) }
	sort.Slice(longest, func(i, j int) bool { return words(longest[i]) > words(longest[j]) })
	values := map[string]CValueCounts{}
	for _, a := range longest {
		c, all := CValueCounts{F: frequency[a]}, 0.
		for b, longer := range values {
			if words(b) > words(a) && strings.Contains(" "+b+" ", " "+a+" ") {
				c.Longer++
				c.Nested += longer.F - longer.Nested
				all += longer.F
			}
		}
		own, literal := c.F, c.F
		if c.Longer > 0 {
			own, literal = c.F-c.Nested/c.Longer, c.F-all/c.Longer
		}
		length := math.Log2(float64(words(a)))
		c.CValue, c.Literal, c.PlusWords = length*own, length*literal, (1+length)*own
		values[a] = c
	}
	return values
}
