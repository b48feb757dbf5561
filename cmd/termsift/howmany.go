package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// This file handles the flags that say how many terms a selection keeps, in one or two
// stages.

// A rule is such a flag with its value.
type rule struct {
	name  string
	value float64
	whole int  // the value of a flag of whole numbers
	auto  bool // the value is to be found
}

func (r rule) flag() string {
	if r.name == "number" {
		return "-k"
	}
	return "--" + r.name
}

// rules are the rules given, in order: the first is for the first stage.
type rules []rule

// A ruleFlag is the value of a flag that adds a rule.
type ruleFlag struct {
	name  string
	whole bool // the value is a whole number
	to    *rules
}

func (f ruleFlag) String() string { return "" } // no default

func (f ruleFlag) Type() string {
	if f.whole {
		return "int"
	}
	return "float"
}

func (f ruleFlag) Set(text string) error {
	r := rule{name: f.name}
	var err error
	switch {
	case f.name == "number" && text == "auto":
		r.auto = true
	case f.whole:
		r.whole, err = strconv.Atoi(text)
		r.value = float64(r.whole)
	default:
		r.value, err = strconv.ParseFloat(text, 64)
	}
	*f.to = append(*f.to, r)
	return err
}

func (r *rules) register(c *cobra.Command) {
	add := func(name, short string, whole bool, help string) {
		c.Flags().VarP(ruleFlag{name, whole, r}, name, short, help)
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

// put sets the option of a rule.
func (r rule) put(o *selection.Options) error {
	if r.name != "min-score" && !(r.value > 0) { // the library takes 0 for unset
		return usageError("%s must be positive, not %v", r.flag(), r.value)
	}
	switch r.name {
	case "number":
		o.Keep = selection.Best(r.whole)
	case "percentile":
		o.Keep = selection.Percent(r.value)
	case "energy":
		o.Keep = selection.Energy(r.value)
	case "fpr":
		o.Keep = selection.FPR(r.value)
	case "fdr":
		o.Keep = selection.FDR(r.value)
	case "fwe":
		o.Keep = selection.FWE(r.value)
	case "per-document":
		o.Keep = selection.PerDocument(r.whole)
	case "min-score":
		o.Keep = selection.AtLeast(r.value)
	}
	return nil
}

// stages splits the options of a selection into stages: one, or two with --then. What
// is done with the values of a measure applies to both stages; quotas and the terms to
// keep apply to the last.
func (f *selectingFlags) stages(o selection.Options) ([]selection.Options, error) {
	stages := []selection.Options{o}
	if f.then != "" {
		first, last := o, o
		first.PerClass, first.RoundRobin, first.By.PValues, first.AlwaysKeep = false, false, false, nil
		last.By.Combine = rank.Combination(f.combine) // the flag, not the combination given after the colon of --by
		var err error
		if last.By, err = methods.ParseMeasure(f.then, last.By); err != nil {
			return nil, err
		}
		stages = []selection.Options{first, last}
	}
	switch n := len(f.rules); {
	case f.then == "" && n > 1:
		return nil, usageError("say how many terms to select by one flag, not by %s; a second one goes with --then", f.rules)
	case f.then != "" && n != 2:
		return nil, usageError("--then needs two flags that say how many terms to select, one for each stage (-k 10000 --then %s -k 500), not %d", f.then, n)
	}
	tested := false
	for i, r := range f.rules {
		s := &stages[i]
		if err := r.put(s); err != nil {
			return nil, err
		}
		s.By.PValues = s.By.PValues || slices.Contains([]string{"fpr", "fdr", "fwe"}, r.name)
		tested = tested || s.By.PValues
		s.By.Exact = s.By.Exact && s.By.PValues
	}
	if f.exact && !tested {
		return nil, usageError("--exact is for p-values: it goes with --fpr, --fdr, --fwe or --p-values")
	}
	for _, s := range stages {
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	return stages, nil
}

func (r rules) String() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.flag())
	}
	return strings.Join(names, " and ")
}

// tellStage prints the result of a stage.
func (a *app) tellStage(s selection.Stage) {
	if s.Energy != nil {
		var shares []string
		for _, e := range s.Energy {
			shares = append(shares, fmt.Sprintf("%v %% in %d", e.Share*100, e.Terms))
		}
		a.note("energy: %s of %d terms", strings.Join(shares, ", "), s.Candidates)
	}
	if s.Test != "" {
		a.note("p-values of %s: %s", s.Measure, s.Test)
	}
	a.note("selected %d of %d terms by %s, %s", s.Terms, s.Candidates, s.Measure, s.Combine)
}
