package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Options say which measure to compute and how. The zero value is chi-square, with the
// largest value over the classes.
type Options struct {
	// Measure is the name of a measure, see [Measures], or a formula with its name, such as
	// mine=A*D/(B*C), see [score.Formula]; "" is chi, and so is "chi2".
	Measure Measure
	// Combine says how the class values of a term become one value: Max, Avg (weighted by
	// P(c)), Sum or Mean; "" is the default of the measure.
	Combine Combination
	// Weight is the weighting whose sums ocfs reads; "" is tf. Of pearson and spearman it is what of a
	// document they compare with the target: tf, [table.Binary], whether it has the term, or [table.Share].
	Weight table.Weighting
	// Base is that of the logarithm of mi, emi, ig, ece, rs and rsw; 0 is e.
	Base float64
	// RSD is the constant d of rs and rsw; 0 is 1/6.
	RSD float64
	// Signed keeps the sign of ttest and the measures of a target; else these are sizes.
	Signed bool
	// Positive asks for values of the classes that have more of a term, see [score.Sign]. A
	// term that no class has more of, or not the one class that is asked for, has no value:
	// it is NaN, ranks last, and is left out of lists. It goes with the combinations Max and
	// ByClass, and not with p-values, which are two-sided.
	Positive bool
	// Yates corrects chi for continuity.
	Yates bool
	// Smooth is k of simplemaths, which it adds to the occurrences in a million tokens; 0 is 1.
	Smooth float64
	// ZetaC is c of zetalog, which it adds to the shares of documents; 0 is 1.1.
	ZetaC float64
	// BM25 and ReduceFrequent are variants of ctfidf, see [score.Options].
	BM25, ReduceFrequent bool
	// SeedWords are terms whose values of ctfidf are multiplied by SeedMultiplier; 0 is 2. Those
	// that are no terms are named by a warning.
	SeedWords      []string
	SeedMultiplier float64
	// PValues asks for the p-value of every value, for measures that have one, see
	// [WithPValues]: the probability of a value at least as large if term and class are
	// independent. The largest value of K classes counts as K tests (Bonferroni), the
	// value of one class as a single test.
	PValues bool
	// Exact takes the p-values of chi, ngl, g2 and emi from Fisher's exact test,
	// two-sided, of the table that the value comes from. It does so for every term, not
	// only where few documents are expected, so that no two terms are compared by
	// different tests.
	Exact bool
	// Own are measures of the caller. Their names take precedence over those of the
	// standard measures.
	Own []score.Measure
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Settings declares the options that users set, beside the measure: the command has a flag for each, the library for C,
// Python and R an option. Their values are the fields of o.
func (o *Options) Settings() []usage.Setting {
	return []usage.Setting{
		{
			Name: "combine", To: (*string)(&o.Combine), Choices: Combinations(),
			Help: "one value of a term's class values: " + strings.Join(Combinations(), ", "),
		},
		{
			Name: "weight", To: (*string)(&o.Weight), Default: "tf", Choices: weightNames(),
			Help: "column of ocfs: tf, tfidf, tfidf-unit, ltc or binary; pearson and spearman compare tf, binary or share with a target",
		},
		{Name: "signed", To: &o.Signed, More: true, Help: "keep the sign of ttest and the measures of a target"},
		{Name: "yates", To: &o.Yates, More: true, Help: "correct chi for continuity (Yates)"},
		{Name: "base", To: &o.Base, More: true, Help: "base of the logarithms (default e)"},
		{Name: "rs-d", To: &o.RSD, More: true, Help: "constant d of rs and rsw (default 1/6)"},
		{Name: "smooth", To: &o.Smooth, Default: 1., More: true, Positive: true, Help: "constant k of simplemaths, occurrences in a million"},
		{Name: "zeta-c", To: &o.ZetaC, Default: 1.1, More: true, Positive: true, Help: "constant c of zetalog"},
		{Name: "bm25", To: &o.BM25, More: true, Help: "weight the terms of ctfidf as BM25 does"},
		{Name: "reduce-frequent", To: &o.ReduceFrequent, More: true, Help: "take the roots of the shares of ctfidf"},
		{Name: "seed-words", To: &o.SeedWords, More: true, Help: "terms that ctfidf prefers"},
		{Name: "seed-multiplier", To: &o.SeedMultiplier, Default: DefaultSeedMultiplier, More: true, Positive: true, Help: "factor of ctfidf for the seed words"},
		{Name: "positive", To: &o.Positive, Help: "only terms that their class has more of than all documents"},
		{Name: "p-values", To: &o.PValues, Help: "tell log10 of the p-values, too"},
		{Name: "exact", To: &o.Exact, More: true, Help: exactHelp()},
	}
}

// What takes a while to make of settings is made once: a call of the library reads them.
var (
	weightNames = sync.OnceValue(func() (names []string) {
		for _, w := range append(table.Weightings(), table.Share) {
			names = append(names, string(w))
		}
		return names
	})
	exactHelp = sync.OnceValue(func() string {
		return "p-values of " + strings.Join(WithExactTest(), ", ") + " by Fisher's exact test"
	})
)

// A Measure is the name of a measure, see [Measures], or a formula.
type Measure string

// The standard measures; package score says what they are.
const (
	DF       Measure = "df"
	CF       Measure = "cf"
	DIA      Measure = "dia"
	MI       Measure = "mi"
	EMI      Measure = "emi"
	IG       Measure = "ig"
	ECE      Measure = "ece"
	Chi      Measure = "chi"
	NGL      Measure = "ngl"
	GSS      Measure = "gss"
	OR       Measure = "or"
	LOR      Measure = "lor"
	RS       Measure = "rs"
	RSW      Measure = "rsw"
	BNS      Measure = "bns"
	TTest    Measure = "ttest"
	OCFS     Measure = "ocfs"
	ChiTF    Measure = "chitf"
	G2       Measure = "g2"
	G2TF     Measure = "g2tf"
	ANOVA    Measure = "anova"
	Gini     Measure = "gini"
	DFS      Measure = "dfs"
	NDM      Measure = "ndm"
	Acc2     Measure = "acc2"
	RF       Measure = "rf"
	PR       Measure = "pr"
	LogOdds  Measure = "logodds"
	LogOddsZ Measure = "logoddsz"
)

// The new measures, see [NewMeasures].
const (
	JLH         Measure = "jlh"
	GND         Measure = "gnd"
	Zeta        Measure = "zeta"
	ZetaCraig   Measure = "zetacraig"
	ZetaEder    Measure = "zetaeder"
	ZetaLog     Measure = "zetalog"
	SimpleMaths Measure = "simplemaths"
	CTFIDF      Measure = "ctfidf"
)

// The measures of a target: they need tables whose classes are numbers, one for each document.
const (
	Pearson  Measure = "pearson"
	Trend    Measure = "trend"
	Spearman Measure = "spearman"
)

// A Combination is the name of a way to make one value of the class values of a term.
type Combination string

// The combinations. Total and Global cannot be asked for: they mark the values of
// measures that compute a single value for a term by themselves.
const (
	Max     Combination = score.Max
	Avg     Combination = score.Avg // weighted by P(c)
	Sum     Combination = score.Sum
	Mean    Combination = score.Mean
	ByClass Combination = score.ByClass // no combination: the class values themselves
	Total   Combination = "total"
	Global  Combination = "global"
)

// MeasureInfo describes a measure.
type MeasureInfo = score.Info

// Measures returns the standard measures in order, but for the new ones and those of a target: what "all" stands for.
func Measures() []MeasureInfo {
	return slices.DeleteFunc(slices.Clone(standardMeasures().Infos()), func(m MeasureInfo) bool { return m.New || m.Target })
}

// NewMeasures returns the other standard measures in order: what "new" stands for. They came after
// results had been published that [Measures] are all of.
func NewMeasures() []MeasureInfo {
	return slices.DeleteFunc(slices.Clone(standardMeasures().Infos()), func(m MeasureInfo) bool { return !m.New })
}

// KnownMeasures returns [Measures] and [NewMeasures].
func KnownMeasures() []MeasureInfo { return append(Measures(), NewMeasures()...) }

// EveryMeasure returns [KnownMeasures] and [TargetMeasures]: what may be asked for by name.
func EveryMeasure() []MeasureInfo { return append(KnownMeasures(), TargetMeasures()...) }

// standardMeasures returns the standard measures with the usual parameters. To make them took two
// fifths of a call that scores two numbers.
var standardMeasures = sync.OnceValue(func() *score.Registry { return score.NewRegistry(score.Options{}) })

// Combinations returns the names of the ways to combine class values, including "class",
// which asks for the class values themselves.
func Combinations() []string {
	return []string{score.Max, score.Avg, score.Sum, score.Mean, score.ByClass}
}

// A Plan is a set of options after [Options.Resolve] has checked them and looked up the
// measure.
type Plan struct {
	measure  score.Measure // nil for one that posting lists tell
	info     MeasureInfo
	combine  Combination // "" for the value that the measure computes by itself
	label    Combination // the name of the combination in results
	weight   table.Weighting
	own      bool          // the measure is the caller's
	signed   score.Measure // which tells signs: that of positive values is measure
	sized    bool          // values that posting lists tell have no sign
	positive bool
	base     float64
	seeding  *seeding      // nil without seed words
	tested   *distribution // nil without p-values
	exact    bool
	threads  int
}

// isFormula reports whether the measure is a formula.
func (p Plan) isFormula() bool {
	_, ok := p.signed.(*score.Formula)
	return ok
}

// Formula returns the formula of the measure if its user wrote it, else "".
func (p Plan) Formula() string {
	if p.isFormula() {
		return p.info.Formula
	}
	return ""
}

// FromCells reports whether the cells of a term tell its value, so that a [score.Panel] computes it by [Plan.Choice].
// Else posting lists do: see [Plan.byLists].
func (p Plan) FromCells() bool { return p.measure != nil }

// Choice returns the measure in the form that a [score.Panel] takes, if it is one [Plan.FromCells].
func (p Plan) Choice() score.Choice {
	return score.Choice{Measure: p.measure, Info: p.info, Combine: string(p.combine)}
}

// Measure returns the name of the measure.
func (p Plan) Measure() Measure { return Measure(p.info.Name) }

// OfTarget reports whether the measure is one of a target, see [TargetMeasures].
func (p Plan) OfTarget() bool { return p.info.Target }

// UsesTokens reports whether the measure reads token counts.
func (p Plan) UsesTokens() bool { return p.info.UsesTokens }

// Combination returns how class values are combined; "" if the measure computes one value
// by itself.
func (p Plan) Combination() Combination { return p.combine }

// byClass returns the choice that computes the class values of the measure.
func (p Plan) byClass() []score.Choice {
	return []score.Choice{{Measure: p.measure, Info: p.info, Combine: score.ByClass}}
}

// Column returns the weighting whose sums the measure reads. It is tf for measures that
// read none, so that they share a pass with the plain counts.
func (p Plan) Column() table.Weighting {
	if p.info.Name == string(OCFS) {
		return p.weight
	}
	return table.TF
}

// parameters returns those of the measures.
func (o Options) parameters() (score.Options, error) {
	opt := score.Options{
		Base: o.Base, RSD: o.RSD, Signed: o.Signed, Yates: o.Yates, Smooth: o.Smooth, ZetaC: o.ZetaC,
		BM25: o.BM25, ReduceFrequent: o.ReduceFrequent,
		Presence: o.Weight == table.Binary && slices.Contains(comparesValues, o.Measure),
	}
	if err := opt.Validate(); err != nil {
		return opt, usage.Errorf("%v", err)
	}
	return opt, nil
}

// Resolve checks the options and looks up the measure.
func (o Options) Resolve() (p Plan, err error) {
	o.Measure = cmp.Or(o.Measure, Chi)
	if p.own = slices.ContainsFunc(o.Own, func(m score.Measure) bool { return m.Name() == string(o.Measure) }); !p.own {
		o.Measure = Measure(score.Canonical(string(o.Measure)))
	}
	opt, err := o.parameters()
	if err != nil {
		return p, err
	}
	registry := standardMeasures()
	if opt != (score.Options{}) || len(o.Own) > 0 {
		registry = score.NewRegistry(opt, o.Own...)
	}
	if err := p.lookUp(o, registry); err != nil {
		return p, err
	}
	if p.weight, err = o.weightOf(p.info); err != nil {
		return p, err
	}
	if o.Combine != "" && !slices.Contains(Combinations(), string(o.Combine)) {
		return p, usage.Unknown("combination", string(o.Combine), Combinations())
	}
	p.combine, p.label = o.Combine, o.Combine
	if o.Combine == "" || !p.info.Combinable && o.Combine != ByClass {
		p.combine, p.label = "", Combination(p.info.Default)
	}
	if o.Combine == ByClass && !p.info.Combinable {
		return p, usage.Errorf("%s has one value for a term, none for each class; omit the combination", o.Measure)
	}
	p.base, p.exact, p.threads, p.sized = o.Base, o.Exact, o.Threads, !o.Signed
	p.signed = p.measure
	if p.seeding, err = seedingOf(o); err != nil {
		return p, err
	}
	if o.Positive {
		if err := p.takePositive(o.PValues); err != nil {
			return p, err
		}
	}
	switch {
	case o.PValues:
		p.tested, err = p.distribution()
	case o.Exact:
		err = usage.Errorf("exact tests give p-values, and none are asked for")
	}
	return p, err
}

// lookUp sets the measure.
func (p *Plan) lookUp(o Options, registry *score.Registry) error {
	if score.IsFormula(string(o.Measure)) {
		f, err := score.NewFormula(string(o.Measure))
		if err != nil {
			return err
		}
		p.own, p.measure, p.info = true, f, f.Info()
		return nil
	}
	p.own = slices.ContainsFunc(o.Own, func(m score.Measure) bool { return m.Name() == string(o.Measure) })
	var ok bool
	p.measure, p.info, ok = registry.Lookup(string(o.Measure))
	if !ok {
		return UnknownMeasure("measure", string(o.Measure), registry.Names())
	}
	// Cells do not tell spearman of values, and pearson and spearman of shares.
	if o.Measure == Spearman && o.Weight != table.Binary || o.Measure == Pearson && o.Weight == table.Share {
		p.measure, p.info.UsesTokens = nil, true
	}
	return nil
}

// takePositive leaves the values of classes that have more of a term.
func (p *Plan) takePositive(pValues bool) error {
	switch {
	case p.label != Max && p.label != ByClass:
		return usage.Errorf("positive values are those of classes: of %s they go with the combinations %s and %s, not %s: add --combine class", p.info.Name, Max, ByClass, p.label)
	case pValues:
		return usage.Errorf("p-values are two-sided: omit them or the positive values")
	}
	p.positive = true
	p.measure = score.Positive(p.measure)
	return nil
}

// leaveOut makes the values undefined that [score.Positive] does not have.
func (p Plan) leaveOut(values []float64) {
	if !p.positive {
		return
	}
	for i, v := range values {
		if math.IsInf(v, -1) {
			values[i] = math.NaN()
		}
	}
}

// Sums returns the weighting whose sums must be counted beforehand; "" if there is none.
func (p Plan) Sums() table.Weighting {
	if w := p.Column(); w != table.TF && w != table.Binary {
		return w
	}
	return ""
}

// Validate returns an error for an unknown name or a parameter out of range. It needs no
// data.
func (o Options) Validate() error {
	_, err := o.Resolve()
	return err
}

// UnknownMeasure returns the error for a name that is none of those known. It suggests names
// by the titles of measures, too, and by what other programs call them: for "information_gain" it is ig. Of a measure
// that went it says what to do instead.
func UnknownMeasure(kind, name string, known []string) *usage.UnknownError {
	e := usage.Unknown(kind, name, known).WithTitles(func(yield func(name, title string) bool) {
		for m := range score.Described() {
			if m.Title != m.FamilyOf && slices.Contains(known, m.Name) && !(yield(m.Name, m.Title) && yield(m.Name, m.Name)) {
				return
			}
		}
		for _, other := range score.Others() {
			if slices.Contains(known, other.Measure) && !yield(other.Measure, other.Name) {
				return
			}
		}
	})
	e.Gone = score.Gone(name)
	plain := strings.NewReplacer("-", "", "_", "", " ", "")
	for _, w := range table.Weightings() {
		if plain.Replace(strings.ToLower(name)) == plain.Replace(string(w)) {
			e.Remedy = string(w) + " is a weighting of rows, and no measure that ranks terms"
		}
	}
	return e
}

// Script returns JavaScript that computes the measures with the parameters of options, and formulas such as
// mine=A*D/(B*C), in a page: see [score.Registry.Script].
func Script(o Options, formulas ...string) (string, error) {
	opt, err := o.parameters()
	if err != nil {
		return "", err
	}
	var own []score.Measure
	for _, text := range formulas {
		f, err := score.NewFormula(text)
		if err != nil {
			return "", err
		}
		own = append(own, f)
	}
	return score.NewRegistry(opt, own...).Script()
}
