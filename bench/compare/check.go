package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// anotherStatistic is for scikit-learn's chi2, which compares summed counts
// with their expectation and leaves the documents without the term out.
func anotherStatistic(ours, theirs answer) (string, error) {
	theirValues, both := theirs.values(), 0
	for _, id := range ours.ID {
		if _, ok := theirValues[id]; ok {
			both++
		}
	}
	return fmt.Sprintf("another statistic by the same name; %d of %d selected terms are the same", both, len(ours.ID)), nil
}

// selectsAsWell compares selections up to ties: a term that is better than the
// last one by more than the tolerance must be in both, with the same value.
func selectsAsWell(tolerance float64) check {
	return func(ours, theirs answer) (string, error) {
		if len(ours.ID) != len(theirs.ID) || len(ours.ID) == 0 {
			return "", fmt.Errorf("%d terms against %d", len(theirs.ID), len(ours.ID))
		}
		worst := 0.0
		a, b := ours.values(), theirs.values()
		cut := math.Max(slices.Min(ours.Value), slices.Min(theirs.Value)) * (1 + tolerance)
		above := 0
		for _, side := range []struct{ has, other map[int32]float64 }{{a, b}, {b, a}} {
			above = 0
			for id, v := range side.has {
				if v <= cut {
					continue
				}
				above++
				o, ok := side.other[id]
				if !ok {
					return "", fmt.Errorf("term %d with value %v, above the cut at %v, is missing on one side", id, v, cut)
				}
				worst = math.Max(worst, difference(v, o))
			}
		}
		if worst > tolerance {
			return "", fmt.Errorf("values differ by %.1e of their size", worst)
		}
		return fmt.Sprintf("the same terms (%d above the value at the cut, %d tied with it); values within %.1e", above, len(ours.ID)-above, worst), nil
	}
}

// difference is relative to the larger value.
func difference(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / math.Max(math.Abs(a), math.Abs(b))
}

// sumsAgree compares the sums over the terms.
func sumsAgree(tolerance float64) check {
	return func(ours, theirs answer) (string, error) {
		if len(ours.ID) != len(theirs.ID) {
			return "", fmt.Errorf("%d terms against %d", len(theirs.ID), len(ours.ID))
		}
		a, b := sum(ours.Value), sum(theirs.Value)
		if d := difference(a, b); !(d <= tolerance) {
			return "", fmt.Errorf("the values sum up to %v against %v", b, a)
		}
		return fmt.Sprintf("the sums over %d terms are within %.1e", len(ours.ID), difference(a, b)), nil
	}
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// valuesAgree compares the values of the terms that the peer has, as far as
// both are finite: a variance of zero is handled in different ways. A value below
// 0.001 is measured by that: it is mostly rounding.
func valuesAgree(tolerance float64) check {
	return func(ours, theirs answer) (string, error) {
		a := ours.values()
		worst, compared := 0.0, 0
		for i, id := range theirs.ID {
			x, y := a[id], theirs.Value[i]
			if math.IsInf(x, 0) || math.IsNaN(x) || math.IsInf(y, 0) || math.IsNaN(y) {
				continue
			}
			compared++
			worst = math.Max(worst, math.Abs(x-y)/math.Max(1e-3, math.Max(math.Abs(x), math.Abs(y))))
		}
		if compared == 0 {
			return "", errors.New("no value can be compared")
		}
		if worst > tolerance {
			return "", fmt.Errorf("values differ by %.1e of their size", worst)
		}
		return fmt.Sprintf("%d values within %.1e, %d not finite", compared, worst, len(theirs.ID)-compared), nil
	}
}

// allAgree compares all numbers, of terms or predicted classes, and their values, which must be
// finite and within the tolerance of their size.
func allAgree(tolerance float64) check {
	return func(ours, theirs answer) (string, error) {
		if len(ours.ID) == 0 || !slices.Equal(ours.ID, theirs.ID) {
			return "", fmt.Errorf("the values are of other terms or classes: %d against %d", len(theirs.ID), len(ours.ID))
		}
		worst := 0.0
		for i, v := range ours.Value {
			d := difference(v, theirs.Value[i])
			if !(d <= tolerance) {
				return "", fmt.Errorf("term %d has the value %v against %v", ours.ID[i], theirs.Value[i], v)
			}
			worst = math.Max(worst, d)
		}
		return fmt.Sprintf("all %d values within %.1e", len(ours.ID), worst), nil
	}
}

// The elements of an answer that counts text.
const (
	countDocuments = iota
	countTerms
	countPostings
	countTokens
)

var countNames = []string{countDocuments: "documents", countTerms: "terms", countPostings: "postings", countTokens: "tokens"}

// countsAgree compares what was found in the text.
func countsAgree(tolerance float64) check {
	return func(ours, theirs answer) (string, error) {
		note := ""
		for i, name := range countNames {
			if len(ours.Value) <= i || len(theirs.Value) <= i {
				return "", fmt.Errorf("%s were not counted", name)
			}
			a, b := ours.Value[i], theirs.Value[i]
			if difference(a, b) > tolerance {
				return "", fmt.Errorf("%.0f %s against %.0f", b, name, a)
			}
			note += fmt.Sprintf(", %.0f against %.0f %s", b, a, name)
		}
		return note[2:], nil
	}
}

// linesAgree compares how many documents were read and written.
func linesAgree(ours, theirs answer) (string, error) {
	if len(ours.Value) == 0 || len(theirs.Value) == 0 || ours.Value[0] != theirs.Value[0] {
		return "", fmt.Errorf("%v lines against %v", theirs.Value, ours.Value)
	}
	return fmt.Sprintf("%.0f documents each; chi2 is another statistic, so the terms differ", ours.Value[0]), nil
}

// countsByBytes compares what C found with the counts that our side made by its rule, in plain
// code: these must be the same. It says how far they are from ours.
func countsByBytes(ours, theirs answer) (string, error) {
	n := len(countNames)
	if len(ours.Value) != 2*n || !slices.Equal(theirs.Value, ours.Value[n:]) {
		return "", fmt.Errorf("%v against %v, by bytes", theirs.Value, ours.Value[min(n, len(ours.Value)):])
	}
	note, err := countsAgree(2e-2)(answer{Value: ours.Value[:n]}, theirs)
	return note + "; bytes above 127 are letters to it, and as plain code counts by that rule", err
}
