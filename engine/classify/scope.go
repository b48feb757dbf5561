package classify

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine"
)

// A Scope is what one class is learnt from and told by: columns of its own and rows of
// its own.
type Scope struct {
	Class   uint32
	Columns []uint32 // ascending
	// Needs are those of the Columns, ascending, of which a row must have one: without
	// any it is outside the class, and no model is asked. nil needs none.
	Needs []uint32
}

// ScopesOf gives the scopes of Best Terms over the features of a selection: a class is
// told by its positive and negative terms, and a document without a positive one is
// outside it. A class without a positive term has no scope, and no document can be in
// it. A selection that lacks a term or a class is refused with
// [engine.ErrContradiction].
func ScopesOf(b *engine.BestTerms, s *engine.Selection) (scopes []Scope, err error) {
	scopes = []Scope{}
	column := make(map[string]uint32, len(s.Features))
	for i, f := range s.Features {
		column[f.Term] = uint32(i)
	}
	for _, c := range b.Classes {
		class, found := slices.BinarySearch(s.Classes, c.Class)
		if !found {
			return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", engine.ErrContradiction, c.Class)
		}
		scope := Scope{Class: uint32(class)}
		if scope.Needs, err = columnsOf(c.Positive, column); err != nil {
			return nil, err
		}
		against, err := columnsOf(c.Negative, column)
		if err != nil {
			return nil, err
		}
		if len(scope.Needs) > 0 {
			scope.Columns = slices.Concat(scope.Needs, against)
			slices.Sort(scope.Columns)
			scope.Columns = slices.Compact(scope.Columns)
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// columnsOf gives the columns of terms, ascending.
func columnsOf(terms []engine.BestTerm, column map[string]uint32) ([]uint32, error) {
	columns := make([]uint32, len(terms))
	for i, t := range terms {
		at, ok := column[t.Term]
		if !ok {
			return nil, fmt.Errorf("%w: it lacks %q, which Best Terms chose; take both from the same corpus", engine.ErrContradiction, t.Term)
		}
		columns[i] = at
	}
	slices.Sort(columns)
	return columns, nil
}

// checkScopes says whether scopes fit columns and classes: lists ascend, needs are among
// the columns, and a class has one scope.
func checkScopes(scopes []Scope, columns, classes int) error {
	seen := make([]bool, classes)
	for i, s := range scopes {
		switch {
		case uint64(s.Class) >= uint64(classes):
			return fmt.Errorf("%w: scope %d is of class %d of %d", ErrBadRows, i, s.Class, classes)
		case seen[s.Class]:
			return fmt.Errorf("%w: class %d has two scopes", ErrBadRows, s.Class)
		case !ascend(s.Columns, columns) || !ascend(s.Needs, columns):
			return fmt.Errorf("%w: the columns of class %d do not ascend below %d", ErrBadRows, s.Class, columns)
		case len(s.Columns) == 0:
			return fmt.Errorf("%w: the scope of class %d has no columns", ErrBadRows, s.Class)
		}
		for _, c := range s.Needs {
			if _, found := slices.BinarySearch(s.Columns, c); !found {
				return fmt.Errorf("%w: class %d needs column %d, which it does not have", ErrBadRows, s.Class, c)
			}
		}
		seen[s.Class] = true
	}
	return nil
}

// A scopeCutter makes the training rows of scopes. It is one goroutine's.
type scopeCutter struct {
	m     *Matrix
	place []uint32 // of a column within the scope, from 1 on; 0 is none
}

// rowLists lists the rows that have a column, for those columns that some scope needs.
type rowLists struct {
	start []int
	row   []uint32
}

func listRows(m *Matrix, scopes []Scope) rowLists {
	x := rowLists{start: make([]int, m.Columns+1)}
	needed := make([]bool, m.Columns)
	for _, s := range scopes {
		for _, c := range s.Needs {
			needed[c] = true
		}
	}
	for _, c := range m.Index {
		if needed[c] {
			x.start[c+1]++
		}
	}
	for c := range m.Columns {
		x.start[c+1] += x.start[c]
	}
	x.row = make([]uint32, x.start[m.Columns])
	next := slices.Clone(x.start)
	for i := range m.Rows() {
		index, _ := m.Row(i)
		for _, c := range index {
			if needed[c] {
				x.row[next[c]] = uint32(i)
				next[c]++
			}
		}
	}
	return x
}

// of lists the rows of a scope, ascending: all of them where nothing is needed.
func (x rowLists) of(s *Scope, m *Matrix) (rows []uint32) {
	if s.Needs == nil {
		for i := range m.Rows() {
			rows = append(rows, uint32(i))
		}
		return rows
	}
	for _, c := range s.Needs {
		rows = append(rows, x.row[x.start[c]:x.start[c+1]]...)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// cut makes the matrix of a scope: its columns, and its class alone.
func (w *scopeCutter) cut(s *Scope, rows []uint32) *Matrix {
	if w.place == nil {
		w.place = make([]uint32, w.m.Columns)
	}
	for i, c := range s.Columns {
		w.place[c] = uint32(i) + 1
	}
	out := &Matrix{
		Columns: len(s.Columns), Classes: w.m.Classes[s.Class : s.Class+1],
		Start: make([]int, 1, len(rows)+1), LabelStart: make([]int, 1, len(rows)+1),
	}
	for _, r := range rows {
		index, value := w.m.Row(int(r))
		for j, c := range index {
			if at := w.place[c]; at > 0 {
				out.Index, out.Value = append(out.Index, at-1), append(out.Value, value[j])
			}
		}
		if slices.Contains(w.m.Labels(int(r)), s.Class) {
			out.LabelOf = append(out.LabelOf, 0)
		}
		out.Start, out.LabelStart = append(out.Start, len(out.Index)), append(out.LabelStart, len(out.LabelOf))
	}
	for _, c := range s.Columns {
		w.place[c] = 0
	}
	return out
}
