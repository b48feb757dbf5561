package main

import (
	"math"
	"slices"
)

// enoughPairs is the least number of pairs of runs that have an interval.
const enoughPairs = 6

// A verdict on a benchmark or a job.
type verdict string

const (
	unchanged verdict = "ok"
	slower    verdict = "SLOWER" // fails the gate
	faster    verdict = "faster"
	untold    verdict = "not judged: the interval has the limit in it"
	tooFew    verdict = "not judged: too few runs"
	onlyBase  verdict = "only in base"
	onlyHead  verdict = "only in head"
	notJudged verdict = "not judged, CPU time is"
)

// A comparison of the times of a benchmark or a job in one unit.
type comparison struct {
	pkg, name, unit  string
	base, head       float64 // medians, NaN if there are none
	ratio, low, high float64 // of head to base: the median of the pairs and its interval of 95 %
	verdict          verdict
}

// compare judges head against base, whose runs are pairs; limit is in percent.
func compare(base, head []float64, limit float64) comparison {
	pairs := min(len(base), len(head))
	ratios := make([]float64, pairs)
	for i := range ratios {
		ratios[i] = quotient(head[i], base[i])
	}
	c := comparison{base: median(base), head: median(head), ratio: median(ratios)}
	c.low, c.high = interval(ratios)
	switch most := 1 + limit/100; {
	case len(head) == 0:
		c.verdict = onlyBase
	case len(base) == 0:
		c.verdict = onlyHead
	case pairs < enoughPairs:
		c.verdict = tooFew
	case c.low > most:
		c.verdict = slower
	case c.high > most:
		c.verdict = untold
	case c.high < 1/most:
		c.verdict = faster
	default:
		c.verdict = unchanged
	}
	return c
}

// quotient is 1 of two times that are both nothing.
func quotient(head, base float64) float64 {
	if head == base {
		return 1
	}
	return head / base
}

// interval gives two of the values between which the median of their distribution lies with a probability
// of 95 % or more, whatever the distribution is: as many values are cut off on each side as chance
// leaves beyond the median in no more than 5 % of all samples (David and Nagaraja, Order Statistics, 7.1).
// Of 6 to 8 values none are, of 9 to 11 one.
func interval(values []float64) (low, high float64) {
	if len(values) < enoughPairs {
		return math.NaN(), math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	n := float64(len(s))
	cut, share := 0, math.Pow(2, -n) // that as many values are beyond the median, on one side
	for beyond := share; 2*beyond <= .05; beyond += share {
		cut++
		share *= (n - float64(cut) + 1) / float64(cut)
	}
	return s[cut-1], s[len(s)-cut]
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return newSample(values).median()
}
