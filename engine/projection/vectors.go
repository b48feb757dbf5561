package projection

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/vectors"
)

// This file turns documents into vectors over the classes.

// A Vector is a document with a dimension for each class: the sum of the weights of its
// terms that were projected to the class. Its slices are reused for the next one.
type Vector struct {
	// Row is the vector as [vectors.WriteSVMLight] takes it: Index is 1 + the place of the
	// class.
	vectors.Row
	// Weights are the values of Row in float64.
	Weights []float64
	// Predicted is the place of the class with the largest weight, the first of those
	// within a relative 1e-12. For a document without a weight it is the class with the
	// most documents, and Guessed is true.
	Predicted int
	Guessed   bool
}

// Documents yields the vectors of raw documents, analysed as the projection's corpus was.
// Terms that were not projected are left out. It yields [ErrNoCounts] for a value that is
// not a count, and ends there.
func (p *Projection) Documents(ctx context.Context, docs document.Stream) iter.Seq2[Vector, error] {
	return p.clusterVectors(func(t *vectors.Transformer) (iter.Seq2[vectors.Row, error], error) {
		return t.Documents(ctx, countsOnly(docs)), nil
	})
}

// Corpus yields the vectors of a counted corpus, documents in the order in which they were
// read. It yields [usage.ErrContradiction] for a corpus that was analysed in another way
// than the projection's, [ErrNoCounts] for one of real values, and ends there.
func (p *Projection) Corpus(ctx context.Context, c *corpus.Corpus) iter.Seq2[Vector, error] {
	return p.clusterVectors(func(t *vectors.Transformer) (iter.Seq2[vectors.Row, error], error) {
		return t.Corpus(ctx, c), requireCounts(c)
	})
}

// clusterVectors turns rows of frequencies of the projected terms into vectors over the classes.
func (p *Projection) clusterVectors(of func(*vectors.Transformer) (iter.Seq2[vectors.Row, error], error)) iter.Seq2[Vector, error] {
	return func(yield func(Vector, error) bool) {
		t, err := vectors.New(p.Selection, "")
		if err != nil {
			yield(Vector{}, err)
			return
		}
		rows, err := of(t)
		if err != nil {
			yield(Vector{}, err)
			return
		}
		vector := p.Map.Vectors()
		for row, err := range rows {
			if err != nil {
				yield(Vector{}, err)
				return
			}
			for i := range row.Index {
				row.Index[i]-- // the places of the terms
			}
			v := vector(row.Index, row.Value)
			v.ID, v.Labels, v.Unseen = row.ID, row.Labels, row.Unseen
			if !yield(v, nil) {
				return
			}
		}
	}
}

// countsOnly yields docs, and ErrNoCounts at the first with a value that is not a count.
func countsOnly(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if err == nil {
				err = checkDocumentCounts(d)
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// checkDocumentCounts returns ErrNoCounts if a value of d is not a count.
func checkDocumentCounts(d document.Document) error {
	for _, f := range d.Features {
		if f.Value < 0 || f.Value != math.Trunc(f.Value) || math.IsInf(f.Value, 0) {
			return fmt.Errorf("%w: %v: document %q: the value of term %q is %v", ErrNoCounts, d.Source, d.ID, f.Term, f.Value)
		}
	}
	return nil
}

// A RuleScore counts how often the predictions of cluster vectors are right. The zero
// value has counted none.
type RuleScore struct {
	Documents int
	Guessed   int // documents without a projected term
	Labelled  int // documents with a label
	Labels    int // labels of all documents, those the projection does not know included
	Right     int // documents whose predicted class is one of their labels
}

// Add counts a document.
func (s *RuleScore) Add(v Vector) {
	s.Documents++
	if v.Guessed {
		s.Guessed++
	}
	labels := len(v.Labels) + len(v.Unseen)
	if labels == 0 {
		return
	}
	s.Labelled++
	s.Labels += labels
	if slices.Contains(v.Labels, v.Predicted) {
		s.Right++
	}
}

// Accuracy returns Right/Labelled, 0 if no document has a label.
func (s *RuleScore) Accuracy() float64 { return float64(s.Right) / float64(max(s.Labelled, 1)) }

// MicroF1 returns F1 over all (document, class) decisions, where one class is predicted for
// each document and Labels are to be found. With one label a document it is the accuracy.
func (s *RuleScore) MicroF1() float64 {
	return float64(2*s.Right) / float64(max(s.Labelled+s.Labels, 1))
}
