package naive

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Shape bounds random corpora.
type Shape struct {
	Name                 string
	Docs, Terms, Classes [2]int  // least and most
	Skew                 bool    // classes differ much in size
	Empty                float64 // share of documents without terms
	Unlabelled           float64 // share of documents without labels
	Multi                float64 // chance of each further label
	Everywhere           bool    // the first term is in every document
	Hapaxes              float64 // share of terms that occur once
	LargeTF              bool    // frequencies around and far beyond a byte
	Reals                bool    // values that are not whole
}

// Shapes are the kinds of corpora that break engines.
var Shapes = []Shape{
	{Name: "tiny", Docs: [2]int{1, 3}, Terms: [2]int{1, 4}, Classes: [2]int{1, 3}},
	{Name: "plain", Docs: [2]int{5, 30}, Terms: [2]int{3, 20}, Classes: [2]int{2, 5}},
	{Name: "one class", Docs: [2]int{1, 10}, Terms: [2]int{1, 8}, Classes: [2]int{1, 1}},
	{Name: "two classes", Docs: [2]int{2, 20}, Terms: [2]int{2, 12}, Classes: [2]int{2, 2}},
	{Name: "skewed", Docs: [2]int{10, 60}, Terms: [2]int{5, 20}, Classes: [2]int{2, 8}, Skew: true},
	{Name: "one document a class", Docs: [2]int{3, 12}, Terms: [2]int{3, 10}, Classes: [2]int{12, 12}},
	{Name: "empty documents", Docs: [2]int{3, 25}, Terms: [2]int{2, 12}, Classes: [2]int{2, 4}, Empty: .5},
	{Name: "unlabelled", Docs: [2]int{4, 25}, Terms: [2]int{3, 12}, Classes: [2]int{1, 4}, Unlabelled: .4},
	{Name: "multi-label", Docs: [2]int{3, 25}, Terms: [2]int{3, 12}, Classes: [2]int{2, 6}, Multi: .4},
	{Name: "every label", Docs: [2]int{2, 10}, Terms: [2]int{2, 8}, Classes: [2]int{2, 4}, Multi: 1},
	{Name: "everywhere", Docs: [2]int{3, 20}, Terms: [2]int{2, 8}, Classes: [2]int{2, 4}, Everywhere: true},
	{Name: "hapaxes", Docs: [2]int{5, 20}, Terms: [2]int{10, 40}, Classes: [2]int{2, 5}, Hapaxes: .8},
	{Name: "large counts", Docs: [2]int{4, 20}, Terms: [2]int{2, 8}, Classes: [2]int{2, 4}, LargeTF: true},
	{
		Name: "all at once", Docs: [2]int{10, 40}, Terms: [2]int{8, 25}, Classes: [2]int{2, 8},
		Skew: true, Empty: .1, Unlabelled: .2, Multi: .2, Hapaxes: .3, LargeTF: true,
	},
	{Name: "long lists", Docs: [2]int{150, 250}, Terms: [2]int{5, 12}, Classes: [2]int{2, 6}, Skew: true, Unlabelled: .1, Multi: .1},
	{Name: "many classes", Docs: [2]int{5, 40}, Terms: [2]int{3, 8}, Classes: [2]int{300, 2000}, Multi: .001},
}

// RandomCorpus makes a corpus of a shape. Every class has a document and every
// term occurs; without Multi there are at most as many classes as documents,
// with it documents take several. The order of terms and of classes is not that
// of their names.
func RandomCorpus(r *rand.Rand, shape Shape) Corpus {
	docs, terms, classes := between(r, shape.Docs), between(r, shape.Terms), between(r, shape.Classes)
	if shape.Multi == 0 {
		classes = min(classes, docs)
	}
	c := Corpus{Docs: make([]Doc, docs)}
	for t := range terms {
		c.Terms = append(c.Terms, fmt.Sprintf("%c%02d", []rune("zaé_M中😀0")[t%8], terms-t))
	}
	for k := range classes {
		c.Classes = append(c.Classes, fmt.Sprintf("%c%04d", []rune("mBü文")[k%4], classes-k))
	}
	label(r, shape, c)
	fill(r, shape, c)
	return c
}

func between(r *rand.Rand, bounds [2]int) int { return bounds[0] + r.IntN(bounds[1]-bounds[0]+1) }

// label gives every class a document, then the other documents their labels.
func label(r *rand.Rand, shape Shape, c Corpus) {
	order := r.Perm(len(c.Docs))
	for k := range c.Classes {
		d := &c.Docs[order[k%len(order)]]
		d.Labels = append(d.Labels, k)
	}
	for i := range c.Docs {
		d := &c.Docs[i]
		if len(d.Labels) == 0 && r.Float64() >= shape.Unlabelled {
			k := r.IntN(len(c.Classes))
			if shape.Skew {
				k = r.IntN(1 + r.IntN(1+k))
			}
			d.Labels = append(d.Labels, k)
		}
		if len(d.Labels) > 0 {
			d.Labels = further(r, shape, d.Labels, len(c.Classes))
		}
	}
}

// further adds labels that the document has not yet.
func further(r *rand.Rand, shape Shape, labels []int, classes int) []int {
	for k := range classes {
		if !contains(labels, k) && r.Float64() < shape.Multi {
			labels = append(labels, k)
		}
	}
	return labels
}

// fill gives the documents their terms.
func fill(r *rand.Rand, shape Shape, c Corpus) {
	var open []int // documents that may hold terms
	for i := range c.Docs {
		c.Docs[i].Counts = map[int]float64{}
		if shape.Everywhere || r.Float64() >= shape.Empty {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		open = []int{0}
	}
	for t := range c.Terms {
		if r.Float64() >= shape.Hapaxes {
			spread(r, shape, c, t, open)
		}
		if t == 0 && shape.Everywhere {
			for _, d := range open {
				c.Docs[d].Counts[t] = frequency(r, shape)
			}
		}
		if !slices.ContainsFunc(c.Docs, func(d Doc) bool { return d.Counts[t] > 0 }) {
			c.Docs[open[r.IntN(len(open))]].Counts[t] = 1
		}
	}
}

// spread puts a term into documents at random, mostly into those of one class,
// into exactly those with one frequency, or into the others.
func spread(r *rand.Rand, shape Shape, c Corpus, t int, open []int) {
	kind, class, constant := r.IntN(5), r.IntN(len(c.Classes)), frequency(r, shape)
	for _, i := range open {
		d := c.Docs[i]
		mine := contains(d.Labels, class)
		chance, tf := 1/float64(2+t/2), frequency(r, shape)
		switch {
		case kind == 1 && mine:
			chance = .8
		case kind == 2: // perfect, without variance within classes
			chance, tf = 0, constant
			if mine {
				chance = 1
			}
		case kind == 3 && mine:
			chance = 0
		}
		if r.Float64() < chance {
			d.Counts[t] = tf
		}
	}
}

func frequency(r *rand.Rand, shape Shape) float64 {
	if shape.Reals {
		return r.Float64() + .01
	}
	if shape.LargeTF {
		switch r.IntN(4) {
		case 0:
			return float64(253 + r.IntN(6))
		case 1:
			return float64(1 + r.IntN(100_000))
		}
	}
	return float64(1 + r.IntN(4)*r.IntN(3))
}
