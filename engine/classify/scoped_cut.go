package classify

import "slices"

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

// of returns the rows of a scope, ascending: all of them if the scope needs no column.
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

// cut returns the matrix of a scope: the rows cut to its columns, with its class alone.
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
