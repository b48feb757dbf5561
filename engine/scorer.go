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
	parts   [][]float64 // of the columns, for the terms at hand
	values  []float64   // of one term
	row     score.Row
	weight  store.Weighting
	few     fewDocuments
}

func newScorer(panel *score.Panel, columns [][]float64, weight store.Weighting) *scorer {
	return &scorer{
		panel: panel, columns: columns, weight: weight,
		parts: make([][]float64, len(columns)), values: make([]float64, len(columns)),
		few: fewDocuments{classes: panel.Classes(), measures: len(columns)},
	}
}

// Row implements [store.Visitor].
func (s *scorer) Row(r *store.Row) {
	s.row.DF, s.row.CF, s.row.Dense = r.DF, r.CF, r.Dense
	s.row.Class, s.row.A, s.row.S, s.row.Q = r.Class, r.A, r.S, r.Q
	switch s.weight {
	case store.TF:
		s.row.W = r.S
	case store.Binary:
		s.row.W = r.A
	default:
		s.row.W = r.W
	}
	s.panel.Row(&s.row, s.values)
	s.put(r.Term, s.values)
}

func (s *scorer) put(term int, values []float64) {
	for j, v := range values {
		s.columns[j][term] = v
	}
}

// Tile implements [store.TileVisitor].
func (s *scorer) Tile(t *store.Tile) {
	for j, column := range s.columns {
		s.parts[j] = column[t.First : t.First+len(t.DF)]
	}
	s.panel.Dense(t.DF, t.Counts, t.Stride, s.parts)
}

// Few implements [store.Visitor]. Terms that occur in documents of the same
// classes, equally often, have the same values: three quarters of the vocabulary are
// looked up.
func (s *scorer) Few(first, df int, classes []uint32, tf []uint8) {
	table := s.few.of(df, tf != nil)
	keys := table.keys(df, classes, tf)
	for i, key := range keys {
		if key != nowhere && table.known[key] {
			continue
		}
		times := tf
		if tf != nil {
			times = tf[i*df : i*df+df]
		}
		s.rowOf(classes[i*df:i*df+df], times)
		if key == nowhere {
			s.panel.Row(&s.row, s.values)
			s.put(first+i, s.values)
		} else {
			table.known[key] = true
			s.panel.Row(&s.row, table.row(key))
		}
	}
	for j, column := range s.columns {
		table.copy(column[first:first+len(keys)], j, keys)
	}
}

// rowOf makes the row of a term of its documents' classes and frequencies.
func (s *scorer) rowOf(classes []uint32, tf []uint8) {
	r := &s.row
	*r = score.Row{DF: float64(len(classes)), Class: s.few.class[:0], A: s.few.a[:0], S: s.few.s[:0], Q: s.few.q[:0]}
	for i, c := range classes {
		v := 1.0
		if tf != nil {
			v = float64(tf[i])
		}
		r.CF += v
		if int(c) == s.panel.Classes() {
			continue
		}
		if n := len(r.Class); n == 0 || r.Class[n-1] != c {
			r.Class, r.A, r.S, r.Q = append(r.Class, c), append(r.A, 0), append(r.S, 0), append(r.Q, 0)
		}
		n := len(r.Class) - 1
		r.A[n]++
		r.S[n] += v
		r.Q[n] += float64(v * v)
	}
	s.few.class, s.few.a, s.few.s, s.few.q = r.Class, r.A, r.S, r.Q
	r.W = r.S
	if s.weight == store.Binary {
		r.W = r.A
	}
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

// Few implements [store.Visitor]; it has asked for terms of one document.
func (s *classScorer) Few(first, _ int, classes []uint32, tf []uint8) {
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
