package rank

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

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
		own := sets[i*width:][:width]
		for j := range i {
			common := 0
			for k, word := range sets[j*width:][:width] {
				common += bits.OnesCount64(word & own[k])
			}
			if all := len(chosen[i]) + len(chosen[j]); all > 0 {
				sums[i] += float64(common) / float64(all-common)
			} else {
				sums[i]++
			}
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

// A Bound tells which terms are stable, and how many of them are false, that is, chosen for
// noise alone, in expectation at most: Meinshausen and Bühlmann, JRSS B 72 (2010) 417.
//
// It supposes that noise terms are exchangeable, that the selection is better than a random one,
// and enough halves, 100 or more.
type Bound struct {
	// Threshold is the least share of the halves, above 1/2 and at most 1, that select a stable term.
	Threshold float64
	// PFER bounds the expected number of false stable terms: K²/((2·Threshold - 1)·Terms).
	PFER float64
	// Unimodal is the bound of Shah and Samworth, JRSS B 75 (2013) 55, for complementary halves and
	// shares whose distribution has a single mode. It counts terms that are seldom selected, not
	// noise, and needs no exchangeable terms. It is NaN where it is not defined.
	Unimodal float64
	// Stable is the number of stable terms, the first ones of Selected.
	Stable int
}

// bounded reports whether stable terms are asked for.
func (o StabilityOptions) bounded() bool { return o.Threshold != 0 || o.PFER != 0 }

// validateBound returns an error for what cannot go with stable terms.
func (o StabilityOptions) validateBound() error {
	switch {
	case !o.bounded() && o.Complementary:
		return usage.Errorf("complementary halves are for stable terms: give a threshold, or a number of false terms (PFER)")
	case !o.bounded():
		return nil
	case o.Threshold != 0 && !(o.Threshold > .5 && o.Threshold <= 1):
		return usage.Errorf("the threshold of stable terms must be above 0.5 and at most 1, not %v", o.Threshold)
	case o.PFER != 0 && !(o.PFER > 0 && !math.IsInf(o.PFER, 1)):
		return usage.Errorf("the expected number of false terms (PFER) must be a number above 0, not %v", o.PFER)
	case o.Folds != 0 || o.Share != 0:
		return usage.Errorf("stable terms are those of halves of the documents, not of folds or another share")
	case o.K > 0 && o.Threshold != 0 && o.PFER != 0:
		return usage.Errorf("two of k, the threshold and the number of false terms (PFER) give the third: omit one")
	case o.K == 0 && o.Threshold == 0:
		return usage.Errorf("a number of false terms (PFER) needs k, the terms that each half selects, or a threshold, such as 0.9")
	case o.K == 0 && o.PFER == 0:
		return usage.Errorf("a threshold needs k, the terms that each half selects, or a number of false terms (PFER)")
	}
	return nil
}

// complete sets whichever of K and Threshold follows from the other two, of so many terms.
func (o *StabilityOptions) complete(terms int) error {
	p := float64(terms)
	switch {
	case !o.bounded():
	case o.K == 0:
		if o.K = mostSelected(o.PFER, o.Threshold, p); o.K == 0 {
			return usage.Errorf("of %d terms no k keeps the false ones at %v with a threshold of %v: allow more, or raise the threshold", terms, o.PFER, o.Threshold)
		}
	case o.Threshold == 0:
		o.Threshold = leastThreshold(o.PFER, float64(o.K), p)
	}
	return nil
}

// falseTerms returns the bound of Meinshausen and Bühlmann for q selected of p terms.
func falseTerms(q, threshold, p float64) float64 {
	return q * q / (float64(2*threshold-1) * p)
}

// leastThreshold returns the threshold that keeps the bound, 1 if none does.
func leastThreshold(pfer, q, p float64) float64 {
	least := float64(q*q/float64(pfer*p)) + 1
	return min(1, max(least/2, math.Nextafter(.5, 1)))
}

// mostSelected returns the largest q, at most p, that keeps the bound. A threshold such as 0.7 is
// the decimal that was meant, not the binary number a little below it.
func mostSelected(pfer, threshold, p float64) int {
	square := pfer * p * float64(2*threshold-1)
	return int(min(p, math.Floor(math.Sqrt(float64(square*(1+1e-12))))))
}

// unimodal returns the bound of Shah and Samworth for so many pairs of complementary halves.
func unimodal(q, threshold, p, pairs float64) float64 {
	theta, half := q/p, 1/(2*pairs)
	c := (1 + 1/pairs) / (4 * (1 - threshold + half))
	if threshold <= .75 {
		c = 2 * (float64(2*threshold) - 1 - half)
		square := float64(theta * theta)
		if c <= 0 || threshold < .5+min(square, half+float64(.75*square)) {
			return math.NaN()
		}
	}
	return q * q / p / c
}

// bound sets Bound and warns of what it does not promise.
func (s *Stability) bound(o StabilityOptions) {
	if !o.bounded() {
		return
	}
	q, p := float64(o.K), float64(s.Terms)
	b := &Bound{Threshold: o.Threshold, PFER: falseTerms(q, o.Threshold, p), Unimodal: math.NaN()}
	if o.Complementary {
		b.Unimodal = unimodal(q, o.Threshold, p, float64(o.Samples))
	}
	for _, t := range s.Selected {
		if t.Share >= b.Threshold {
			b.Stable++
		}
	}
	s.Bound = b
	warn := func(format string, args ...any) { s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...)) }
	if s.Samples < fewHalves {
		warn("the bound on false terms needs %d halves or more, and there are %d", fewHalves, s.Samples)
	}
	if o.PFER != 0 && b.PFER > o.PFER*(1+1e-9) {
		warn("no threshold keeps the false terms at %v with k = %d of %d terms: with the largest, 1, the bound is %.4g; take a smaller k", o.PFER, o.K, s.Terms, b.PFER)
	}
	if b.Stable > 0 && b.PFER >= float64(b.Stable) {
		warn("the bound, %.4g false terms, promises nothing of %d: take a smaller k or a higher threshold", b.PFER, b.Stable)
	}
}

// fewHalves is the number of halves that the bound needs.
const fewHalves = 100
