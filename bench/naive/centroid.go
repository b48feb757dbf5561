package naive

import (
	"math"
	"sort"
)

// A Centroid is an orthogonal centroid selection with what it comes from.
type Centroid struct {
	Score     []float64   // by term
	Mean      []float64   // by term, over (document, label) pairs
	Centroids [][]float64 // [class][term]
	Order     []int       // terms, best first
	Energy    []float64   // E(p), the share of the first p terms of Order
}

// OCFS is the sum of (n_j/n)(m_j - m)^2 of Yan et al. 2005 over (document,
// label) pairs.
func (tb *Tables) OCFS(weight string) []float64 { return tb.Centroids(weight).Score }

// Centroids gives OCFS with its class centroids, its order and its energy.
func (tb *Tables) Centroids(weight string) Centroid {
	w, v, k := tb.Weights(weight), len(tb.DF), len(tb.NC)
	x := Centroid{Score: make([]float64, v), Mean: make([]float64, v), Centroids: matrix(k, v)}
	for t := range v {
		sum, inClass := 0., make([]float64, k)
		for d, labels := range tb.labels {
			for _, c := range labels {
				inClass[c] += w[d][t]
				sum += w[d][t]
			}
		}
		x.Mean[t] = div(sum, tb.Pairs)
		for c, nj := range tb.NC {
			x.Centroids[c][t] = div(inClass[c], nj)
			// m_j - m with one division: exact numerators where weights are counts.
			difference := div(inClass[c]*tb.Pairs-sum*nj, nj*tb.Pairs)
			x.Score[t] += div(nj, tb.Pairs) * difference * difference
		}
	}
	x.Order = tb.order(x.Score)
	x.Energy = energy(x.Score, x.Order)
	return x
}

// order sorts by score, then df, both descending, then index. Scores within a
// relative 4e-12 are a tie.
func (tb *Tables) order(score []float64) []int {
	order := make([]int, len(score))
	for t := range order {
		order[t] = t
	}
	sort.SliceStable(order, func(i, j int) bool {
		x, y := score[order[i]], score[order[j]]
		if math.Abs(x-y) > 4e-12*math.Max(x, y) {
			return x > y
		}
		return tb.DF[order[i]] > tb.DF[order[j]]
	})
	return order
}

func energy(score []float64, order []int) []float64 {
	total, sum, shares := 0., 0., make([]float64, len(order))
	for _, s := range score {
		total += s
	}
	for p, t := range order {
		sum += score[t]
		shares[p] = div(sum, total)
	}
	return shares
}

// PStar is the smallest number of terms whose energy reaches the share.
func (x Centroid) PStar(share float64) int {
	for p, e := range x.Energy {
		if e >= share-4e-12 {
			return p + 1
		}
	}
	return len(x.Energy)
}
