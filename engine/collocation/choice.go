package collocation

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// This file says which of what is counted is listed.

// A Choice says which n-grams, or words near a node, are listed, and of which documents. What is not listed
// counts for the others all the same.
type Choice struct {
	// MinFreq is the least frequency, in the class if it is of one; 0 is the default.
	MinFreq int
	// Class is the class whose documents are counted; "" is the whole corpus. EachClass makes a list for
	// every class.
	Class     string
	EachClass bool
	// WithoutList, one of [analysis.StopLists] or "", and Without are words that nothing listed has.
	WithoutList string
	Without     []string
	// Top is the largest number of a list; 0 gives all.
	Top int
}

// check returns a [usage.ErrUsage] for a choice that is wrong whatever the counts.
func (c *Choice) check() error {
	switch {
	case c.MinFreq < 0, c.Top < 0:
		return usage.Errorf("the least frequency and the number of collocations must not be negative: %d, %d", c.MinFreq, c.Top)
	case c.Class != "" && c.EachClass:
		return usage.Errorf("either one class or each is asked for, not %q and each", c.Class)
	}
	return nil
}

// classes returns the numbers of the classes of lists among these names, or whole.
func (c *Choice) classes(names []string) (numbers []int, err error) {
	switch {
	case c.EachClass && len(names) == 0:
		return nil, fmt.Errorf("%w: no document has a class, so there are no collocations of each", usage.ErrData)
	case c.EachClass:
		for class := range names {
			numbers = append(numbers, class)
		}
		return numbers, nil
	case c.Class == "":
		return []int{whole}, nil
	}
	class := slices.Index(names, c.Class)
	if class < 0 {
		return nil, usage.Unknown("class", c.Class, names)
	}
	return []int{class}, nil
}

// nameOf returns the name of a class by its number, "" for whole.
func nameOf(class int, names []string) string {
	if class == whole {
		return ""
	}
	return names[class]
}

// leftOut returns the words that are left out, as they are among the terms of an analysis; nil for none.
func (c *Choice) leftOut(a analysis.Options) (*analysis.StopTerms, error) {
	if c.WithoutList == "" && len(c.Without) == 0 {
		return nil, nil
	}
	return analysis.NewStopTerms(a, c.WithoutList, c.Without)
}

// first returns the first of a list, as many as are wanted.
func first[T any](list []T, top int) []T {
	if top > 0 && top < len(list) {
		return list[:top]
	}
	return list
}
