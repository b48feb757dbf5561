package flags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

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

// Register adds the flags.
func (r *Rules) Register(flags *pflag.FlagSet) {
	add := func(name, short string, whole bool, help string) {
		flags.VarP(ruleFlag{name, whole, r}, name, short, help)
	}
	add("number", "k", true, "the K best terms, of select also auto; a second one is that of --then")
	add("percentile", "", false, "this share of the terms, in percent")
	add("min-score", "", false, "terms with at least this value")
	add("energy", "", false, "the fewest terms with this share of the values' sum, 0.8 for 80 %")
	add("fpr", "", false, "terms with a p-value below this")
	add("fdr", "", false, "terms among which this share is of false discoveries (Benjamini-Hochberg)")
	add("fwe", "", false, "terms among which any false one is so likely (Holm)")
	add("per-document", "", true, "the best terms of each document, so many (1 is ALOFT)")
}

// Auto reports whether the number of terms is to be found.
func (r Rules) Auto() bool { return slices.ContainsFunc(r, func(rule Rule) bool { return rule.Auto }) }

// put sets the option of a rule.
func (r Rule) put(o *selection.Options) error {
	if r.Name != "min-score" && !(r.Value > 0) { // the library takes 0 for unset
		return usage.Errorf("%s must be positive, not %v", r.Flag(), r.Value)
	}
	switch r.Name {
	case "number":
		o.Keep = selection.Best(r.Whole)
	case "percentile":
		o.Keep = selection.Percent(r.Value)
	case "energy":
		o.Keep = selection.Energy(r.Value)
	case "fpr":
		o.Keep = selection.FPR(r.Value)
	case "fdr":
		o.Keep = selection.FDR(r.Value)
	case "fwe":
		o.Keep = selection.FWE(r.Value)
	case "per-document":
		o.Keep = selection.PerDocument(r.Whole)
	case "min-score":
		o.Keep = selection.AtLeast(r.Value)
	}
	return nil
}

func (r Rules) String() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.Flag())
	}
	return strings.Join(names, " and ")
}
