package vectors

import (
	"iter"
	"math"
	"strconv"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A Matrix is the rows of documents in memory, with their names and labels, to be written in
// formats that begin with the number of elements or hold one array after the other: see
// [Matrix.WriteNPZ] and [Matrix.WriteMatrixMarket]. An element takes eight bytes. It is
// safe for concurrent use.
type Matrix struct {
	selection *selection.Selection
	idf       []float64 // by feature
	ids       textList
	start     []int64 // of each row in index and value, and the end of the last
	index     []uint32
	value     []float32
	// The labels of row i are label[labelStart[i]:labelStart[i+1]], ascending.
	labelStart []int64
	label      []int32
	several    bool     // a document has more than one label
	target     textList // the number of each row, "" for none; of a selection with a target
}

// Collect reads the rows of a selection into memory.
func Collect(s *selection.Selection, rows iter.Seq2[Row, error]) (*Matrix, error) {
	if s == nil || rows == nil {
		return nil, usage.Errorf("a nil selection or nil rows were given")
	}
	_, idf, err := s.FactorsFor(table.TFIDF)
	if err != nil {
		return nil, err
	}
	m := &Matrix{selection: s, idf: idf, start: []int64{0}, labelStart: []int64{0}}
	for row, err := range rows {
		if err == nil {
			err = checkPlaces(s, row)
		}
		if err != nil {
			return nil, err
		}
		m.add(row)
	}
	return m, nil
}

// add appends a row.
func (m *Matrix) add(r Row) {
	m.ids.add(r.ID)
	m.index, m.value = append(m.index, r.Index...), append(m.value, r.Value...)
	m.start = append(m.start, int64(len(m.index)))
	for _, l := range r.Labels {
		m.label = append(m.label, int32(l))
	}
	m.labelStart = append(m.labelStart, int64(len(m.label)))
	m.several = m.several || len(r.Labels) > 1
	if m.hasTarget() {
		m.target.add(r.Target)
	}
}

// Documents returns the number of rows.
func (m *Matrix) Documents() int { return m.ids.len() }

// labels returns the labels of a row.
func (m *Matrix) labels(row int) []int32 { return m.label[m.labelStart[row]:m.labelStart[row+1]] }

// hasTarget reports whether the rows have numbers in place of labels.
func (m *Matrix) hasTarget() bool { return m.selection.Provenance.Target != "" }

// number returns the number of a row, NaN for none.
func (m *Matrix) number(row int) float64 {
	number, err := strconv.ParseFloat(string(m.target.at(row)), 64)
	if err != nil {
		return math.NaN()
	}
	return number
}

// A textList is a list of texts in one piece of memory.
type textList struct {
	bytes []byte
	ends  []int
}

func (l *textList) add(text string) {
	l.bytes = append(l.bytes, text...)
	l.ends = append(l.ends, len(l.bytes))
}

func (l *textList) len() int { return len(l.ends) }

func (l *textList) at(i int) []byte {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.bytes[from:l.ends[i]]
}

// listOf returns the list of n texts.
func listOf(n int, text func(i int) string) *textList {
	l := &textList{}
	for i := range n {
		l.add(text(i))
	}
	return l
}
