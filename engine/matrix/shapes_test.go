package matrix

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/table"
)

// An element of a test matrix.
type element struct {
	document, term int
	value          float64
}

// A sample is a small matrix element by element, with its labels by document.
type sample struct {
	documents, terms, classes int
	elements                  []element
	labels                    [][]int32
}

// A shape says what random samples look like.
type shape struct {
	documents, terms, classes, labels int
	unlabelled                        bool
	value                             func(r *rand.Rand) float64
}

func smallCount(r *rand.Rand) float64 { return float64(1 + r.IntN(3)) }
func one(*rand.Rand) float64          { return 1 }

// upTo returns counts of which some are large.
func upTo(most int) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.IntN(8) == 0 {
			return float64(1 + r.IntN(most))
		}
		return smallCount(r)
	}
}

// shapes need every way of counting.
var shapes = map[string]shape{
	"ones":                        {60, 40, 3, 1, false, one},
	"counts":                      {200, 90, 5, 1, false, smallCount},
	"unlabelled":                  {150, 80, 4, 1, true, upTo(40)},
	"bytes":                       {150, 80, 4, 1, true, upTo(255)},
	"large counts":                {150, 80, 7, 1, true, upTo(100_000)},
	"squares beyond 2^53":         {90, 50, 4, 1, true, upTo(1<<31 - 1)},
	"many classes":                {300, 60, 250, 1, true, smallCount},
	"several labels":              {150, 70, 9, 6, true, upTo(300)},
	"several labels, large":       {90, 50, 4, 3, true, upTo(1<<31 - 1)},
	"more classes than documents": {40, 30, 4000, 3, false, smallCount},
	"one class":                   {40, 30, 1, 1, false, smallCount},
	"one document":                {1, 30, 3, 2, false, smallCount},
	"terms that nobody has":       {30, 100_000, 3, 1, false, smallCount},
	"real values":                 {120, 60, 5, 1, true, func(r *rand.Rand) float64 { return r.Float64() + .01 }},
	"real values, several labels": {90, 50, 5, 4, false, func(r *rand.Rand) float64 { return r.Float64() + .01 }},
	"values near a million":       {90, 30, 3, 1, false, func(r *rand.Rand) float64 { return 1e6 + r.Float64() }},
	"float32 values":              {120, 60, 5, 1, true, func(r *rand.Rand) float64 { return float64(float32(r.Float64() + .01)) }},
}

// sample returns a random sample of the shape, with some zeros.
func (s shape) sample(r *rand.Rand) *sample {
	out := &sample{documents: s.documents, terms: s.terms, classes: s.classes}
	for d := range s.documents {
		var labels []int32
		for range 1 + r.IntN(s.labels) {
			labels = append(labels, int32(r.IntN(s.classes)))
		}
		if s.unlabelled && d%5 == 1 {
			labels = nil
		}
		out.labels = append(out.labels, labels)
		seen := map[int]bool{}
		for range r.IntN(40) {
			term := int(float64(s.terms) * r.Float64() * r.Float64())
			if seen[term] {
				continue
			}
			seen[term] = true
			value := s.value(r)
			if r.IntN(15) == 0 {
				value = 0
			}
			out.elements = append(out.elements, element{d, term, value})
		}
	}
	return out
}

// most returns the largest value.
func (s *sample) most() (most float64, whole bool) {
	whole = true
	for _, e := range s.elements {
		most, whole = max(most, e.value), whole && e.value == float64(int64(e.value))
	}
	return most, whole
}

// corpusOf builds the corpus of the same documents from their features.
func corpusOf(t testing.TB, s *sample) *corpus.Corpus {
	docs := make([]document.Document, s.documents)
	for d := range docs {
		docs[d] = document.Document{ID: strconv.Itoa(d), Features: []document.Feature{}}
		for _, class := range s.labels[d] {
			docs[d].Labels = append(docs[d].Labels, strconv.Itoa(int(class)))
		}
	}
	for _, e := range s.elements {
		if e.value != 0 {
			docs[e.document].Features = append(docs[e.document].Features, document.Feature{Term: strconv.Itoa(e.term), Value: e.value})
		}
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}

// matrixOf returns the sample as a matrix of some types, its elements in order or shuffled.
func matrixOf[I Index, V Value](s *sample, byColumn bool, shuffle *rand.Rand) *Matrix[I, V] {
	lines := make([][]element, s.documents)
	if byColumn {
		lines = make([][]element, s.terms)
	}
	for _, e := range s.elements {
		line := e.document
		if byColumn {
			line = e.term
		}
		lines[line] = append(lines[line], e)
	}
	m := &Matrix[I, V]{Documents: s.documents, Terms: s.terms, ByColumn: byColumn, Start: []I{0}}
	for _, line := range lines {
		slices.SortFunc(line, func(a, b element) int { return a.term - b.term + a.document - b.document })
		if shuffle != nil {
			shuffle.Shuffle(len(line), func(i, j int) { line[i], line[j] = line[j], line[i] })
		}
		for _, e := range line {
			at := e.term
			if byColumn {
				at = e.document
			}
			m.Index, m.Values = append(m.Index, I(at)), append(m.Values, V(e.value))
		}
		m.Start = append(m.Start, I(len(m.Index)))
	}
	return m
}

// labelsOf returns the labels of the sample, with Start nil if each document has one at most.
func labelsOf(s *sample) *Labels {
	y, several := &Labels{Classes: s.classes, Start: []int64{0}}, false
	for _, labels := range s.labels {
		y.Of = append(y.Of, labels...)
		if len(labels) == 0 {
			y.Of = append(y.Of, -1)
		}
		y.Start = append(y.Start, int64(len(y.Of)))
		several = several || len(labels) > 1
	}
	if !several {
		y.Start = nil
	}
	return y
}

// A counter counts a matrix whose types it knows.
type counter interface {
	count(t *testing.T, y *Labels, o Options) (*table.Table, error)
	score(t *testing.T, y *Labels, r *Request) (bool, error)
}

// A typed matrix is one that a table of tests can hold.
type typed[I Index, V Value] struct{ *Matrix[I, V] }

func (m typed[I, V]) count(t *testing.T, y *Labels, o Options) (*table.Table, error) {
	return m.Statistics(t.Context(), y, o)
}

func (m typed[I, V]) score(t *testing.T, y *Labels, r *Request) (bool, error) {
	return m.Score(t.Context(), y, r)
}

// everyType returns the sample by name in all types that hold its values.
func everyType(s *sample, byColumn bool, shuffle *rand.Rand) map[string]counter {
	all := map[string]counter{
		"int32 float64": typed[int32, float64]{matrixOf[int32, float64](s, byColumn, shuffle)},
		"int64 float64": typed[int64, float64]{matrixOf[int64, float64](s, byColumn, shuffle)},
	}
	most, whole := s.most()
	if whole && most < 256 {
		all["int32 uint8"] = typed[int32, uint8]{matrixOf[int32, uint8](s, byColumn, shuffle)}
		all["int64 uint8"] = typed[int64, uint8]{matrixOf[int64, uint8](s, byColumn, shuffle)}
	}
	if whole {
		all["int32 int32"] = typed[int32, int32]{matrixOf[int32, int32](s, byColumn, shuffle)}
		all["int64 int32"] = typed[int64, int32]{matrixOf[int64, int32](s, byColumn, shuffle)}
		all["int32 int64"] = typed[int32, int64]{matrixOf[int32, int64](s, byColumn, shuffle)}
		all["int64 int64"] = typed[int64, int64]{matrixOf[int64, int64](s, byColumn, shuffle)}
	}
	single := true
	for _, e := range s.elements {
		single = single && float64(float32(e.value)) == e.value
	}
	if single {
		all["int32 float32"] = typed[int32, float32]{matrixOf[int32, float32](s, byColumn, shuffle)}
		all["int64 float32"] = typed[int64, float32]{matrixOf[int64, float32](s, byColumn, shuffle)}
	}
	if most == 1 && !slices.ContainsFunc(s.elements, func(e element) bool { return e.value == 0 }) {
		m := matrixOf[int32, uint8](s, byColumn, shuffle)
		m.Values = nil
		all["int32 none"] = typed[int32, uint8]{m}
	}
	return all
}
