package report

import (
	"encoding/binary"
	"math"
)

// This file packs counts and p-values. explore_counts.js unpacks them: the numbers and their order are the same
// in both.

// What the numbers say. Numbers that say the same stand together, where gzip finds what repeats.
const (
	ofClasses   = iota // classes that have the term
	ofGap              // classes between two that have it
	ofDocuments        // those of a cell beyond the first
	ofMore             // occurrences in a cell beyond one in each document
	ofSquares          // squares beyond the least that documents and occurrences allow
	ofDF               // df beyond the documents of the cells
	ofCF
	ofFirstP // a p-value of a cell
	ofNextP  // the same beside that of such counts in another class
	ofTermP
	kindsOfNumbers
)

// numbers are non-negative numbers below 2^53 in seven bits a byte, the lowest first, by what they say.
type numbers [kindsOfNumbers][]byte

func (n *numbers) add(of int, v uint64) { n[of] = binary.AppendUvarint(n[of], v) }

// addSigned adds a number twice as large, and one less if it is negative.
func (n *numbers) addSigned(of int, v int64) { n[of] = binary.AppendVarint(n[of], v) }

// packed returns the lengths of all kinds, and the numbers.
func (n *numbers) packed() (data []byte) {
	for _, of := range n {
		data = binary.AppendUvarint(data, uint64(len(of)))
	}
	for _, of := range n {
		data = append(data, of...)
	}
	return data
}

// packCounts packs the counts of terms in so many classes, term by term. A number that follows from those
// before is left out.
func (t *ExploreTerms) packCounts(classes int) []byte {
	var c numbers
	for i := range t.Names {
		df, cf, next := t.DF[i], t.CF[i], uint32(0)
		if classes > 0 {
			c.add(ofClasses, uint64(t.Start[i+1]-t.Start[i]))
		}
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			class, a, s := t.Class[j], t.A[j], t.S[j]
			c.add(ofGap, uint64(class-next))
			c.add(ofDocuments, a-1)
			c.add(ofMore, s-a)
			if t.Q != nil && a > 1 && s > a {
				c.add(ofSquares, (t.Q[j]-leastSquares(a, s))/2)
			}
			df, cf, next = df-a, cf-s, class+1
		}
		c.addSigned(ofDF, int64(df))
		c.addSigned(ofCF, int64(cf))
	}
	return c.packed()
}

// perDecade is how many steps a decade of p-values has in the page.
const perDecade = 100

// stepsOf returns a p-value, given by its log10, in steps from 1 down.
func stepsOf(log10 float64) int64 { return int64(math.Round(perDecade * min(math.Abs(log10), 1e12))) }

// cellCounts is what a p-value of a cell depends on.
type cellCounts struct {
	class           uint32
	a, s, q, df, cf uint64
}

// keyOfCell returns what the p-value of a cell may depend on: documents alone, occurrences alone, or all.
func (t *ExploreTerms) keyOfCell(kind, i, j int) (k cellCounts) {
	k.class = t.Class[j]
	if kind != cellOccurrences {
		k.a, k.df = t.A[j], t.DF[i]
	}
	if kind != cellDocuments {
		k.s, k.cf = t.S[j], t.CF[i]
	}
	if kind >= cellAll && t.Q != nil {
		k.q = t.Q[j]
	}
	return k
}

const (
	cellDocuments = iota
	cellOccurrences
	cellAll
	cellEach // p-values that the counts do not tell
)

// kindOfP returns what the p-values of cells depend on, and the different ones.
func (t *ExploreTerms) kindOfP() (kind int, different map[cellCounts]int64) {
	for kind := range cellEach {
		different, same := map[cellCounts]int64{}, true
		for i := 0; same && i < len(t.Names); i++ {
			for j := t.Start[i]; j < t.Start[i+1]; j++ {
				k, p := t.keyOfCell(kind, i, j), stepsOf(t.CellLog10P[j])
				if before, known := different[k]; !known {
					different[k] = p
				} else if before != p {
					same = false
				}
			}
		}
		if same {
			return kind, different
		}
	}
	return cellEach, nil
}

// packP packs the p-values. Those of a class with the same counts are the same, which is there once, and
// those of other classes are near it. That of a term is near the least of its cells.
func (t *ExploreTerms) packP() []byte {
	var c numbers
	kind, left, near := cellEach, map[cellCounts]int64(nil), map[cellCounts]int64{}
	if t.CellLog10P != nil {
		kind, left = t.kindOfP()
	}
	c.add(ofTermP, uint64(kind))
	for i := range t.Names {
		largest := int64(0)
		for j := t.Start[i]; t.CellLog10P != nil && j < t.Start[i+1]; j++ {
			p, k := stepsOf(t.CellLog10P[j]), t.keyOfCell(kind, i, j)
			largest = max(largest, p)
			if _, first := left[k]; !first && kind != cellEach {
				continue
			}
			delete(left, k)
			k.class = 0
			if before, known := near[k]; known {
				c.addSigned(ofNextP, p-before)
			} else {
				c.add(ofFirstP, uint64(p))
			}
			near[k] = p
		}
		c.addSigned(ofTermP, stepsOf(t.Log10P[i])-largest)
	}
	return c.packed()
}
