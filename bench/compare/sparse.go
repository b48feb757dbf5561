package main

import (
	"context"
	"fmt"
	"math"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
)

// This file has our side of the jobs that begin with a sparse matrix of counts, as
// CountVectorizer leaves it and as the functions for C and Python take it.

// A sparse is a matrix of documents and terms with the classes of the documents.
type sparse struct {
	rows    matrix.Matrix[int32, int64]
	labels  matrix.Labels
	classes []string // names in the order of the numbers, so that sums over classes are as from the index
}

// someTerms is how many terms IGSome has; also in peers.py.
const someTerms = 2000

// sparseOf makes the matrix of rows of counts.
func sparseOf(counts *classify.Matrix) *sparse {
	m := &sparse{}
	m.rows.Documents, m.rows.Terms = counts.Rows(), counts.Columns
	m.rows.Start, m.rows.Index, m.rows.Values = converted[int32](counts.Start), converted[int32](counts.Index), converted[int64](counts.Value)
	m.labels.Classes, m.labels.Of = len(counts.Classes), converted[int32](counts.LabelOf)
	for c := range m.labels.Classes {
		m.classes = append(m.classes, fmt.Sprintf("%09d", c))
	}
	return m
}

// firstColumns returns the matrix of the first n columns.
func (m *sparse) firstColumns(n int) *sparse {
	part := &sparse{labels: m.labels, classes: m.classes}
	part.rows.Documents, part.rows.Terms, part.rows.Start = m.rows.Documents, min(n, m.rows.Terms), []int32{0}
	for d := range m.rows.Documents {
		for i := m.rows.Start[d]; i < m.rows.Start[d+1]; i++ {
			if m.rows.Index[i] < int32(part.rows.Terms) {
				part.rows.Index = append(part.rows.Index, m.rows.Index[i])
				part.rows.Values = append(part.rows.Values, m.rows.Values[i])
			}
		}
		part.rows.Start = append(part.rows.Start, int32(len(part.rows.Index)))
	}
	return part
}

// score returns the values of all columns, in the way of the function score of the bindings:
// without statistics where the measure allows it.
func (m *sparse) score(ctx context.Context, measure rank.Measure) []float64 {
	o := scoring(measure)
	plan := lab.Need(o.Resolve())
	values := make([]float64, m.rows.Terms)
	if !plan.UsesTokens() {
		request := &matrix.Request{Classes: m.classes, Choices: []score.Choice{plan.Choice()}, Values: [][]float64{values}, Threads: o.Threads}
		if done, err := m.rows.Score(ctx, &m.labels, request); done || err != nil {
			lab.Check(err)
			return values
		}
	}
	s := lab.Need(m.rows.Statistics(ctx, &m.labels, matrix.Options{Classes: m.classes, Threads: o.Threads}))
	rankings := lab.Need(rank.ByPlans(ctx, s, plan))
	defer rankings[0].Release()
	if len(rankings[0].Values()) < len(values) {
		for i := range values {
			values[i] = math.NaN()
		}
	}
	for i, column := range matrix.Columns(s) {
		values[column] = rankings[0].Values()[i]
	}
	return values
}

// matrixValues scores all columns.
func (s *side) matrixValues(ctx context.Context, m *sparse, measure rank.Measure) {
	values := m.score(ctx, measure)
	s.last = func() answer { return numbered(values) }
}

// someGains scores the first columns.
func (s *side) someGains(ctx context.Context) { s.matrixValues(ctx, s.some, rank.IG) }

// matrixBest scores all columns by chi-square and finds the best.
func (s *side) matrixBest(ctx context.Context) {
	values := s.sparse.score(ctx, rank.Chi)
	best := rank.TopK(values, s.top)
	s.last = func() (a answer) {
		for _, t := range best {
			a.add(t, values[t])
		}
		return a
	}
}
