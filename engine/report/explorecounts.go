package report

import (
	"encoding/binary"
	"math"
)

// This file packs counts and p-values. explore_counts.js unpacks them: the numbers and their order are the same
// in both.

// What the numbers say. Numbers that say the same stand together, where gzip finds what repeats.
const (
	ofTotal   = iota // documents of all cells of a term
	ofClasses        // classes that have the term
	ofGap            // classes between two that have it
	ofDocuments
	ofMore    // occurrences of a term beyond one in each document
	ofShare   // those in a class
	ofSquares // squares beyond the least that documents and occurrences allow
	ofDF      // df beyond the documents of the cells
	ofCF
	ofFirstP // a p-value of a cell
	ofNextP  // the same beside that of such counts in another class
	ofTermP
	kindsOfNumbers
)

// numbers are non-negative numbers below 2^53 in seven bits a byte, the lowest first, by what they say.
type numbers [kindsOfNumbers][]byte

func (n *numbers) add(of int, v uint64) { n[of] = binary.AppendUvarint(n[of], v) }

// addSigned adds a number's size, and whether it is negative unless it is 0.
func (n *numbers) addSigned(of int, v int64) {
	switch {
	case v < 0:
		n[of] = append(binary.AppendUvarint(n[of], uint64(-v)), 1)
	case v > 0:
		n[of] = append(binary.AppendUvarint(n[of], uint64(v)), 0)
	default:
		n[of] = append(n[of], 0)
	}
}

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
		total, more := uint64(0), uint64(0)
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			total, more = total+t.A[j], more+t.S[j]-t.A[j]
		}
		if classes > 0 {
			c.add(ofTotal, total)
			t.packCells(&c, i, classes, total, more)
		}
		c.addSigned(ofDF, int64(t.DF[i]-total))
		c.addSigned(ofCF, int64(t.CF[i]-total-more))
	}
	return c.packed()
}

// packCells packs the cells of a term, which have so many documents, and occurrences more than these.
func (t *ExploreTerms) packCells(c *numbers, i, classes int, total, more uint64) {
	cells := uint64(t.Start[i+1] - t.Start[i])
	if total > 1 && classes > 1 {
		c.add(ofClasses, cells-1)
	}
	if total > 0 {
		c.add(ofMore, more)
	}
	next, docs, rest := uint64(0), total, more
	for j := t.Start[i]; j < t.Start[i+1]; j++ {
		left, class, a, s := uint64(t.Start[i+1]-j), uint64(t.Class[j]), t.A[j], t.S[j]-t.A[j]
		if left < uint64(classes)-next {
			c.add(ofGap, class-next)
		}
		if left > 1 && docs > left {
			c.add(ofDocuments, a-1)
		}
		if left > 1 && rest > 0 {
			c.add(ofShare, s)
		}
		if t.Q != nil && a > 1 && s > 0 {
			c.add(ofSquares, (t.Q[j]-leastSquares(a, t.S[j]))/2)
		}
		next, docs, rest = class+1, docs-a, rest-s
	}
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

// kindOfP returns what the p-values of cells depend on.
func (t *ExploreTerms) kindOfP() int {
	for kind := range cellEach {
		seen, same := map[cellCounts]int64{}, true
		for i := 0; same && i < len(t.Names); i++ {
			for j := t.Start[i]; j < t.Start[i+1]; j++ {
				k, p := t.keyOfCell(kind, i, j), stepsOf(t.CellLog10P[j])
				before, known := seen[k]
				same = same && (!known || before == p)
				seen[k] = p
			}
		}
		if same {
			return kind
		}
	}
	return cellEach
}

// packP packs the p-values. Those of a class with the same counts are the same, which is there once, and
// those of other classes are near it. That of a term is near the least of its cells.
func (t *ExploreTerms) packP() []byte {
	var c numbers
	kind, seen, near := cellEach, map[cellCounts]bool{}, map[cellCounts]int64{}
	if t.CellLog10P != nil {
		kind = t.kindOfP()
	}
	c.add(ofTermP, uint64(kind))
	for i := range t.Names {
		largest := int64(0)
		for j := t.Start[i]; t.CellLog10P != nil && j < t.Start[i+1]; j++ {
			p, k := stepsOf(t.CellLog10P[j]), t.keyOfCell(kind, i, j)
			largest = max(largest, p)
			if kind != cellEach && seen[k] {
				continue
			}
			seen[k] = true
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
