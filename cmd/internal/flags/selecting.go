package flags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// Selecting are the flags that say which terms to keep.
type Selecting struct {
	Scoring
	By, Then             string
	Rules                Rules
	PerClass, RoundRobin bool
	Keep, Drop           string // files
}

// Flags returns the flags. others are methods of --by beside the measures, for its help.
func (f *Selecting) Flags(others ...string) []Flag {
	all := slices.Concat([]Flag{{
		Name: "by", To: &f.By, Default: "chi", Group: GroupScoring, List: true, Choices: func([]string) []string { return Combined(methods.Names()) },
		Help: strings.Join(append([]string{"measure"}, others...), "; or "),
	}}, f.Scoring.Flags(), []Flag{f.PositiveFlag()}, f.PValueFlags(), f.Rules.Flags())
	named(all, "weight").Choices = From(selection.Weightings)
	return append(all, In(GroupSelection, []Flag{
		{Name: "per-class", To: &f.PerClass, Applies: OfSingle, Help: "select for each class and unite"},
		{Name: "then", To: &f.Then, Applies: OfSingle, Choices: From(MeasureNames), Help: "a second stage: measure that selects among the terms of the first"},
		{Name: "keep", To: &f.Keep, Reads: AFile, Applies: OfSingle, Help: "file of terms to keep whatever their value, one a line"},
		{Name: "drop", To: &f.Drop, Reads: AFile, Help: "file of terms to leave out, one a line"},
		{Name: "round-robin", To: &f.RoundRobin, More: true, Applies: OfSingle, Help: "the best of each class in turn, K in all"},
	})...)
}

// Terms returns the terms in the files of --keep and --drop.
func (f *Selecting) Terms(files Lists) (keep, drop []string, err error) {
	if f.Keep != "" {
		if keep, err = files.Terms(f.Keep); err != nil {
			return nil, nil, err
		}
	}
	if f.Drop != "" {
		drop, err = files.Terms(f.Drop)
	}
	return keep, drop, err
}

// Stages returns the options of each stage of a selection by a measure: one, or two with
// --then. What is done with the values of a measure applies to both stages; quotas and the
// terms to keep apply to the last.
func (f *Selecting) Stages(by rank.Options, keep, drop []string) ([]selection.Options, error) {
	o := selection.Options{By: by, PerClass: f.PerClass, RoundRobin: f.RoundRobin, AlwaysKeep: keep, AlwaysDrop: drop}
	stages := []selection.Options{o}
	if f.Then != "" {
		first, last := o, o
		first.PerClass, first.RoundRobin, first.By.PValues, first.AlwaysKeep = false, false, false, nil
		last.By.Combine = rank.Combination(f.Combine) // the flag, not the combination given after the colon of --by
		var err error
		if last.By, err = methods.ParseMeasure(f.Then, last.By); err != nil {
			return nil, err
		}
		stages = []selection.Options{first, last}
	}
	switch n := len(f.Rules); {
	case f.Then == "" && n > 1:
		return nil, usage.Errorf("say how many terms to select by one flag, not by %s; a second one goes with --then", f.Rules)
	case f.Then != "" && n != 2:
		return nil, usage.Errorf("--then needs two flags that say how many terms to select, one for each stage (-k 10000 --then %s -k 500), not %d", f.Then, n)
	}
	tested := false
	for i, r := range f.Rules {
		s := &stages[i]
		var err error
		if s.Keep, err = r.criterion(); err != nil {
			return nil, err
		}
		s.By.PValues = s.By.PValues || slices.Contains([]string{"fpr", "fdr", "fwe"}, r.Name)
		tested = tested || s.By.PValues
		s.By.Exact = s.By.Exact && s.By.PValues
	}
	if f.Exact && !tested {
		return nil, usage.Errorf("--exact is for p-values: it goes with --fpr, --fdr, --fwe or --p-values")
	}
	for _, s := range stages {
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	return stages, nil
}

// A Rule is such a flag with its value.
type Rule struct {
	Name  string
	Value float64
	Whole int  // the value of a flag of whole numbers
	Auto  bool // the value is to be found
}

// Flag returns the flag as it is typed.
func (r Rule) Flag() string {
	if r.Name == "number" {
		return "-k"
	}
	return "--" + r.Name
}

// Rules are the rules given, in order: the first is for the first stage.
type Rules []Rule

// A ruleFlag is the value of a flag that adds a rule.
type ruleFlag struct {
	name  string
	whole bool // the value is a whole number
	to    *Rules
}

func (f ruleFlag) String() string { return "" } // no default

func (f ruleFlag) Type() string {
	if f.whole {
		return "int"
	}
	return "float"
}

func (f ruleFlag) Set(text string) error {
	r := Rule{Name: f.name}
	var err error
	switch {
	case f.name == "number" && text == "auto":
		r.Auto = true
	case f.whole:
		r.Whole, err = strconv.Atoi(text)
		r.Value = float64(r.Whole)
	default:
		r.Value, err = strconv.ParseFloat(text, 64)
	}
	*f.to = append(*f.to, r)
	return err
}

// Flags returns the flags.
func (r *Rules) Flags() []Flag {
	all := []Flag{
		{Name: "number", Short: "k", To: ruleFlag{"number", true, r}, Most: Unlimited, Help: "the K best terms, of select also auto; a second one is that of --then"},
		{Name: "percentile", To: ruleFlag{"percentile", false, r}, Help: "this share of the terms, in percent"},
		{Name: "min-score", To: ruleFlag{"min-score", false, r}, Help: "terms with at least this value"},
		{Name: "fdr", To: ruleFlag{"fdr", false, r}, Help: "terms among which this share is of false discoveries (Benjamini-Hochberg)"},
		{Name: "energy", To: ruleFlag{"energy", false, r}, More: true, Help: "the fewest terms with this share of the values' sum, 0.8 for 80 %"},
		{Name: "fpr", To: ruleFlag{"fpr", false, r}, More: true, Help: "terms with a p-value below this"},
		{Name: "fwe", To: ruleFlag{"fwe", false, r}, More: true, Help: "terms among which any false one is so likely (Holm)"},
		{
			Name: "per-document", To: ruleFlag{"per-document", true, r}, Most: Unlimited, More: true, Applies: OfDocuments,
			Help: "the best terms of each document, so many (1 is ALOFT)",
		},
	}
	Like(Flag{Applies: OfSingle}, all[1:])
	return In(GroupSelection, all)
}

// Auto reports whether the number of terms is to be found.
func (r Rules) Auto() bool { return slices.ContainsFunc(r, func(rule Rule) bool { return rule.Auto }) }

// Found returns the rules with the number that was found.
func (r Rules) Found(k int) (known Rules) {
	for _, rule := range r {
		if rule.Auto {
			rule.Auto, rule.Whole, rule.Value = false, k, float64(k)
		}
		known = append(known, rule)
	}
	return known
}

// Number returns the number of terms that the last rule asks for, 0 without one.
func (r Rules) Number() (k int) {
	for _, rule := range r {
		k = rule.Whole
	}
	return k
}

// criteria are what the rules ask of a selection.
var criteria = map[string]func(Rule) selection.Criterion{
	"number":       func(r Rule) selection.Criterion { return selection.Best(r.Whole) },
	"percentile":   func(r Rule) selection.Criterion { return selection.Percent(r.Value) },
	"energy":       func(r Rule) selection.Criterion { return selection.Energy(r.Value) },
	"fpr":          func(r Rule) selection.Criterion { return selection.FPR(r.Value) },
	"fdr":          func(r Rule) selection.Criterion { return selection.FDR(r.Value) },
	"fwe":          func(r Rule) selection.Criterion { return selection.FWE(r.Value) },
	"per-document": func(r Rule) selection.Criterion { return selection.PerDocument(r.Whole) },
	"min-score":    func(r Rule) selection.Criterion { return selection.AtLeast(r.Value) },
}

// criterion returns what a rule asks of a selection.
func (r Rule) criterion() (c selection.Criterion, err error) {
	if r.Name != "min-score" && !(r.Value > 0) { // the library takes 0 for unset
		return c, usage.Errorf("%s must be positive, not %v", r.Flag(), r.Value)
	}
	return criteria[r.Name](r), nil
}

func (r Rules) String() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.Flag())
	}
	return strings.Join(names, " and ")
}
