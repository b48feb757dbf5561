package keyness

import (
	"cmp"
	"math"

	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/kernels"
)

// This file has the conservative log ratio: the least one that the counts of a term do not speak
// against.

// defaultConf is the confidence of its bounds.
const defaultConf = .95

// lowerLogRatio returns a lower bound of log2((a/T1)/(b/T2)), which the true ratio is below with
// the probability alpha: that of Clopper and Pearson for the share of a in a+b.
func (s *scorer) lowerLogRatio(t pairCounts, alpha float64) float64 {
	if t.a == 0 {
		return math.Inf(-1)
	}
	return (kernels.Log(s.t2/s.t1) + pvalue.LogOddsOfBeta(alpha, t.a, t.b+1)) / math.Ln2
}

// risk returns the probability with which the bound of some term may be wrong, divided among the
// terms that are tested.
func (s *scorer) risk() float64 { return (1 - cmp.Or(s.Conf, defaultConf)) / float64(s.tests) }

// conservativeLogRatio is the bound of the two-sided interval on the side of 0, and 0 where the
// interval has 0 in it.
func (s *scorer) conservativeLogRatio(t pairCounts) float64 {
	return max(0, s.lowerLogRatio(t, s.risk()/2))
}

// lowerBound is the bound of the one-sided interval.
func (s *scorer) lowerBound(t pairCounts) float64 { return s.lowerLogRatio(t, s.risk()) }

// sizeOfLL is the size of the log-likelihood.
func (s *scorer) sizeOfLL(t pairCounts) float64 { return math.Abs(s.signedLL(t)) }
