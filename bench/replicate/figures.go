package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// Figures are what was measured, by names of several words: "main knn ttest:avg 4000
// micro".
type Figures map[string]Figure

// A Figure is a value with what it measures.
type Figure struct {
	Value float64
	Basis Basis
}

// set keeps a figure under the words of its name, parts that are joined by spaces.
func (f Figures) set(b Basis, value float64, words ...string) {
	f[strings.Join(words, " ")] = Figure{value, b}
}

// match gives the figures whose names match a pattern: in the place of a word may stand
// * for any, or several with | between them. They come in the order of their names, word
// by word, numbers by their value and before text.
func (f Figures) match(pattern string) (found []Figure) {
	names := f.named(pattern)
	if len(names) == 0 {
		panic(lab.Errorf("no figure is named [%s]; measure again", pattern))
	}
	for _, name := range names {
		found = append(found, f[name])
	}
	return found
}

// named gives the names that match a pattern, in order.
func (f Figures) named(pattern string) (names []string) {
	words := strings.Fields(pattern)
	for name := range f {
		if matches(words, strings.Fields(name)) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareNames)
	return names
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

// sameBasis is how figures of one basis stand in JSON.
type sameBasis struct {
	Basis
	Values map[string]float64 `json:"values"`
}

// MarshalJSON lists the bases, each with its figures.
func (f Figures) MarshalJSON() ([]byte, error) {
	by := map[Basis]map[string]float64{}
	for name, figure := range f {
		if by[figure.Basis] == nil {
			by[figure.Basis] = map[string]float64{}
		}
		by[figure.Basis][name] = figure.Value
	}
	lists := make([]sameBasis, 0, len(by))
	for _, b := range slices.SortedFunc(maps.Keys(by), compareBases) {
		lists = append(lists, sameBasis{b, by[b]})
	}
	return json.Marshal(lists)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Figures) UnmarshalJSON(data []byte) error {
	var lists []sameBasis
	if err := json.Unmarshal(data, &lists); err != nil {
		return fmt.Errorf("figures: %w; measure again", err)
	}
	*f = Figures{}
	for _, list := range lists {
		for name, v := range list.Values {
			(*f)[name] = Figure{v, list.Basis}
		}
	}
	return nil
}
