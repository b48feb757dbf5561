package engine

import (
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// Scoring says which measure to compute and how. The zero value is chi-square,
// the largest value over the classes.
type Scoring struct {
	// By names the measure, see [Measures]; "" is chi.
	By string
	// Combine makes one value of a term's class values: max, avg (weighted by
	// P(c)), sum or mean; "" is the measure's default.
	Combine string
	// Weight is the column that ocfs looks at; "" is tf.
	Weight string
	// Base of the logarithm of mi, emi, ig, ece, rs and rsw; 0 is e.
	Base float64
	// RSD is the constant d of rs and rsw; 0 is 1/6.
	RSD float64
	// Signed keeps the sign of ttest.
	Signed bool
	// Yates corrects chi for continuity.
	Yates bool
	// PValues asks for the p-value of every value, of the measures that have one, see
	// [WithPValues]: the chance of a value as large where term and class are
	// independent. The largest class value of K classes counts as K tests
	// (Bonferroni), a class value as one.
	PValues bool
	// Exact takes the p-values of chi, ngl, g2 and emi from Fisher's exact test,
	// two-sided, of the table that the value comes from: always, not only where few
	// documents are expected, so that no two terms are compared by different tests.
	Exact bool
	// Own are measures of the caller's, found by their names before the
	// standard ones.
	Own []score.Measure
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// MeasureInfo describes a measure.
type MeasureInfo = score.Info

// Measures lists the standard measures in order.
func Measures() []MeasureInfo { return slices.Clone(score.NewRegistry(score.Options{}).Infos()) }

// Combinations lists the ways to combine class values; "class" asks for the
// class values themselves.
func Combinations() []string { return score.Combinations() }

// A plan is a scoring that was checked against the registry.
type plan struct {
	measure score.Measure
	info    MeasureInfo
	combine string // "" = the measure's own value
	label   string // how results call the combination
	weight  store.Weighting
	own     bool // the measure is the caller's
	base    float64
	tested  *distribution // nil without p-values
	exact   bool
}

// mayBeUndefined says that a value may be inf - inf: the largest of a standard
// measure's class values and its own value are always defined.
func (p plan) mayBeUndefined() bool {
	return p.own || p.combine != "" && p.combine != score.Max
}

func (p plan) choice() score.Choice {
	return score.Choice{Measure: p.measure, Info: p.info, Combine: p.combine}
}

func (o Scoring) plan() (p plan, err error) {
	if o.By == "" {
		o.By = "chi"
	}
	opt := score.Options{Base: o.Base, RSD: o.RSD, Signed: o.Signed, Yates: o.Yates}
	if err := opt.Validate(); err != nil {
		return p, usage("%v", err)
	}
	registry := score.NewRegistry(opt, o.Own...)
	var ok bool
	if p.measure, p.info, ok = registry.Lookup(o.By); !ok {
		return p, unknown("measure", o.By, registry.Names())
	}
	p.own = slices.ContainsFunc(o.Own, func(m score.Measure) bool { return m.Name() == o.By })
	if p.weight, err = parseWeighting(o.Weight); err != nil {
		return p, err
	}
	if o.Combine != "" && !slices.Contains(score.Combinations(), o.Combine) {
		return p, unknown("combination", o.Combine, score.Combinations())
	}
	p.combine, p.label = o.Combine, o.Combine
	if o.Combine == "" || !p.info.Combinable && o.Combine != score.ByClass {
		p.combine, p.label = "", p.info.Default
	}
	if o.Combine == score.ByClass && !p.info.Combinable {
		return p, usage("%s has one value for a term, none for each class; leave the combination away", o.By)
	}
	p.base, p.exact = o.Base, o.Exact
	switch {
	case o.PValues:
		p.tested, err = p.distribution()
	case o.Exact:
		err = usage("exact tests give p-values, and none are asked for")
	}
	return p, err
}

// Validate reports an unknown name or a parameter out of range without any
// data.
func (o Scoring) Validate() error {
	_, err := o.plan()
	return err
}
