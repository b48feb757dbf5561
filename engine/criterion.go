package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score/pvalue"
)

// A criterion says how many of the terms to choose from are kept. All are made of the
// same parts: a value in its domain, and a choice that gives the places of the terms
// that it keeps, best first.
type criterion struct {
	name    string
	value   any
	set     bool
	valid   bool
	domain  string // that the value must be in
	take    choice
	pvalues bool // it looks at p-values
	shares  bool // what it keeps depends on all terms to choose from
}

type choice func(ctx context.Context, list *candidates) ([]int, error)

func (c criterion) String() string { return fmt.Sprint(c.name, " ", c.value) }

// criteria are all there are; one should be set.
func (o *Selecting) criteria() []criterion {
	least := 0.0
	if o.MinScore != nil {
		least = *o.MinScore
	}
	count := func(name string, n int, take choice) criterion {
		return criterion{name: name, value: n, set: n != 0, valid: n > 0, domain: "positive", take: take}
	}
	share := func(name string, v, most float64, take choice) criterion {
		return criterion{name: name, value: v, set: v != 0, valid: 0 < v && v <= most, domain: fmt.Sprintf("above 0 and at most %v", most), take: take, shares: true}
	}
	level := func(name string, v float64, passing func(lnp []float64, level float64) int) criterion {
		return criterion{
			name: name, value: v, set: v != 0, valid: 0 < v && v < 1, domain: "above 0 and below 1",
			take: significant(v, passing), pvalues: true, shares: name != "fpr",
		}
	}
	return []criterion{
		count("k", o.K, theBest(o.K)),
		share("percentile", o.Percentile, 100, thePercentile(o.Percentile)),
		{name: "min-score", value: least, set: o.MinScore != nil, valid: !math.IsNaN(least), domain: "a number", take: atLeast(least)},
		share("energy", o.Energy, 1, theEnergy(o.Energy)),
		level("fpr", o.FPR, pvalue.FPR),
		level("fdr", o.FDR, pvalue.FDR),
		level("fwe", o.FWE, pvalue.Holm),
		count("per-document", o.PerDocument, ofEachDocument(o.PerDocument)),
	}
}

// criterion is the one that is set.
func (o *Selecting) criterion() (rule criterion, err error) {
	all := o.criteria()
	var names []string
	set := 0
	for _, c := range all {
		names = append(names, c.name)
		if c.set {
			rule = c
			set++
		}
	}
	switch {
	case set != 1:
		last := len(names) - 1
		return rule, usage("say how many terms to select: exactly one of %s and %s", strings.Join(names[:last], ", "), names[last])
	case !rule.valid:
		return rule, usage("%s must be %s, not %v", rule.name, rule.domain, rule.value)
	}
	return rule, nil
}

func theBest(k int) choice {
	return func(_ context.Context, list *candidates) ([]int, error) { return list.best(k), nil }
}

func thePercentile(percent float64) choice {
	return func(_ context.Context, list *candidates) ([]int, error) {
		return list.best(int(math.Ceil(float64(percent*float64(len(list.values))) / 100))), nil
	}
}

func atLeast(least float64) choice {
	return func(_ context.Context, list *candidates) ([]int, error) {
		n := 0
		for _, v := range list.values {
			if v >= least {
				n++
			}
		}
		return list.best(n), nil
	}
}

// significant keeps the terms of the least p-values, in the order of their values,
// which is another than that of an exact test's p-values.
func significant(level float64, passing func(lnp []float64, level float64) int) choice {
	return func(ctx context.Context, list *candidates) ([]int, error) {
		lnp, err := list.lnP(ctx)
		if err != nil {
			return nil, err
		}
		n := passing(lnp, level)
		for i := range lnp {
			lnp[i] = -lnp[i]
		}
		places := topK(lnp, n)
		slices.SortFunc(places, func(a, b int) int {
			return rankOrder(newCandidate(a, list.values[a]), newCandidate(b, list.values[b]))
		})
		return places, nil
	}
}

// A nearMiss is the term that comes nearest to passing.
type nearMiss struct {
	term  string
	value float64 // or log10 of its p-value
	known bool
}

// add looks at a list of which nothing passes.
func (n *nearMiss) add(list *candidates, passed []int, pvalues bool) {
	if len(passed) > 0 || len(list.values) == 0 {
		return
	}
	nearest, value := 0, math.Inf(-1)
	for i := range list.values {
		v := list.values[i]
		if pvalues {
			v = -log10(list.r.lnP(list.term(i)))
		}
		if v > value {
			nearest, value = i, v
		}
	}
	if !n.known || value > n.value {
		*n = nearMiss{list.r.of.terms.Term(list.term(nearest)), value, true}
	}
}

// nothing is the error for a selection of no terms.
func (m *selector) nothing() error {
	text := fmt.Sprintf("none of the %d terms passes %s", m.field.len(), m.rule)
	switch {
	case !m.near.known:
	case m.rule.pvalues:
		text += fmt.Sprintf("; the least p-value is that of %q, %s", m.near.term, probability(-m.near.value))
	default:
		text += fmt.Sprintf("; the largest value is that of %q, %s", m.near.term, FormatValue(m.near.value))
	}
	return fmt.Errorf("%w: %s", ErrNothingSelected, text)
}

// probability writes one of which log10 is known; it may be far too small for a
// float64.
func probability(log10p float64) string {
	if log10p > -4 {
		return fmt.Sprintf("%.3g", math.Pow(10, log10p))
	}
	return fmt.Sprintf("1e%.1f", log10p)
}
