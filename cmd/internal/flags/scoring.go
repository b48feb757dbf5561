package flags

import (
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Scoring are the flags of a measure and its parameters.
type Scoring struct {
	Combine, Weight string
	Base, RSD       float64
	Smooth, ZetaC   float64
	BM25            bool
	ReduceFrequent  bool
	SeedFile        string
	SeedWords       []string // of SeedFile, once they are read
	SeedMultiplier  float64
	Signed, Yates   bool
	Positive        bool
	PValues, Exact  bool
	// OfRows says that Weight is that of the rows that a command makes. Measures of a target compare tf then.
	OfRows bool
}

// Flags returns the flags, but for those of p-values.
func (f *Scoring) Flags() []Flag {
	combine := Flag{
		Name: "combine", To: &f.Combine, Group: GroupScoring, Applies: OfSingle, Choices: From(rank.Combinations),
		Help: "one value of a term's class values: " + strings.Join(rank.Combinations(), ", "),
	}
	return append([]Flag{combine}, f.Parameters()...)
}

// Parameters returns the flags of what measures compute class values by.
func (f *Scoring) Parameters() []Flag {
	return In(GroupScoring, []Flag{
		{
			Name: "weight", To: &f.Weight, Default: "tf", Choices: func([]string) []string { return columnNames() },
			Help: "column of ocfs: tf, tfidf, tfidf-unit, ltc or binary; pearson and spearman compare tf, binary or share with a target",
		},
		{Name: "signed", To: &f.Signed, More: true, Applies: OfSingle, Help: "keep the sign of ttest and the measures of a target"},
		{Name: "yates", To: &f.Yates, More: true, Applies: OfSingle, Help: "correct chi for continuity (Yates)"},
		{Name: "base", To: &f.Base, More: true, Applies: OfSingle, Help: "base of the logarithms (default e)"},
		{Name: "rs-d", To: &f.RSD, More: true, Applies: OfSingle, Help: "constant d of rs and rsw (default 1/6)"},
		{Name: "smooth", To: &f.Smooth, Default: 1., More: true, Positive: true, Applies: OfSingle, Help: "constant k of simplemaths, occurrences in a million"},
		{Name: "zeta-c", To: &f.ZetaC, Default: 1.1, More: true, Positive: true, Applies: OfSingle, Help: "constant c of zetalog"},
		{Name: "bm25", To: &f.BM25, More: true, Applies: OfSingle, Help: "weight the terms of ctfidf as BM25 does"},
		{Name: "reduce-frequent", To: &f.ReduceFrequent, More: true, Applies: OfSingle, Help: "take the roots of the shares of ctfidf"},
		{Name: "seed-words", To: &f.SeedFile, More: true, Reads: AFile, Applies: OfSingle, Help: "file of terms that ctfidf prefers, one a line"},
		{Name: "seed-multiplier", To: &f.SeedMultiplier, Default: 2., More: true, Positive: true, Applies: OfSingle, Help: "factor of ctfidf for the terms of --seed-words"},
	})
}

// PValueFlags returns the flags of p-values.
func (f *Scoring) PValueFlags() []Flag {
	return In(GroupScoring, []Flag{
		{Name: "p-values", To: &f.PValues, Applies: OfSingle, Help: "tell log10 of the p-values, too"},
		{
			Name: "exact", To: &f.Exact, More: true, Applies: OfSingle,
			Help: "p-values of " + strings.Join(rank.WithExactTest(), ", ") + " by Fisher's exact test",
		},
	})
}

// PositiveFlag returns the flag of positive values.
func (f *Scoring) PositiveFlag() Flag {
	return Flag{Name: "positive", To: &f.Positive, Group: GroupScoring, Help: "only terms that their class has more of than all documents"}
}

// RowWeight makes the flag weight among some that of the rows, too, and returns them.
func RowWeight(all []Flag) []Flag {
	f := named(all, "weight")
	f.Default, f.Choices = "ltc", From(selection.Weightings)
	f.Help = "weighting of the rows, and column of ocfs: " + Words(selection.Weightings())
	return all
}

// MeasureNames returns the names of the measures.
func MeasureNames() []string { return namesOf(rank.EveryMeasure()) }

func namesOf(measures []rank.MeasureInfo) (names []string) {
	for _, m := range measures {
		names = append(names, m.Name)
	}
	return names
}

// sets are the names of several measures.
var sets = map[string]func() []rank.MeasureInfo{"all": rank.Measures, "new": rank.NewMeasures}

// ManyMeasures returns what a shell completes where several measures can be named.
func ManyMeasures() []string { return append(MeasureNames(), slices.Sorted(maps.Keys(sets))...) }

// A Named is a measure of a list, possibly with a combination.
type Named struct {
	Text  string
	OfSet bool // it is one of those that "all" or "new" stands for
}

// Several splits a list of measures, in which "all" and "new" stand for those they name.
func Several(list string) (all []Named) {
	for _, text := range usage.SplitNames(list) {
		measures, ok := sets[text]
		if !ok {
			all = append(all, Named{Text: text})
			continue
		}
		for _, name := range namesOf(measures()) {
			all = append(all, Named{name, true})
		}
	}
	return all
}

// columnNames returns the weightings that measures read.
func columnNames() (names []string) {
	for _, w := range append(table.Weightings(), table.Share) {
		names = append(names, string(w))
	}
	return names
}

// Combined adds to each measure among names those with a combination.
func Combined(names []string) []string {
	all := slices.Clone(names)
	for _, m := range rank.EveryMeasure() {
		if !m.Combinable || !slices.Contains(names, m.Name) {
			continue
		}
		for _, c := range rank.Combinations() {
			if c != string(rank.ByClass) {
				all = append(all, m.Name+":"+c)
			}
		}
	}
	return all
}

// ReadSeeds reads the file of --seed-words, if there is one.
func (f *Scoring) ReadSeeds(files Lists) (err error) {
	if f.SeedFile == "" {
		return nil
	}
	if f.SeedWords, err = files.Terms(f.SeedFile); err == nil && len(f.SeedWords) == 0 {
		return usage.Errorf("--seed-words: %s has no word", f.SeedFile)
	}
	return err
}

// Options returns the options of a measure, seed words as [Scoring.ReadSeeds] has read them. A supervised weighting is a weighting of
// rows, not of columns; of the measures only ocfs uses a column.
func (f *Scoring) Options(by string, threads int) rank.Options {
	column := f.Weight
	if factor, err := selection.FactorOf(table.Weighting(f.Weight)); err == nil && factor != "" && by != "ocfs" {
		column = ""
	}
	if f.OfRows && f.Weight != string(table.Binary) && slices.ContainsFunc(rank.TargetMeasures(), func(m rank.MeasureInfo) bool { return m.Name == by }) {
		column = ""
	}
	return rank.Options{
		Measure: rank.Measure(by), Combine: rank.Combination(f.Combine), Weight: table.Weighting(column), Base: f.Base, RSD: f.RSD, Signed: f.Signed, Yates: f.Yates,
		Smooth: f.Smooth, ZetaC: f.ZetaC, BM25: f.BM25, ReduceFrequent: f.ReduceFrequent, SeedWords: f.SeedWords, SeedMultiplier: f.SeedMultiplier,
		Positive: f.Positive, PValues: f.PValues, Exact: f.Exact, Threads: threads,
	}
}

// Method parses a method. The flags supply what the text leaves open.
func (f *Scoring) Method(text string, threads int) (selection.Method, error) {
	return methods.Parse(text, f.Defaults(text, threads))
}

// Methods parses methods separated by commas.
func (f *Scoring) Methods(list string, threads int) (all []selection.Method, err error) {
	for _, text := range usage.SplitNames(list) {
		m, err := f.Method(text, threads)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Measure parses a measure, possibly with a combination.
func (f *Scoring) Measure(text string, threads int) (rank.Options, error) {
	return methods.ParseMeasure(text, f.Defaults(text, threads).Scoring)
}

// Named returns the options of a measure of a list, possibly with a combination behind a colon.
func (f *Scoring) Named(text string, threads int) rank.Options {
	name, combine, colon := strings.Cut(text, ":")
	o := f.Options(name, threads)
	if colon {
		o.Combine = rank.Combination(combine)
	}
	return o
}

// Defaults returns the options that the flags give for a method, whose name text begins with.
func (f *Scoring) Defaults(text string, threads int) methods.Options {
	name, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return methods.Options{Scoring: f.Options(name, threads)}
}
