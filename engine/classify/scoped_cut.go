package classify

import "slices"

// A scopeCutter makes the training rows of scopes. It is one goroutine's.
type scopeCutter struct {
	m     *Matrix
	place []uint32 // of a column within the scope, from 1 on; 0 is none
}

// listRows lists the rows that have a column, for those columns that some scope needs.
func listRows(m *Matrix, scopes []Scope) grouping {
	needed := make([]bool, m.Columns)
	for _, s := range scopes {
		for _, c := range s.Needs {
			needed[c] = true
		}
	}
	var some []uint32
	return group(m.Columns, m.Rows(), func(row int) []uint32 {
		some = some[:0]
		index, _ := m.Row(row)
		for _, c := range index {
			if needed[c] {
				some = append(some, c)
			}
		}
		return some
	})
}

// rows returns the rows of a scope, ascending: all of them if the scope needs no column.
func (s *Scope) rows(lists grouping, m *Matrix) (rows []uint32) {
	if s.Needs == nil {
		for i := range m.Rows() {
			rows = append(rows, uint32(i))
		}
		return rows
	}
	for _, c := range s.Needs {
		rows = append(rows, lists.of(int(c))...)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// cut returns the matrix of a scope: the rows cut to its columns, with its class alone.
func (w *scopeCutter) cut(s *Scope, rows []uint32) *Matrix {
	if w.place == nil {
		w.place = make([]uint32, w.m.Columns)
	}
	for i, c := range s.Columns {
		w.place[c] = uint32(i) + 1
	}
	out := newMatrix(len(s.Columns), w.m.Classes[s.Class:s.Class+1])
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
		out.endRow()
	}
	for _, c := range s.Columns {
		w.place[c] = 0
	}
	return out
}
