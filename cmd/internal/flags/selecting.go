package flags

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

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

// Register adds the flags. others are methods of --by beside the measures, for its help.
func (f *Selecting) Register(flags *pflag.FlagSet, others ...string) {
	f.Scoring.Register(flags)
	f.RegisterPositive(flags)
	f.RegisterPValues(flags)
	flags.StringVar(&f.By, "by", "chi", strings.Join(append([]string{"measure"}, others...), "; or "))
	f.Rules.Register(flags)
	flags.BoolVar(&f.PerClass, "per-class", false, "select for each class and unite")
	flags.BoolVar(&f.RoundRobin, "round-robin", false, "the best of each class in turn, K in all")
	flags.StringVar(&f.Then, "then", "", "a second stage: measure that selects among the terms of the first")
	flags.StringVar(&f.Keep, "keep", "", "file of terms to keep whatever their value, one a line")
	flags.StringVar(&f.Drop, "drop", "", "file of terms to leave out, one a line")
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
		if err := r.put(s); err != nil {
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
