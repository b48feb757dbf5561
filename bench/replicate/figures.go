package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// figures are what an experiment measured, by names of several words: "main knn ttest:avg 4000 micro".
type figures map[string]float64

// set keeps a figure under the words of its name, parts that are joined by spaces.
func (f figures) set(value float64, words ...string) { f[strings.Join(words, " ")] = value }

// at returns the figure of a name.
func (f figures) at(name string) float64 {
	v, ok := f[name]
	if !ok {
		fail("no figure is named %q; measure again", name)
	}
	return v
}

// all returns the figures whose names match a pattern: in the place of a word may stand * for any, or several with |
// between them. They come in the order of their names, word by word, numbers by their value and before text.
func (f figures) all(pattern string) (found []float64) {
	words := strings.Fields(pattern)
	var names []string
	for name := range f {
		if slices.EqualFunc(words, strings.Fields(name), func(p, word string) bool {
			return p == "*" || slices.Contains(strings.Split(p, "|"), word)
		}) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		fail("no figure is named as %q; measure again", pattern)
	}
	slices.SortFunc(names, compareNames)
	for _, name := range names {
		found = append(found, f[name])
	}
	return found
}

// best is the largest figure of a pattern, or that of a name.
func (f figures) best(pattern string) float64 {
	if !strings.ContainsAny(pattern, "*|") {
		return f.at(pattern)
	}
	return slices.Max(f.all(pattern))
}

// trend is the correlation of the figures of a pattern with their order: 1 where they rise.
func (f figures) trend(pattern string) float64 { return trend(f.all(pattern)) }

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

var named = regexp.MustCompile(`\[[^]]+\]|@`)

// say puts figures into a text: those whose names stand in brackets, and the values in the places of @.
func (f figures) say(text string, values ...float64) string {
	return named.ReplaceAllStringFunc(text, func(name string) string {
		if name != "@" {
			return number(f.at(strings.Trim(name, "[]")))
		}
		v := values[0]
		values = values[1:]
		return number(v)
	})
}

// average keeps the means of the figures of several divisions, and their standard deviations as "sd ...".
func (f figures) average(all []figures) {
	for name := range all[0] {
		var values []float64
		for _, one := range all {
			if v, ok := one[name]; ok {
				values = append(values, v)
			}
		}
		f[name] = stat.Mean(values, nil)
		if len(values) > 1 {
			f["sd "+name] = stat.StdDev(values, nil)
		}
	}
}

// number writes whole numbers as they are, others with three digits.
func number(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return fmt.Sprint(v)
	}
	decimals := 0
	if v != math.Trunc(v) {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
		decimals = max(0, 2-int(math.Floor(math.Log10(math.Abs(rounded)))))
	}
	return thousands(strconv.FormatFloat(v, 'f', decimals, 64))
}

// thousands puts commas into the whole part of a number.
func thousands(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	if rest != "" {
		return digits // of few digits before the point
	}
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole
}

// apart is the largest less the smallest value.
func apart(x []float64) float64 { return slices.Max(x) - slices.Min(x) }

// minus takes the values of y from those of x.
func minus(x, y []float64) []float64 {
	return floats.SubTo(make([]float64, len(x)), x, y)
}

// trend is the correlation of values with their order: 1 where they rise.
func trend(x []float64) float64 {
	order := make([]float64, len(x))
	for i := range order {
		order[i] = float64(i)
	}
	return spearman(order, x)
}

// spearman is the correlation of the ranks; 0 where one of the sides is constant.
func spearman(x, y []float64) float64 {
	if r := stat.Correlation(ranks(x), ranks(y), nil); !math.IsNaN(r) {
		return r
	}
	return 0
}

// ranks are from 1, equal values sharing the mean of theirs.
func ranks(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		below, equal := 0, 0
		for _, w := range x {
			if w < v {
				below++
			} else if w == v {
				equal++
			}
		}
		out[i] = float64(below) + float64(equal+1)/2
	}
	return out
}
