package papers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Figures are what was measured, by names of several words: "main knn ttest:avg 4000
// micro". Shares are in percent, times in seconds unless the name says otherwise.
type Figures map[string]float64

// set keeps a figure under the words of its name, parts that are joined by spaces.
func (f Figures) set(value float64, words ...string) { f[strings.Join(words, " ")] = value }

// match gives the figures whose names match a pattern: in the place of a word may stand
// * for any, or several with | between them. They come in the order of their names, word
// by word, numbers by their value and before text.
func (f Figures) match(pattern string) (values []float64, err error) {
	words := strings.Fields(pattern)
	var names []string
	for name := range maps.Keys(f) {
		if matches(words, strings.Fields(name)) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no figure is named [%s]; measure again", pattern)
	}
	slices.SortFunc(names, compareNames)
	for _, name := range names {
		values = append(values, f[name])
	}
	return values, nil
}

// Names lists the figures in order.
func (f Figures) Names() []string {
	return slices.SortedFunc(maps.Keys(f), compareNames)
}

func matches(pattern, name []string) bool {
	return slices.EqualFunc(pattern, name, func(p, word string) bool {
		return p == "*" || p == word || strings.Contains(p, "|") && slices.Contains(strings.Split(p, "|"), word)
	})
}

func compareNames(a, b string) int {
	return slices.CompareFunc(strings.Fields(a), strings.Fields(b), func(v, w string) int {
		x, errX := strconv.ParseFloat(v, 64)
		y, errY := strconv.ParseFloat(w, 64)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return cmp.Compare(v, w)
	})
}
