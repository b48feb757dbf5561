package rank

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"
)

// Chance is the same on every machine and with every number of threads: each draw has a generator of its own,
// seeded by (seed, number of the draw), and what becomes of the generator's numbers is written out here, for
// package rand may change its own ways.

// drawBelow returns a number less than n, all equally likely (Lemire, ACM Trans. Model. Comput.
// Simul. 29 (2019) 3).
func drawBelow(r *rand.PCG, n uint64) uint64 {
	high, low := bits.Mul64(r.Uint64(), n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(r.Uint64(), n)
		}
	}
	return high
}

// DrawOrder returns a permutation of the numbers less than n, all equally likely (Fisher & Yates).
func DrawOrder(n int, seed, draw uint64) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	r := rand.NewPCG(seed, draw)
	for i := n - 1; i > 0; i-- {
		j := drawBelow(r, uint64(i)+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// MostDraws is the largest number of permutations. Each takes eight bytes for every worker.
const MostDraws = 10_000_000

// Reached counts the draws in which the values of terms are at least as large as those observed. Values within a
// relative 4e-12 are equal; any value reaches one that is undefined.
type Reached struct {
	Draws int
	// Every says that the draws are all that there are, that which was observed among them. Else it is one more.
	Every bool

	least    []float64   // by term: what reaches the observed value
	hits     []uint32    // by term
	tested   []bool      // the terms of which the largest values are; nil for all
	largest  [][]float64 // by worker and draw
	ofTested []float64   // the largest values of all workers, ascending, once [Reached.Join] has them
}

// NewReached returns counts for the observed values of all terms. Unless tested is nil, the largest
// values of draws, by which [Reached.PMax] goes, are those of the terms for which it is set.
func NewReached(observed []float64, tested []bool, draws, workers int) *Reached {
	r := &Reached{Draws: draws, least: make([]float64, len(observed)), hits: make([]uint32, len(observed)), tested: tested, largest: make([][]float64, workers)}
	for t, v := range observed {
		switch {
		case math.IsNaN(v):
			r.least[t] = math.Inf(-1)
		case math.IsInf(v, 0):
			r.least[t] = v
		default:
			r.least[t] = v - float64(4e-12*math.Abs(v))
		}
	}
	return r
}

// Add counts the values of the terms from the first one on in a draw. Calls for a term come in turn, and so do those of
// a worker.
func (r *Reached) Add(worker, draw, first int, values []float64) {
	if r.largest[worker] == nil {
		r.largest[worker] = slices.Repeat([]float64{math.Inf(-1)}, r.Draws)
	}
	largest := r.largest[worker][draw]
	least, hits := r.least[first:][:len(values)], r.hits[first:][:len(values)]
	for i, v := range values {
		hit := uint32(0)
		if v >= least[i] { // cannot be predicted for rare terms; compiles to no branch
			hit = 1
		}
		hits[i] += hit
		if v > largest && (r.tested == nil || r.tested[first+i]) {
			largest = v
		}
	}
	r.largest[worker][draw] = largest
}

// Join ends the counting.
func (r *Reached) Join() {
	r.ofTested = slices.Repeat([]float64{math.Inf(-1)}, r.Draws)
	for _, own := range r.largest {
		for i, v := range own {
			r.ofTested[i] = max(r.ofTested[i], v)
		}
	}
	slices.Sort(r.ofTested)
	for t, v := range r.least {
		if math.IsInf(v, -1) { // NaN, too, reaches it, but not by comparison
			r.hits[t] = uint32(r.Draws)
		}
	}
}

// P returns the share of draws, the observed one included, in which the value of a term is reached.
func (r *Reached) P(term int) float64 { return r.share(int(r.hits[term])) }

// PMax returns the share in which any term reaches the value (Westfall and Young 1993, single-step maxT).
func (r *Reached) PMax(term int) float64 {
	return r.share(r.Draws - sort.SearchFloat64s(r.ofTested, r.least[term]))
}

func (r *Reached) share(hits int) float64 {
	if r.Every {
		return float64(hits) / float64(r.Draws)
	}
	return float64(1+hits) / float64(1+r.Draws)
}
