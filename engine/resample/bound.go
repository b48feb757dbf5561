package resample

import (
	"fmt"
	"math"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file has stability selection: which terms are stable, and how many of them may be false.

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
		return usage.Errorf("two of k, the threshold and the number of false terms (PFER) give the third: leave one away")
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

// Criterion keeps the stable terms. [selection.Select] makes a selection of them by the same
// measure. It is invalid if no bound was asked for.
func (s *Stability) Criterion() selection.Criterion {
	if s.Bound == nil {
		return selection.Criterion{}
	}
	var terms []string
	for _, t := range s.Selected[:s.Bound.Stable] {
		terms = append(terms, t.Term)
	}
	return selection.Listed("stability", fmt.Sprintf("%v of %d halves, k %d", s.Bound.Threshold, s.Samples, s.K), terms)
}
