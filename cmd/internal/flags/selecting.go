package flags

import (
	"slices"
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
