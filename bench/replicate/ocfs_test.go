package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/termsift/termsift/bench/testkit"
)

// The paper calls information gain greedy. Of single terms that is right against the information gain of a group: the
// two best terms may be copies, which tell no more than one.
func TestInformationOfAGroupIsNoSum(t *testing.T) {
	classes := []int{0, 0, 0, 0, 1, 1, 1, 1}
	has := [][]int{ // by term, whether each document has it
		{1, 1, 1, 0, 0, 0, 0, 0},
		{1, 1, 1, 0, 0, 0, 0, 0}, // a copy
		{0, 0, 0, 1, 0, 0, 0, 0}, // what the first one misses
	}
	first, copied, third := groupGain(classes, has[0]), groupGain(classes, has[1]), groupGain(classes, has[2])
	testkit.Equal(t, first == copied && copied > third, true, "the copy is second", first, copied, third)
	testkit.Close(t, groupGain(classes, has[0], has[1]), first, 1e-12, 0, "a copy tells nothing more")
	testkit.Close(t, groupGain(classes, has[0], has[2]), math.Ln2, 1e-12, 0, "the third tells the rest")
}

// groupGain is the information that the presence of several terms tells of the class, in nats.
func groupGain(classes []int, terms ...[]int) (gain float64) {
	joint, ofClass, ofPattern := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for d, class := range classes {
		pattern := 0
		for _, has := range terms {
			pattern = 2*pattern + has[d]
		}
		share := 1 / float64(len(classes))
		joint[[2]int{class, pattern}] += share
		ofClass[class] += share
		ofPattern[pattern] += share
	}
	for key, p := range joint {
		gain += p * math.Log(p/(ofClass[key[0]]*ofPattern[key[1]]))
	}
	return gain
}

// Orthogonal Centroid (Park, Jeon and Rosen 2003) projects on the orthogonal factor Q of the centroids of the classes.
// It reaches the largest value of the objective trace(QᵀS_bQ), trace(S_b), with as many directions as classes. OCFS
// takes the objective over single columns: each adds its own value, so that the best k by value are the best k of all.
func TestOrthogonalCentroidReachesTheWholeObjective(t *testing.T) {
	r := rand.New(rand.NewPCG(2005, 28))
	for range 50 {
		columns, classes := 4+r.IntN(8), 2+r.IntN(3)
		rows, of := make([][]float64, 30), make([]int, 30)
		for i := range rows {
			of[i] = i % classes
			for range columns {
				rows[i] = append(rows[i], float64(r.IntN(4)+of[i]*r.IntN(2)))
			}
		}
		g := group(rows, of)
		between := g.between
		testkit.Close(t, g.orthogonalCentroid(), mat.Trace(between), 1e-12, 1e-12, "the objective of Orthogonal Centroid")
		best, second := -1., -1. // of single columns, and of pairs
		pair := 0.
		for i := range columns {
			v := between.At(i, i)
			if v > best {
				best, second = v, best
			} else {
				second = max(second, v)
			}
			for j := range i {
				pair = max(pair, v+between.At(j, j))
			}
		}
		testkit.Close(t, best+second, pair, 1e-12, 0, "the best two columns are the best pair")
		testkit.Equal(t, pair <= mat.Trace(between)*(1+1e-12), true, "no selection is above the extraction")
	}
}
