package classify

import "slices"

// A grouping lists the rows of each class, ascending.
type grouping struct {
	start []int
	row   []uint32
}

func (g grouping) rows(class int) []uint32 { return g.row[g.start[class]:g.start[class+1]] }

func (m *Matrix) byClass() grouping {
	g := grouping{make([]int, len(m.Classes)+1), make([]uint32, m.LabelStart[m.Rows()]-m.LabelStart[0])}
	for row := range m.Rows() {
		for _, class := range m.Labels(row) {
			g.start[class+1]++
		}
	}
	for class := range m.Classes {
		g.start[class+1] += g.start[class]
	}
	next := slices.Clone(g.start)
	for row := range m.Rows() {
		for _, class := range m.Labels(row) {
			g.row[next[class]] = uint32(row)
			next[class]++
		}
	}
	return g
}

// sizes returns the number of rows of every class.
func (m *Matrix) sizes() []float64 {
	sizes := make([]float64, len(m.Classes))
	for _, class := range m.LabelOf {
		sizes[class]++
	}
	return sizes
}

// largest returns the index of the first of the largest sizes.
func largest(sizes []float64) int {
	best := 0
	for c, n := range sizes {
		if n > sizes[best] {
			best = c
		}
	}
	return best
}

// frequencies returns the number of rows of each column.
func (m *Matrix) frequencies() []uint32 {
	df := make([]uint32, m.Columns)
	for _, column := range m.Index {
		df[column]++
	}
	return df
}

// rows gives a matrix of some of the rows.
func (m *Matrix) rows(list []int) *Matrix {
	part := &Matrix{Columns: m.Columns, Classes: m.Classes, Start: []int{0}, LabelStart: []int{0}}
	for _, row := range list {
		index, value := m.Row(row)
		part.Index, part.Value = append(part.Index, index...), append(part.Value, value...)
		part.LabelOf = append(part.LabelOf, m.Labels(row)...)
		part.Start, part.LabelStart = append(part.Start, len(part.Index)), append(part.LabelStart, len(part.LabelOf))
	}
	return part
}
