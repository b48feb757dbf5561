package engine

import (
	"context"
	"math"
)

// An EnergyShare says in how many of the best terms a share of the values' sum is.
type EnergyShare struct {
	Share float64 `json:"share"`
	Terms int     `json:"terms"`
}

// Energy gives for shares in (0, 1] the fewest best terms whose values add up to that
// share of the sum of all: p* of Yan et al. 2005. A sum that is short of it by a
// relative 4e-12 counts as reaching it, since values as near as that are ties; a share
// of 1 takes every term with a value above 0. Where values are infinite, they are
// all of the energy, in equal parts; where all are 0, no term has any.
//
// A value that is negative or undefined is a usage error.
func (r *Ranking) Energy(shares ...float64) ([]int, error) {
	for _, share := range shares {
		if !(0 < share && share <= 1) {
			return nil, usage("a share of the energy must be above 0 and at most 1, not %v", share)
		}
	}
	all := &candidates{field: &field{all: true}, r: r, values: r.values}
	e, err := all.energy()
	if err != nil {
		return nil, err
	}
	terms := make([]int, len(shares))
	for i, share := range shares {
		terms[i] = e.terms(share)
	}
	return terms, nil
}

// An energy holds the sums of the best 1, 2, ... values that are not 0, in units of
// the largest of them, so that no sum overflows.
type energy []float64

// nearlyAll of a share is as good as the share.
const nearlyAll = 1 - 4e-12

func (l *candidates) energy() (energy, error) {
	order := l.best(len(l.values))
	if n := len(order); n > 0 {
		if last := order[n-1]; !(l.values[last] >= 0) {
			return nil, usage("energy needs values that are not negative; %s of %q is %s", l.r.Measure, l.r.of.terms.Term(l.term(last)), FormatValue(l.values[last]))
		}
	}
	var e energy
	sum := 0.0
	for _, i := range order {
		v := l.values[i]
		largest := l.values[order[0]]
		switch {
		case v == 0, v < largest && math.IsInf(largest, 1):
			return e, nil
		case v == largest:
			sum++ // also Inf/Inf
		default:
			sum += v / largest
		}
		e = append(e, sum)
	}
	return e, nil
}

// terms is the number of terms that hold a share.
func (e energy) terms(share float64) int {
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

func theEnergy(share float64) choice {
	return func(_ context.Context, list *candidates) ([]int, error) {
		e, err := list.energy()
		if err != nil {
			return nil, err
		}
		return list.best(e.terms(share)), nil
	}
}

// energyShares are those that are told of a selection; nothing where values are
// negative.
func (l *candidates) energyShares() (shares []EnergyShare) {
	e, err := l.energy()
	if err != nil {
		return nil
	}
	for _, share := range []float64{.8, .9, .95, .99} {
		shares = append(shares, EnergyShare{share, e.terms(share)})
	}
	return shares
}
