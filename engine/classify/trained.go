package classify

import "slices"

// trained is what naive Bayes, the centroids and the neighbours have in common.
type trained struct {
	kind    string
	classes []string
	columns int
	major   int
}

func newTrained(kind string, m *Matrix) trained {
	x := trained{kind: kind, classes: slices.Clone(m.Classes), columns: m.Columns}
	sizes := m.sizes()
	for c, n := range sizes {
		if n > sizes[x.major] {
			x.major = c
		}
	}
	return x
}

// Kind names the classifier.
func (x *trained) Kind() string { return x.kind }

// Classes are the names of the classes in the order of their bytes.
func (x *trained) Classes() []string { return x.classes }

// Columns is the number of columns that the model knows.
func (x *trained) Columns() int { return x.columns }

// Largest is the class with the most training rows, the first of several: what a row
// without evidence is given.
func (x *trained) Largest() int { return x.major }

// Assign appends the class with the highest score, the first of several: the scores
// of these models decide among the classes, not about each. Without evidence no class
// is assigned.
func (x *trained) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if !evidence {
		return dst
	}
	highest := 0
	for c, score := range scores {
		if score > scores[highest] {
			highest = c
		}
	}
	return append(dst, uint32(highest))
}
