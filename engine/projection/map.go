package projection

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

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
	logs       []float64 // log(tf+1) of small tf
	sums       []float64 // by class; all 0 between rows
	classes    []uint32  // classes whose sum is not 0
	vector     Vector
}

// keptLogs is the number of frequencies whose logarithms are computed once.
const keptLogs = 256

// Vectors returns a function for one goroutine that gives the vector of a row: index has the
// places of its terms, counted from 0 and ascending, tf their frequencies. Places beyond the
// terms of the map are left out. The vector has neither name nor labels; its slices are reused
// for the next one.
func (m *Map) Vectors() func(index []uint32, tf []float32) Vector {
	s := &sum{clusterMap: m, logFactor: logFactorOf(m.Base), logs: make([]float64, keptLogs), sums: make([]float64, m.Classes)}
	for tf := range s.logs {
		s.logs[tf] = logWith(float64(tf)+1, s.logFactor)
	}
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
		w := float64(s.frequencyWeight(n) * s.clusterMap.Factor[at])
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

// frequencyWeight returns the factor of a weight that depends on the frequency in the
// document.
func (s *sum) frequencyWeight(tf float64) float64 {
	if s.clusterMap.Weight == ClusterTFIDF {
		return tf
	}
	if i := int(tf); i >= 0 && i < len(s.logs) && float64(i) == tf {
		return s.logs[i]
	}
	return logWith(tf+1, s.logFactor)
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
