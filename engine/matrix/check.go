package matrix

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// This file checks what the caller gives, before it is used.

const (
	// mostDocuments and mostTerms are the bounds of an index.
	mostDocuments = math.MaxUint32 - 1
	mostTerms     = math.MaxUint32
)

// checkShape checks the lengths of everything, and Start. It does not look at elements.
func (m *Matrix[I, V]) checkShape(y *Labels, o *Options) error {
	switch {
	case m == nil:
		return usage.Errorf("matrix: a nil matrix was given")
	case y == nil:
		return usage.Errorf("matrix: nil labels were given")
	case m.Documents <= 0 || uint64(m.Documents) > mostDocuments:
		return usage.Errorf("matrix: Documents is %d; it must be from 1 to %d", m.Documents, uint64(mostDocuments))
	case m.Terms <= 0 || uint64(m.Terms) > mostTerms:
		return usage.Errorf("matrix: Terms is %d; it must be from 1 to %d", m.Terms, uint64(mostTerms))
	case len(m.Start) == 0 || len(m.Start)-1 != m.lines():
		return usage.Errorf("matrix: Start has %d elements; it must have one more than there are %s, which are %d", len(m.Start), m.lineName()+"s", m.lines())
	case m.Values != nil && len(m.Values) != len(m.Index):
		return usage.Errorf("matrix: Values has %d elements and Index %d; they must have as many, or Values none and be nil", len(m.Values), len(m.Index))
	case uint64(len(m.Index)) > mostElements:
		return usage.Errorf("matrix: Index has %d elements; the most are %d", len(m.Index), uint64(mostElements))
	case o.Terms != nil && len(o.Terms) != m.Terms:
		return usage.Errorf("matrix: Options.Terms has %d names for %d terms", len(o.Terms), m.Terms)
	case o.Classes != nil && len(o.Classes) != y.Classes:
		return usage.Errorf("matrix: Options.Classes has %d names for %d classes", len(o.Classes), y.Classes)
	}
	if err := m.checkStart(); err != nil {
		return err
	}
	if err := checkNames(o.Terms); err != nil {
		return err
	}
	return y.check(m.Documents)
}

// mostElements is the number of postings that an index may have.
const mostElements = 1 << 40

// checkStart checks that the lines lie in Index, one behind the other.
func (m *Matrix[I, V]) checkStart() error {
	last := I(0)
	for i, at := range m.Start {
		if at < last {
			return fmt.Errorf("matrix: Start[%d] is %d, below %d: %w: it must ascend from 0 or more", i, at, last, usage.ErrData)
		}
		last = at
	}
	if uint64(last) > uint64(len(m.Index)) {
		return fmt.Errorf("matrix: Start[%d] is %d: %w: Index has %d elements", len(m.Start)-1, last, usage.ErrData, len(m.Index))
	}
	return nil
}

// checkNames checks the names of terms, but not whether they differ.
func checkNames(names []string) error {
	for column, name := range names {
		if len(name) > ingest.MaxName {
			return usage.Errorf("matrix: Options.Terms[%d] has %d bytes; the longest that is kept has %d", column, len(name), ingest.MaxName)
		}
	}
	return nil
}

// check checks the lengths of labels, and Start.
func (y *Labels) check(documents int) error {
	switch {
	case y.Classes < 0 || uint64(y.Classes) > math.MaxInt32:
		return usage.Errorf("matrix: Labels.Classes is %d; it must be from 0 to %d", y.Classes, math.MaxInt32)
	case uint64(len(y.Of)) > math.MaxUint32:
		return usage.Errorf("matrix: Labels.Of has %d elements; the most are %d", len(y.Of), uint64(math.MaxUint32))
	case y.Start == nil && len(y.Of) != documents:
		return usage.Errorf("matrix: Labels.Of has %d elements for %d documents; without Labels.Start it must have one for each", len(y.Of), documents)
	case y.Start == nil:
		return nil
	case len(y.Start)-1 != documents:
		return usage.Errorf("matrix: Labels.Start has %d elements; it must have one more than there are documents, which are %d", len(y.Start), documents)
	}
	last := int64(0)
	for d, at := range y.Start {
		if at < last {
			return fmt.Errorf("matrix: Labels.Start[%d] is %d, below %d: %w: it must ascend from 0 or more", d, at, last, usage.ErrData)
		}
		last = at
	}
	if uint64(last) > uint64(len(y.Of)) {
		return fmt.Errorf("matrix: Labels.Start[%d] is %d: %w: Labels.Of has %d elements", documents, last, usage.ErrData, len(y.Of))
	}
	return nil
}

// checkClassName checks the name of a class.
func checkClassName(class int32, name string) error {
	switch {
	case len(name) > ingest.MaxName:
		return usage.Errorf("matrix: Options.Classes[%d] has %d bytes; the longest that is kept has %d", class, len(name), ingest.MaxName)
	case !utf8.ValidString(name):
		return usage.Errorf("matrix: Options.Classes[%d], %q, is not UTF-8", class, usage.Cut(name))
	}
	return nil
}

// lines returns the number of lines.
func (m *Matrix[I, V]) lines() int {
	if m.ByColumn {
		return m.Terms
	}
	return m.Documents
}

// width returns the number of elements that a line can have.
func (m *Matrix[I, V]) width() int {
	if m.ByColumn {
		return m.Documents
	}
	return m.Terms
}

func (m *Matrix[I, V]) lineName() string {
	if m.ByColumn {
		return "term"
	}
	return "document"
}

// place names the element i of a line for errors.
func (m *Matrix[I, V]) place(line int, i I) string {
	document, term := int64(line), int64(m.Index[i])
	if m.ByColumn {
		document, term = term, document
	}
	return fmt.Sprintf("matrix: element %d, document %d and term %d", i, document, term)
}

// checkLine checks the elements of a line. It returns the sum of their values, and whether
// all of them are whole numbers.
func (m *Matrix[I, V]) checkLine(line int) (sum float64, whole bool, err error) {
	from, to := m.Start[line], m.Start[line+1]
	last, width, ascending := I(-1), uint64(m.width()), true
	for i := from; i < to; i++ {
		at := m.Index[i]
		if at < 0 || uint64(at) >= width {
			return 0, false, fmt.Errorf("%s: %w: the numbers of Index must be from 0 to %d", m.place(line, i), usage.ErrData, width-1)
		}
		ascending = ascending && at > last
		last = at
	}
	if !ascending {
		if err := m.checkRepeats(line); err != nil {
			return 0, false, err
		}
	}
	sum, whole, err = m.checkValues(line)
	return sum, whole, err
}

// checkValues is the part of checkLine that looks at values.
func (m *Matrix[I, V]) checkValues(line int) (sum float64, whole bool, err error) {
	from, to := m.Start[line], m.Start[line+1]
	if m.Values == nil {
		return float64(to - from), true, nil
	}
	whole = true
	for i := from; i < to; i++ {
		v := float64(m.Values[i])
		if !(v >= 0 && v < ingest.MaxValue) {
			return 0, false, fmt.Errorf("%s: %w: the value %v; it must be a number from 0 to below 2^63", m.place(line, i), usage.ErrData, m.Values[i])
		}
		sum += v
		whole = whole && v == math.Trunc(v) && v <= math.MaxUint32
	}
	return sum, whole, nil
}

// checkRepeats returns an error if an element stands twice in a line that is not in order.
func (m *Matrix[I, V]) checkRepeats(line int) error {
	from, to := m.Start[line], m.Start[line+1]
	sorted := slices.Sorted(slices.Values(m.Index[from:to]))
	for k := 1; k < len(sorted); k++ {
		if sorted[k] != sorted[k-1] {
			continue
		}
		first := slices.Index(m.Index[from:to], sorted[k])
		second := first + 1 + slices.Index(m.Index[int(from)+first+1:to], sorted[k])
		return fmt.Errorf("%s: %w: it stands there twice, first as element %d; add the two up, as sum_duplicates does in scipy",
			m.place(line, from+I(second)), usage.ErrData, int(from)+first)
	}
	return nil
}
