package resample

import (
	"context"
	"math"
	"math/bits"

	"github.com/termsift/termsift/engine/pool"
)

// measureAgreement compares selections. terms are the terms that some selection has.
func (s *Stability) measureAgreement(ctx context.Context, chosen [][]uint32, terms []uint32, threads int) (err error) {
	counts := newSelectionCounts(chosen, s.Terms)
	s.Kuncheva = counts.kunchevaIndex()
	counts.setNogueira(s)
	s.Jaccard, err = meanJaccard(ctx, chosen, terms, s.Terms, threads)
	return err
}

// selectionCounts has the counts from which kunchevaIndex and setNogueira compute an index
// without comparing pairs.
type selectionCounts struct {
	chosen        [][]uint32
	n             float64 // terms of the corpus
	timesSelected []int   // by term: selections that have it
	total         float64 // sum of the sizes of the selections
}

// newSelectionCounts counts the terms of selections out of n terms.
func newSelectionCounts(chosen [][]uint32, n int) *selectionCounts {
	c := &selectionCounts{chosen: chosen, n: float64(n), timesSelected: make([]int, n)}
	for _, own := range chosen {
		c.total += float64(len(own))
		for _, t := range own {
			c.timesSelected[t]++
		}
	}
	return c
}

// kunchevaIndex returns Stability.Kuncheva. A term in h selections is common to h(h-1)/2
// pairs; the sum of these is that of the common terms of all pairs.
func (c *selectionCounts) kunchevaIndex() float64 {
	k, m := float64(len(c.chosen[0])), float64(len(c.chosen))
	for _, own := range c.chosen {
		if len(own) != len(c.chosen[0]) {
			return math.NaN()
		}
	}
	if k == 0 || k == c.n {
		return math.NaN()
	}
	common := 0.0
	for _, h := range c.timesSelected {
		common += float64(h) * float64(h-1) / 2
	}
	r := common / (m * (m - 1) / 2)
	return (float64(r*c.n) - float64(k*k)) / (k * (c.n - k))
}

// normal975 is the normal quantile of 0.975.
const normal975 = 1.959963984540054

// setNogueira computes the index, Φ in the paper, and its interval by the variance of Φ to
// the first order in the share of each term.
func (c *selectionCounts) setNogueira(a *Stability) {
	a.Nogueira, a.NogueiraLow, a.NogueiraHigh = math.NaN(), math.NaN(), math.NaN()
	m := float64(len(c.chosen))
	mean := c.total / m / c.n // share of the terms that a selection has
	random := mean * (1 - mean)
	if random == 0 {
		return
	}
	variance := 0.0
	for _, h := range c.timesSelected {
		p := float64(h) / m
		variance += float64(p * (1 - p))
	}
	a.Nogueira = 1 - m/(m-1)*variance/c.n/random
	parts, sum := make([]float64, len(c.chosen)), 0.0
	for i, own := range c.chosen {
		parts[i] = c.nogueiraInfluence(own, a.Nogueira, mean) / random
		sum += parts[i]
	}
	spread := 0.0
	for _, v := range parts {
		spread += float64((v - sum/m) * (v - sum/m))
	}
	half := float64(normal975 * 2 / m * math.Sqrt(spread))
	a.NogueiraLow, a.NogueiraHigh = a.Nogueira-half, a.Nogueira+half
}

// nogueiraInfluence returns what a selection adds to Φ, up to a constant and a factor.
func (c *selectionCounts) nogueiraInfluence(own []uint32, phi, mean float64) float64 {
	common := 0.0
	for _, t := range own {
		common += float64(c.timesSelected[t])
	}
	share := float64(len(own)) / c.n
	return common/float64(len(c.chosen))/c.n - float64(share*mean) + float64(phi/2*(float64(2*share*mean)-share-mean+1))
}

// meanJaccard compares all pairs as bitmaps over the terms that were ever selected.
func meanJaccard(ctx context.Context, chosen [][]uint32, terms []uint32, n, threads int) (float64, error) {
	place := make([]uint32, n)
	for i, t := range terms {
		place[t] = uint32(i)
	}
	width := len(terms)/64 + 1
	sets := make([]uint64, width*len(chosen))
	for i, own := range chosen {
		for _, t := range own {
			sets[i*width+int(place[t]>>6)] |= 1 << (place[t] & 63)
		}
	}
	sums := make([]float64, len(chosen)) // by selection: over its pairs with those before
	err := pool.Run(ctx, threads, len(chosen), func(_, i int) error {
		for j := range i {
			sums[i] += jaccardIndex(len(chosen[i]), len(chosen[j]), countCommon(sets[i*width:][:width], sets[j*width:][:width]))
		}
		return nil
	})
	sum := 0.0
	for _, s := range sums {
		sum += s
	}
	m := float64(len(chosen))
	return sum / (m * (m - 1) / 2), err
}

// jaccardIndex returns the Jaccard index of sets of a and b elements, common of them in both.
func jaccardIndex(a, b, common int) float64 {
	if a+b == 0 {
		return 1
	}
	return float64(common) / float64(a+b-common)
}

// countCommon returns the number of bits set in both a and b.
func countCommon(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}
