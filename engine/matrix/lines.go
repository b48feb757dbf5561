package matrix

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file has all that depends on the types of a matrix, which there are ten pairs of. What
// looks at numbers of documents and terms alone is compiled for two types of these, the loops
// over values for all pairs. All else sees a matrix through [lines] and [elements], and is
// compiled once.

// lines are the numbers of a matrix by line.
type lines interface {
	// checkStart checks that the lines lie in an Index of so many elements, one behind the
	// other.
	checkStart(elements int) error
	// bounds returns the range of the elements of a line.
	bounds(line int) (from, to int)
	// number returns the number of an element in its line.
	number(i int) int64
	// appendSpans appends the ranges of lines.
	appendSpans(dst []span, lines []uint32) []span
	// prefetch has elements of a line on their way while the ones before it are counted:
	// the documents of a class lie in no order.
	prefetch(line span)
	// read sets numbers to those of a line, which are to be below width. ok says whether they are, and
	// ascending whether they are in order.
	read(numbers []uint32, line span, width int) (ok, ascending bool)
	// addDocument adds a document whose elements are not 0 to a counter, see addDocument in planes.go.
	addDocument(c *docCounter, line span) (ok bool)
	// renumber puts the places of the numbers among those given in place of them.
	renumber(numbers []uint64)
}

// elements are the values of a matrix.
type elements interface {
	// value returns the value of an element, and given as the caller has given it.
	value(i int) float64
	given(i int) any
	// prefetchValues is prefetch for the values.
	prefetchValues(line span)
	// addRow adds a row to a counter, see [table.AddRow].
	addRow(c *table.Counter, line span) (ok, ascending bool)
	// arePresent reports whether the values of some elements are above 0, and mostWeight at most.
	arePresent(from, to int) bool
}

// numbers are the lines of a matrix.
type numbers[I Index] struct{ start, index []I }

// valued are the elements of a matrix with their values, nil if all are 1. The numbers are no
// embedded field, for then each pair of types would have their methods, too.
type valued[I Index, V Value] struct {
	numbers *numbers[I]
	values  []V
}

func (n *numbers[I]) checkStart(elements int) error {
	last := I(0)
	for i, at := range n.start {
		if at < last {
			return fmt.Errorf("matrix: Start[%d] is %d, below %d: %w: it must ascend from 0 or more", i, at, last, usage.ErrData)
		}
		last = at
	}
	if uint64(last) > uint64(elements) {
		return fmt.Errorf("matrix: Start[%d] is %d: %w: Index has %d elements", len(n.start)-1, last, usage.ErrData, elements)
	}
	return nil
}

func (n *numbers[I]) bounds(line int) (from, to int) {
	return int(n.start[line]), int(n.start[line+1])
}

func (n *numbers[I]) number(i int) int64 { return int64(n.index[i]) }

// A span is the range of the elements of a line.
type span struct{ from, to int }

func (n *numbers[I]) appendSpans(dst []span, lines []uint32) []span {
	dst = slices.Grow(dst, len(lines))
	for _, line := range lines {
		dst = append(dst, span{int(n.start[line]), int(n.start[line+1])})
	}
	return dst
}

func (n *numbers[I]) prefetch(line span) { kernels.Prefetch(n.index[line.from:line.to]) }

func (n *numbers[I]) read(numbers []uint32, line span, width int) (ok, ascending bool) {
	index, last, disorder := n.index[line.from:line.to], I(-1), I(0)
	numbers = numbers[:len(index)]
	for i, at := range index {
		if uint64(at) >= uint64(width) {
			return false, false
		}
		disorder |= at - last - 1
		last = at
		numbers[i] = uint32(at)
	}
	return true, disorder >= 0
}

func (n *numbers[I]) addDocument(c *docCounter, line span) (ok bool) {
	return addDocument(c, n.index[line.from:line.to])
}

func (n *numbers[I]) renumber(given []uint64) {
	index := make([]I, len(n.index)) // that of the caller stays as it is
	for i := n.start[0]; i < n.start[len(n.start)-1]; i++ {
		at, _ := slices.BinarySearch(given, uint64(n.index[i]))
		index[i] = I(at)
	}
	n.index = index
}

func (e *valued[I, V]) value(i int) float64 {
	if e.values == nil {
		return 1
	}
	return float64(e.values[i])
}

func (e *valued[I, V]) given(i int) any { return e.values[i] }

func (e *valued[I, V]) prefetchValues(line span) { kernels.Prefetch(e.values[line.from:line.to]) }

func (e *valued[I, V]) arePresent(from, to int) bool { return arePresent(e.values[from:to]) }

func (e *valued[I, V]) addRow(c *table.Counter, line span) (ok, ascending bool) {
	var values []V
	if e.values != nil {
		values = e.values[line.from:line.to]
	}
	return table.AddRow(c, e.numbers.index[line.from:line.to], values)
}
