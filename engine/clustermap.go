package engine

import (
	"math"
	"slices"

	"github.com/termsift/termsift/kernels"
)

// A ClusterMap turns the frequencies of projected terms into vectors over classes: it is
// what a [Projection] knows of its terms but for their names, for models that keep rows.
// It must not be modified while a [ClusterSum] of it is in use.
type ClusterMap struct {
	Classes int
	Largest int // the class that a row without a projected term is predicted
	// Weight is ClusterLog or ClusterTFIDF, Base that of the logarithms (0 is e), and Unit
	// scales vectors to length 1.
	Weight string
	Base   float64
	Unit   bool
	// Class is that of each term, Factor what its part of the frequency is multiplied
	// with: its idf and its discriminability.
	Class  []uint32
	Factor []float64
}

// Validate reports a map that no projection could have.
func (m *ClusterMap) Validate() error {
	if err := (Projecting{Weight: m.Weight, Base: m.Base}).Validate(); err != nil {
		return err
	}
	if m.Largest < 0 || m.Largest >= m.Classes || len(m.Class) != len(m.Factor) {
		return usage("class %d of %d, %d classes of %d terms", m.Largest, m.Classes, len(m.Class), len(m.Factor))
	}
	for i, f := range m.Factor {
		if !(f >= 0) || math.IsInf(f, 0) || uint64(m.Class[i]) >= uint64(m.Classes) {
			return usage("term %d: class %d of %d, factor %v", i, m.Class[i], m.Classes, f)
		}
	}
	return nil
}

// A ClusterSum adds up the weights of one row after another, in the order of the terms:
// the same bits wherever the row comes from. It is one goroutine's.
type ClusterSum struct {
	m        *ClusterMap
	perLog   float64   // 1/ln Base
	logs     []float64 // log(tf+1) of small tf
	sums     []float64 // by class, all 0 between rows
	met      []uint32  // the classes that are not 0
	elements []element
	out      ClusterVector
}

// smallFrequencies is how many logarithms are kept.
const smallFrequencies = 256

// NewSum makes a sum for one goroutine.
func (m *ClusterMap) NewSum() *ClusterSum {
	s := &ClusterSum{m: m, perLog: perLog(m.Base), logs: make([]float64, smallFrequencies), sums: make([]float64, m.Classes)}
	for tf := range s.logs {
		s.logs[tf] = logOf(float64(tf)+1, s.perLog)
	}
	return s
}

// Vector gives the vector of a row: the frequencies of its terms, by their places from
// 0 on, which ascend. Places beyond the terms are left out. The vector has neither name
// nor labels; its slices are reused for the next one.
func (s *ClusterSum) Vector(index []uint32, tf []float32) ClusterVector {
	s.elements = s.elements[:0]
	for i, at := range index {
		if int(at) < len(s.m.Class) {
			s.elements = append(s.elements, element{index: at, tf: float64(tf[i])})
		}
	}
	return s.vector(s.elements)
}

// vector weighs elements, ascending by index.
func (s *ClusterSum) vector(elements []element) ClusterVector {
	s.add(elements)
	slices.Sort(s.met)
	v := &s.out
	v.Index, v.Weights = v.Index[:0], v.Weights[:0]
	for _, c := range s.met {
		v.Index, v.Weights = append(v.Index, c+1), append(v.Weights, s.sums[c])
		s.sums[c] = 0
	}
	s.met = s.met[:0]
	v.predict(s.m.Largest)
	if s.m.Unit {
		scaleToUnit(v.Weights)
	}
	v.Value = v.Value[:0]
	for _, w := range v.Weights {
		v.Value = append(v.Value, float32(w))
	}
	return *v
}

// add adds up the weights; a term that was given twice is one.
func (s *ClusterSum) add(elements []element) {
	for i := 0; i < len(elements); {
		e := elements[i]
		for i++; i < len(elements) && elements[i].index == e.index; i++ {
			e.tf += elements[i].tf
		}
		w := float64(s.frequency(e.tf) * s.m.Factor[e.index])
		if w == 0 {
			continue
		}
		class := s.m.Class[e.index]
		if s.sums[class] == 0 {
			s.met = append(s.met, class)
		}
		s.sums[class] += w
	}
}

// frequency is the part of a weight that the frequency in the document makes.
func (s *ClusterSum) frequency(tf float64) float64 {
	if s.m.Weight == ClusterTFIDF {
		return tf
	}
	if i := int(tf); i >= 0 && i < len(s.logs) && float64(i) == tf {
		return s.logs[i]
	}
	return logOf(tf+1, s.perLog)
}

func (v *ClusterVector) predict(largest int) {
	v.Predicted, v.Guessed = largest, len(v.Weights) == 0
	if v.Guessed {
		return
	}
	least := tied(slices.Max(v.Weights))
	v.Predicted = int(v.Index[slices.IndexFunc(v.Weights, func(w float64) bool { return w >= least })]) - 1
}

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

// factorOf is what does not hang on the document: the part of a weight that the document
// frequency makes, and that of PRmax.
func (o Projecting) factorOf(documents, df, prMax float64) float64 {
	l := perLog(o.Base)
	idf, d := logOf(documents/df+1, l), prMax
	if o.Weight == ClusterTFIDF {
		idf = logOf(documents/df, l)
	}
	if o.Discriminate == DiscriminateLogPR {
		d = logOf(max(prMax, 1), l)
	}
	return float64(idf * d)
}

func perLog(base float64) float64 {
	if base == 0 {
		return 1
	}
	return 1 / kernels.Log(base)
}

// logOf has the same bits everywhere, which math.Log has not.
func logOf(x, perLog float64) float64 { return float64(kernels.Log(x) * perLog) }
