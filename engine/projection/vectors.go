package projection

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
	"github.com/termsift/termsift/kernels"
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
			for _, f := range d.Features {
				if v := f.Value; err == nil && (v < 0 || v != math.Trunc(v) || math.IsInf(v, 0)) {
					err = fmt.Errorf("%w: %v: document %q: the value of term %q is %v", ErrNoCounts, d.Source, d.ID, f.Term, v)
				}
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
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

// A Map turns the frequencies of projected terms into vectors over classes. It has what a
// [Projection] knows of its terms, except their names, for models that keep rows. It must
// not be modified while [Map.Vectors] are in use.
type Map struct {
	Classes int
	Largest int // the class predicted for a row without a projected term
	// Weight is ClusterLog or ClusterTFIDF, Base is that of the logarithms (0 is e), and
	// Unit scales vectors to length 1.
	Weight string
	Base   float64
	Unit   bool
	// Class has the class of each term. Factor has the number that its weight by frequency
	// is multiplied by: its idf times its discriminability.
	Class  []uint32
	Factor []float64
}

// Validate returns an error for a map that no projection could have.
func (m *Map) Validate() error {
	if err := (Options{Weight: m.Weight, Base: m.Base}).Validate(); err != nil {
		return err
	}
	if m.Largest < 0 || m.Largest >= m.Classes || len(m.Class) != len(m.Factor) {
		return usage.Errorf("class %d of %d, %d classes of %d terms", m.Largest, m.Classes, len(m.Class), len(m.Factor))
	}
	for i, f := range m.Factor {
		if !(f >= 0) || math.IsInf(f, 0) || uint64(m.Class[i]) >= uint64(m.Classes) {
			return usage.Errorf("term %d: class %d of %d, factor %v", i, m.Class[i], m.Classes, f)
		}
	}
	return nil
}

// A sum makes the vectors of one row after another. It adds up the weights of a row in the
// order of its terms, so that the bits are the same wherever the row comes from. It serves
// one goroutine.
type sum struct {
	clusterMap *Map
	logFactor  float64   // 1/ln(Base)
	sums       []float64 // by class; all 0 between rows
	classes    []uint32  // classes whose sum is not 0
	vector     Vector
}

// Vectors returns a function for one goroutine that gives the vector of a row: index has the
// places of its terms, counted from 0 and ascending, tf their frequencies. Places beyond the
// terms of the map are left out. The vector has neither name nor labels; its slices are reused
// for the next one.
func (m *Map) Vectors() func(index []uint32, tf []float32) Vector {
	s := &sum{clusterMap: m, logFactor: logFactorOf(m.Base), sums: make([]float64, m.Classes)}
	return s.vectorOf
}

func (s *sum) vectorOf(index []uint32, tf []float32) Vector {
	s.addRow(index, tf)
	slices.Sort(s.classes)
	v := &s.vector
	v.Index, v.Weights = v.Index[:0], v.Weights[:0]
	for _, c := range s.classes {
		v.Index, v.Weights = append(v.Index, c+1), append(v.Weights, s.sums[c])
		s.sums[c] = 0
	}
	s.classes = s.classes[:0]
	v.setPredicted(s.clusterMap.Largest)
	if s.clusterMap.Unit {
		scaleToUnit(v.Weights)
	}
	v.Value = v.Value[:0]
	for _, w := range v.Weights {
		v.Value = append(v.Value, float32(w))
	}
	return *v
}

// addRow adds the weights of a row to sums. The frequencies of a term that is given twice
// are added first.
func (s *sum) addRow(index []uint32, tf []float32) {
	for i := 0; i < len(index) && int(index[i]) < len(s.clusterMap.Class); {
		at, n := index[i], float64(tf[i])
		for i++; i < len(index) && index[i] == at; i++ {
			n += float64(tf[i])
		}
		if s.clusterMap.Weight != ClusterTFIDF {
			n = logWith(n+1, s.logFactor)
		}
		w := float64(n * s.clusterMap.Factor[at])
		if w == 0 {
			continue
		}
		class := s.clusterMap.Class[at]
		if s.sums[class] == 0 {
			s.classes = append(s.classes, class)
		}
		s.sums[class] += w
	}
}

// setPredicted sets Predicted and Guessed; largest is the class to guess.
func (v *Vector) setPredicted(largest int) {
	v.Predicted, v.Guessed = largest, len(v.Weights) == 0
	if v.Guessed {
		return
	}
	least := lowestTie(slices.Max(v.Weights))
	v.Predicted = int(v.Index[slices.IndexFunc(v.Weights, func(w float64) bool { return w >= least })]) - 1
}

// scaleToUnit scales weights to length 1 unless all are 0.
func scaleToUnit(weights []float64) {
	sum := 0.0
	for _, w := range weights {
		sum += float64(w * w)
	}
	if sum == 0 {
		return
	}
	length := math.Sqrt(sum)
	for i := range weights {
		weights[i] /= length
	}
}

// termFactor returns the factor of a weight that does not depend on the document: the
// inverse document frequency times the discriminability.
func (o Options) termFactor(documents, df, prMax float64) float64 {
	l := logFactorOf(o.Base)
	idf, d := logWith(documents/df+1, l), prMax
	if o.Weight == ClusterTFIDF {
		idf = logWith(documents/df, l)
	}
	if o.Discriminate == DiscriminateLogPR {
		d = logWith(max(prMax, 1), l)
	}
	return float64(idf * d)
}

// logFactorOf returns 1/ln(base), 1 for base 0.
func logFactorOf(base float64) float64 {
	if base == 0 {
		return 1
	}
	return 1 / kernels.Log(base)
}

// logWith returns ln(x)·factor. Unlike math.Log, it has the same bits on every CPU.
func logWith(x, perLog float64) float64 { return float64(kernels.Log(x) * perLog) }
