package classify

import (
	"fmt"
	"slices"
)

// A header is what all models have.
type header struct {
	kind    string
	classes []string
	columns int
	largest int // the class with the most training rows, the first of several
}

// headerOf is that of a model of rows; sizes are those of its classes.
func headerOf(kind string, m *Matrix, sizes []float64) header {
	return header{kind, slices.Clone(m.Classes), m.Columns, largest(sizes)}
}

// Kind names the classifier.
func (h *header) Kind() string { return h.kind }

// Classes are the names of the classes in the order of their bytes.
func (h *header) Classes() []string { return h.classes }

// Columns is the number of columns that rows may have.
func (h *header) Columns() int { return h.columns }

// Largest is the class that most training rows have, the first of several: what a row
// without evidence is given.
func (h *header) Largest() int { return h.largest }

// fits says whether a model can be asked about rows.
func (h *header) fits(m *Matrix) error { return fits(h, m) }

// fits says whether rows are over the columns and classes of a model.
func fits(of interface {
	Kind() string
	Classes() []string
	Columns() int
}, m *Matrix,
) error {
	if m.Columns != of.Columns() {
		return fmt.Errorf("%w: they have %d columns, the model %q was trained with %d; transform them by the selection of the model", ErrBadRows, m.Columns, of.Kind(), of.Columns())
	}
	if len(m.Classes) > 0 && !slices.Equal(m.Classes, of.Classes()) {
		return fmt.Errorf("%w: their classes are %q, those of the model %q are %q", ErrBadRows, short(m.Classes), of.Kind(), short(of.Classes()))
	}
	return m.Check()
}

// short is the beginning of a list, for messages.
func short(names []string) []string {
	if len(names) > 5 {
		return append(slices.Clone(names[:5]), "...")
	}
	return names
}
