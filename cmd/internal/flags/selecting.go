package flags

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
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
		Name: "by", To: &f.By, Default: "chi", Group: GroupScoring, List: true, Applies: OfClasses | OfMethods, Choices: func([]string) []string { return Combined(methods.Names()) },
		Help: strings.Join(append([]string{"measure"}, others...), "; or "),
	}}, f.Scoring.Flags(), []Flag{f.PositiveFlag()}, f.PValueFlags(), f.Rules.Flags())
	ByName(all, "weight").Choices = From(selection.Weightings)
	return append(all, In(GroupSelection, []Flag{
		{Name: "per-class", To: &f.PerClass, Applies: OfSingle | OfClasses, Help: "select for each class and unite"},
		{Name: "then", To: &f.Then, Applies: OfSingle, Choices: From(MeasureNames), Help: "a second stage: measure that selects among the terms of the first"},
		{Name: "keep", To: &f.Keep, Reads: AFile, Applies: OfSingle, Help: "file of terms to keep whatever their value, one a line"},
		{Name: "drop", To: &f.Drop, Reads: AFile, Help: "file of terms to leave out, one a line"},
		{Name: "round-robin", To: &f.RoundRobin, More: true, Applies: OfSingle | OfClasses, Help: "the best of each class in turn, K in all"},
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
		last.By.Combine = f.Combine // the flag, not the combination given after the colon of --by
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
		if r.Name != "min-score" && !(r.Value > 0) { // the library takes 0 for unset
			return nil, usage.Errorf("%s must be positive, not %v", r.Flag(), r.Value)
		}
		s.Keep = selection.Named(strings.TrimLeft(r.Flag(), "-"), r.Value)
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

// String returns auto for the number that is to be found. There is no default.
func (f ruleFlag) String() string {
	if f.name == "number" && f.to != nil && f.to.Auto() {
		return "auto"
	}
	return ""
}

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

func (r Rules) String() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.Flag())
	}
	return strings.Join(names, " and ")
}

// parameters are the options of a measure, whose fields are those of [Scoring].
type parameters = rank.Options

// Scoring are the flags of a measure and its parameters.
type Scoring struct {
	parameters
	SeedFile string // of SeedWords, once they are read
	// OfRows says that Weight is that of the rows that a command makes. Measures of a target compare tf then.
	OfRows bool
}

// Flags returns the flags, but for those of p-values.
func (f *Scoring) Flags() []Flag { return append(f.named("combine"), f.Parameters()...) }

// Parameters returns the flags of what measures compute class values by.
func (f *Scoring) Parameters() []Flag {
	all := f.named("weight", "signed", "yates", "base", "rs-d", "smooth", "zeta-c", "bm25", "reduce-frequent", "seed-words", "seed-multiplier")
	seeds := ByName(all, "seed-words")
	seeds.To, seeds.Reads, seeds.Help = &f.SeedFile, AFile, "file of terms that ctfidf prefers, one a line"
	return all
}

// PValueFlags returns the flags of p-values.
func (f *Scoring) PValueFlags() []Flag { return f.named("p-values", "exact") }

// PositiveFlag returns the flag of positive values.
func (f *Scoring) PositiveFlag() Flag { return f.named("positive")[0] }

// named returns the flags of some settings.
func (f *Scoring) named(names ...string) (all []Flag) {
	for _, one := range Declared(f.Settings()) {
		if !slices.Contains(names, one.Name) {
			continue
		}
		switch one.Name {
		case "weight":
		case "positive":
			one.Applies = OfClasses
		case "combine", "yates", "exact":
			one.Applies = OfSingle | OfClasses
		default:
			one.Applies = OfSingle
		}
		all = append(all, one)
	}
	return In(GroupScoring, all)
}

// RowWeight makes the flag weight among some that of the rows, too, and returns them.
func RowWeight(all []Flag) []Flag {
	f := ByName(all, "weight")
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

// Options returns the options of a measure, seed words as [Scoring.ReadSeeds] has read them. A supervised weighting is
// a weighting of rows, not of columns; of the measures only ocfs uses a column.
func (f *Scoring) Options(by string, threads int) rank.Options {
	o := f.parameters
	if factor, err := selection.FactorOf(f.Weight); err == nil && factor != "" && by != "ocfs" {
		o.Weight = ""
	}
	if f.OfRows && f.Weight != table.Binary && slices.ContainsFunc(rank.TargetMeasures(), func(m rank.MeasureInfo) bool { return m.Name == by }) {
		o.Weight = ""
	}
	o.Measure, o.Threads = rank.Measure(by), threads
	return o
}

// Methods parses methods separated by commas. The flags supply what a text leaves open.
func (f *Scoring) Methods(list string, threads int) (all []selection.Method, err error) {
	for _, text := range usage.SplitNames(list) {
		m, err := methods.Parse(text, f.Defaults(text, threads))
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

// Defaults returns the options that the flags give for a method, whose name text begins with.
func (f *Scoring) Defaults(text string, threads int) methods.Options {
	name, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return methods.Options{Scoring: f.Options(name, threads)}
}
