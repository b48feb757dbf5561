package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/matrix"
)

// matrixLabels returns the labels of a matrix, and names of its classes whose order by bytes is
// that of the numbers: measures that add up over the classes do so in the order of the names, which for
// the caller's classes is that of their numbers. Named by their numbers alone, "10" would come before "2",
// and the values of eleven classes or more would differ from the command's in the last bits.
//
// Names and numbers take memory for the labels that there are, however large the number of
// classes is said to be.
func (l *labels) matrixLabels() (y *matrix.Labels, names []string) {
	y = &matrix.Labels{Classes: l.classes, Of: l.of, Start: l.start}
	if l.classes <= 10 {
		return y, nil
	}
	if l.classes > len(l.of)+10 {
		y.Classes, y.Of = renumbered(l.of)
	}
	width := len(strconv.Itoa(y.Classes))
	names = make([]string, y.Classes)
	for class := range names {
		names[class] = fmt.Sprintf("%0*d", width, class)
	}
	return y, names
}

// renumbered returns labels of the classes that occur, numbered from 0 in their order, and how
// many these are, at least 1. -1 stays.
func renumbered(of []int32) (classes int, to []int32) {
	present := make([]uint32, 0, len(of))
	for _, class := range of {
		if class >= 0 {
			present = append(present, uint32(class))
		}
	}
	slices.Sort(present)
	present = slices.Compact(present)
	to = make([]int32, len(of))
	for i, class := range of {
		if to[i] = -1; class >= 0 {
			place, _ := slices.BinarySearch(present, uint32(class))
			to[i] = int32(place)
		}
	}
	return max(len(present), 1), to
}
