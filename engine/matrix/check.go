package matrix

import (
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// This file checks what the caller gives, before it is used.

const (
	// mostDocuments and mostTerms are the bounds of an index.
	mostDocuments = math.MaxUint32 - 1
	mostTerms     = math.MaxUint32
)

// checkShape checks the lengths of everything. It does not look at elements.
func (t *task) checkShape() error {
	o, y := t.options, t.labels
	switch {
	case y == nil:
		return usage.Errorf("matrix: nil labels were given")
	case t.documents <= 0 || uint64(t.documents) > mostDocuments:
		return usage.Errorf("matrix: Documents is %d; it must be from 1 to %d", t.documents, uint64(mostDocuments))
	case t.terms <= 0 || uint64(t.terms) > mostTerms:
		return usage.Errorf("matrix: Terms is %d; it must be from 1 to %d", t.terms, uint64(mostTerms))
	case t.starts == 0 || t.starts-1 != t.lineCount():
		return usage.Errorf("matrix: Start has %d elements; it must have one more than there are %s, which are %d", t.starts, t.lineName()+"s", t.lineCount())
	case t.valued && t.values != t.indices:
		return usage.Errorf("matrix: Values has %d elements and Index %d; they must have as many, or Values none and be nil", t.values, t.indices)
	case uint64(t.indices) > mostElements:
		return usage.Errorf("matrix: Index has %d elements; the most are %d", t.indices, uint64(mostElements))
	case o.Terms != nil && len(o.Terms) != t.terms:
		return usage.Errorf("matrix: Options.Terms has %d names for %d terms", len(o.Terms), t.terms)
	case o.Classes != nil && len(o.Classes) != y.Classes:
		return usage.Errorf("matrix: Options.Classes has %d names for %d classes", len(o.Classes), y.Classes)
	}
	return checkNames(o.Terms)
}

// mostElements is the number of postings that an index may have.
const mostElements = 1 << 40

// checkNames checks the names of terms, but not whether they differ.
func checkNames(names []string) error {
	for column, name := range names {
		if len(name) > ingest.MaxName {
			return usage.Errorf("matrix: Options.Terms[%d] has %d bytes; the longest that is kept has %d", column, len(name), ingest.MaxName)
		}
	}
	return nil
}

// lineCount returns the number of lines.
func (t *task) lineCount() int {
	if t.byColumn {
		return t.terms
	}
	return t.documents
}

// width returns the number of elements that a line can have.
func (t *task) width() int {
	if t.byColumn {
		return t.documents
	}
	return t.terms
}

func (t *task) lineName() string {
	if t.byColumn {
		return "term"
	}
	return "document"
}

// place names the element i of a line for errors.
func (t *task) place(line, i int) string {
	document := int64(line)
	term := t.number(i)
	if t.byColumn {
		document, term = term, document
	}
	return fmt.Sprintf("matrix: element %d, document %d and term %d", i, document, term)
}

// checkLine checks the elements of a line. It returns the sum of their values, and whether
// all of them are whole numbers.
func (t *task) checkLine(line int) (sum float64, whole bool, err error) {
	last, width, ascending := int64(-1), t.width(), true
	from, to := t.bounds(line)
	for i := from; i < to; i++ {
		at := t.number(i)
		if at < 0 || at >= int64(width) {
			return 0, false, fmt.Errorf("%s: %w: the numbers of Index must be from 0 to %d", t.place(line, i), usage.ErrData, width-1)
		}
		ascending = ascending && at > last
		last = at
	}
	if !ascending {
		if err := t.checkRepeats(line); err != nil {
			return 0, false, err
		}
	}
	return t.checkValues(line)
}

// checkValues is the part of checkLine that looks at values.
func (t *task) checkValues(line int) (sum float64, whole bool, err error) {
	from, to := t.bounds(line)
	if !t.valued {
		return float64(to - from), true, nil
	}
	whole = true
	for i := from; i < to; i++ {
		v := t.value(i)
		if !isValue(v) {
			return 0, false, fmt.Errorf("%s: %w: the value %v; it must be a number from 0 to below 2^63", t.place(line, i), usage.ErrData, t.given(i))
		}
		sum += v
		whole = whole && v == math.Trunc(v) && v <= math.MaxUint32
	}
	return sum, whole, nil
}

// checkRepeats returns an error if an element stands twice in a line that is not in order.
func (t *task) checkRepeats(line int) error {
	from, to := t.bounds(line)
	numbers := make([]uint64, 0, to-from) // they have been found to be above 0
	for i := from; i < to; i++ {
		numbers = append(numbers, uint64(t.number(i)))
	}
	sorted := slices.Sorted(slices.Values(numbers))
	for k := 1; k < len(sorted); k++ {
		if sorted[k] != sorted[k-1] {
			continue
		}
		first := slices.Index(numbers, sorted[k])
		second := first + 1 + slices.Index(numbers[first+1:], sorted[k])
		return fmt.Errorf("%s: %w: it stands there twice, first as element %d; add the two up, as sum_duplicates does in scipy",
			t.place(line, from+second), usage.ErrData, from+first)
	}
	return nil
}
