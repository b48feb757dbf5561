package naive

import (
	"fmt"
	"math/rand/v2"
)

// A Shape bounds a random corpus.
type Shape struct {
	Name                     string
	Docs, Terms, Classes     int     // most of each
	Empty, Unlabelled, Multi float64 // shares of the documents
	Everywhere               bool    // one term stands in every document
	LargeTF                  bool    // frequencies beyond a byte
}

// Shapes are the kinds of corpora that break engines.
func Shapes() []Shape {
	return []Shape{
		{Name: "tiny", Docs: 3, Terms: 3, Classes: 2},
		{Name: "one class", Docs: 8, Terms: 6, Classes: 1},
		{Name: "small", Docs: 20, Terms: 15, Classes: 4},
		{Name: "empty documents", Docs: 20, Terms: 10, Classes: 3, Empty: .4},
		{Name: "unlabelled", Docs: 25, Terms: 12, Classes: 3, Unlabelled: .3},
		{Name: "multi-label", Docs: 25, Terms: 12, Classes: 5, Multi: .5},
		{Name: "all at once", Docs: 40, Terms: 20, Classes: 6, Empty: .1, Unlabelled: .2, Multi: .4, Everywhere: true, LargeTF: true},
		{Name: "everywhere", Docs: 15, Terms: 8, Classes: 3, Everywhere: true},
		{Name: "large counts", Docs: 12, Terms: 6, Classes: 3, LargeTF: true},
		{Name: "one document a class", Docs: 12, Terms: 10, Classes: 12},
		{Name: "long lists", Docs: 200, Terms: 12, Classes: 5},
	}
}

// RandomCorpus makes a corpus of a shape in which every term occurs and every
// class has a document.
func RandomCorpus(r *rand.Rand, s Shape) Corpus {
	docs := 1 + r.IntN(s.Docs)
	if s.Docs > 100 {
		docs = s.Docs/2 + r.IntN(s.Docs/2) // long enough for Roaring lists
	}
	terms, classes := 1+r.IntN(s.Terms), 1+r.IntN(min(s.Classes, docs))
	c := Corpus{TF: dense(docs, terms), Labels: make([][]int, docs)}
	for t := range terms {
		// Names whose order by bytes is not that of their numbers.
		c.Terms = append(c.Terms, fmt.Sprintf("%c%d", []rune("zaéM中")[t%5], t))
	}
	for k := range classes {
		c.Classes = append(c.Classes, fmt.Sprintf("c%03d", k))
	}
	for d := range docs {
		c.Labels[d] = randomLabels(r, s, d, classes)
		if r.Float64() < s.Empty {
			continue
		}
		for t := range terms {
			// Zipf-like: later terms are rarer, the last of them hapaxes.
			if r.IntN(t+1) == 0 && r.IntN(2) == 0 {
				c.TF[d][t] = randomTF(r, s)
			}
		}
	}
	for t := range terms {
		c.TF[r.IntN(docs)][t] = randomTF(r, s)
	}
	if s.Everywhere {
		for d := range docs {
			c.TF[d][0] = 1 + float64(r.IntN(2))
		}
	}
	return c
}

// randomLabels gives document d its labels; the first documents name every
// class once.
func randomLabels(r *rand.Rand, s Shape, d, classes int) []int {
	if d < classes {
		return []int{d}
	}
	if r.Float64() < s.Unlabelled {
		return nil
	}
	first := r.IntN(1 + r.IntN(classes)) // skewed sizes
	labels := []int{first}
	for k := first + 1; k < classes && r.Float64() < s.Multi; k++ {
		labels = append(labels, k)
	}
	return labels
}

func randomTF(r *rand.Rand, s Shape) float64 {
	if s.LargeTF && r.IntN(3) == 0 {
		return float64(250 + r.IntN(10)) // around the escape of the byte column
	}
	return float64(1 + r.IntN(4)*r.IntN(3))
}
