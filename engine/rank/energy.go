package rank

import (
	"math"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// An EnergyShare is the number of best terms that hold a share of the sum of all values.
type EnergyShare struct {
	Share float64 `json:"share"`
	Terms int     `json:"terms"`
}

// Energy returns, for each share in (0, 1], the smallest number of best terms whose values
// add up to that share of the sum of all values: p* of Yan et al. 2005. A sum that falls
// short of the share by a relative 4e-12 counts as reaching it, since values as close as
// that are ties. A share of 1 takes every term with a value above 0. Infinite values hold
// the whole sum, in equal parts. If all values are 0, the numbers are 0.
//
// A value that is negative or undefined is a usage error.
func (r *Ranking) Energy(shares ...float64) ([]int, error) {
	for _, share := range shares {
		if !(0 < share && share <= 1) {
			return nil, usage.Errorf("a share of the energy must be above 0 and at most 1, not %v", share)
		}
	}
	e, worst := NewEnergy(r.values)
	if worst >= 0 {
		return nil, usage.Errorf("energy needs values that are not negative; %s of %q is %s", r.Measure, r.stats.Names.Term(worst), tsv.FormatValue(r.values[worst]))
	}
	terms := make([]int, len(shares))
	for i, share := range shares {
		terms[i] = e.Terms(share)
	}
	return terms, nil
}

// An Energy holds the sums of the best 1, 2, ... values that are not 0, in units of
// the largest of them, so that no sum overflows.
type Energy []float64

// nearlyAll is the fraction of a share from which a sum counts as reaching it.
const nearlyAll = 1 - 4e-12

// NewEnergy returns the energy of values, and -1. If a value is negative or undefined, it
// returns the index of the worst one instead.
func NewEnergy(values []float64) (e Energy, worst int) {
	order := TopK(values, len(values))
	if n := len(order); n > 0 {
		if last := order[n-1]; !(values[last] >= 0) {
			return nil, last
		}
	}
	sum := 0.0
	for _, i := range order {
		v, largest := values[i], values[order[0]]
		switch {
		case v == 0, v < largest && math.IsInf(largest, 1):
			return e, -1
		case v == largest:
			sum++ // also Inf/Inf
		default:
			sum += v / largest
		}
		e = append(e, sum)
	}
	return e, -1
}

// Terms returns the smallest number of best terms that hold a share.
func (e Energy) Terms(share float64) int {
	if len(e) == 0 || share == 1 {
		return len(e)
	}
	enough := float64(float64(share*nearlyAll) * e[len(e)-1])
	n := 0
	for e[n] < enough {
		n++
	}
	return n + 1
}

// Shares returns the shares that are recorded with a selection: 80, 90, 95 and 99 percent.
func (e Energy) Shares() (shares []EnergyShare) {
	for _, share := range []float64{.8, .9, .95, .99} {
		shares = append(shares, EnergyShare{share, e.Terms(share)})
	}
	return shares
}
