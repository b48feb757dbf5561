package flags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// This file handles the flags that say how many terms a selection keeps.

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
