package engine

import (
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// A scorer is the visitor that turns counts into values while they are in the
// cache. One serves one worker; workers write to different terms of the columns.
type scorer struct {
	panel   *score.Panel
	columns [][]float64 // by measure, then by term
	values  []float64   // of one term
	row     score.Row
	weight  store.Weighting
	singles singles
}

func newScorer(panel *score.Panel, columns [][]float64, classes int, weight store.Weighting) *scorer {
	return &scorer{
		panel: panel, columns: columns, values: make([]float64, len(columns)), weight: weight,
		singles: newSingles(classes, len(columns)),
	}
}

// Row implements [store.Visitor].
func (s *scorer) Row(r *store.Row) {
	s.row.DF, s.row.CF, s.row.Dense = r.DF, r.CF, r.Dense
	if s.panel.NeedsCells() || r.Dense == nil {
		s.cells(r)
	}
	s.panel.Row(&s.row, s.values)
	for i, v := range s.values {
		s.columns[i][r.Term] = v
	}
}

func (s *scorer) cells(r *store.Row) {
	s.row.Class, s.row.A, s.row.S, s.row.Q = r.Class, r.A, r.S, r.Q
	switch s.weight {
	case store.TF:
		s.row.W = r.S
	case store.Binary:
		s.row.W = r.A
	default:
		s.row.W = r.W
	}
}

// Singles implements [store.Visitor]. Terms of one document that occur equally
// often in the same class have the same values: half of the vocabulary is looked
// up.
func (s *scorer) Singles(first int, classes []uint32, tf []uint8) {
	m := &s.singles
	m.keys = m.keys[:0]
	for i, c := range classes {
		times := uint8(1)
		if tf != nil {
			times = tf[i]
		}
		if times > singleTimes {
			m.keys = append(m.keys, m.none)
			s.single(c, times)
			for j, v := range s.values {
				s.columns[j][first+i] = v
			}
			continue
		}
		key := c*singleTimes + uint32(times-1)
		if !m.known[key] {
			m.known[key] = true
			s.single(c, times)
			for j, v := range s.values {
				m.tables[j][key] = v
			}
		}
		m.keys = append(m.keys, key)
	}
	for j, column := range s.columns {
		m.copy(column[first:first+len(classes)], j)
	}
}

// singles holds the values of terms of one document by class and frequency.
type singles struct {
	tables [][]float64 // by measure, then by key
	known  []bool      // by key
	keys   []uint32    // of the terms at hand
	none   uint32      // the key of a term that is not in the tables
}

// singleTimes is the frequency up to which values are kept; 99 of 100 words of
// one document come at most that often.
const singleTimes = 8

func newSingles(classes, measures int) singles {
	n := (classes + 1) * singleTimes
	m := singles{tables: make([][]float64, measures), known: make([]bool, n), none: uint32(n)}
	for j := range m.tables {
		m.tables[j] = make([]float64, n)
	}
	return m
}

// copy fills the column of measure j.
func (m *singles) copy(column []float64, j int) {
	table := m.tables[j]
	for i, key := range m.keys {
		if int(key) < len(table) {
			column[i] = table[key]
		}
	}
}

// single computes the values of a term that one document has, of class c or of
// none.
func (s *scorer) single(c uint32, times uint8) {
	v := float64(times)
	s.row = score.Row{DF: 1, CF: v}
	if int(c) < s.panel.Classes() {
		s.row.Class = []uint32{c}
		s.row.A, s.row.S, s.row.Q = []float64{1}, []float64{v}, []float64{v * v}
	}
	s.row.W = s.row.S
	if s.weight == store.Binary {
		s.row.W = s.row.A
	}
	s.panel.Row(&s.row, s.values)
}

// A classScorer is the visitor that values every term for one class.
type classScorer struct {
	panel   *score.Panel
	class   int
	values  []float64
	inClass []uint32
	row     score.Row
}

// Row implements [store.Visitor].
func (s *classScorer) Row(r *store.Row) {
	s.row.DF, s.row.CF = r.DF, r.CF
	s.row.Class, s.row.A, s.row.S, s.row.Q = r.Class, r.A, r.S, r.Q
	i, found := slices.BinarySearch(r.Class, uint32(s.class))
	if !found {
		i = -1
	} else {
		s.inClass[r.Term] = r.Docs[i]
	}
	s.values[r.Term] = s.panel.Class(&s.row, s.class, i)
}

// Singles implements [store.Visitor].
func (s *classScorer) Singles(first int, classes []uint32, tf []uint8) {
	row := store.Row{DF: 1, CF: 1}
	for i, c := range classes {
		row.Term = first + i
		v := 1.0
		if tf != nil {
			v = float64(tf[i])
		}
		row.CF = v
		row.Class, row.Docs = row.Class[:0], row.Docs[:0]
		row.A, row.S, row.Q = row.A[:0], row.S[:0], row.Q[:0]
		if int(c) < s.panel.Classes() {
			row.Class, row.Docs = append(row.Class, c), append(row.Docs, 1)
			row.A, row.S, row.Q = append(row.A, 1), append(row.S, v), append(row.Q, v*v)
		}
		s.Row(&row)
	}
}
