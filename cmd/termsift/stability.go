package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/resample"
)

type stabilityFlags struct {
	inputFlags
	flags.Scoring
	by                          string
	k, top                      int
	bootstrap, subsample, folds int
	share                       float64
	seed                        uint64
	format                      tables.Format
}

// defaultSamples is the default number of bootstrap samples.
const defaultSamples = 100

func stabilityCommand(a *app) *command {
	var f stabilityFlags
	f.app = a
	return &command{
		use:   "stability INPUT... -k K",
		short: "repeat a selection on samples of the documents and compare",
		long: "stability selects the K best terms on every sample of the documents and prints how often\n" +
			"each term was selected, its mean rank where it was, and its rank in the whole corpus; and, on\n" +
			"stderr (in a table: above it; in JSON lines also as the first), how alike the selections are:\n" +
			"the mean Jaccard index of all pairs, Kuncheva's consistency index, and Nogueira's index with\n" +
			"its 95 % interval. Samples are drawn from the counts: no text is read again.",
		example: "  termsift stability --by chi -k 1000 train.idx\n" +
			"  termsift stability --by ig -k 1000 --folds 10 train.idx\n" +
			"  termsift stability --by chi -k 1000 --subsample 200 --share 0.8 --seed 7 --format tsv train.idx",
		flags: f.flags(),
		run: func(c *cobra.Command, args []string) error {
			o, err := f.options(c)
			if err != nil {
				return err
			}
			corpus, err := f.corpus(c, args)
			if err != nil {
				return err
			}
			s, err := resample.MeasureStability(c.Context(), corpus, o)
			if err != nil {
				return err
			}
			a.warn(s.Warnings)
			return f.printStability(s)
		},
	}
}

func (f *stabilityFlags) flags() []flags.Flag {
	own := flags.In(flags.GroupEvaluation, []flags.Flag{
		{Name: "number", Short: "k", To: &f.k, Most: flags.Unlimited, Group: flags.GroupSelection, Help: "the number of terms to select"},
		{Name: "folds", To: &f.folds, Most: resample.MostSamples, Help: "cut the documents into this many parts; each sample is all but one"},
		{
			Name: "bootstrap", To: &f.bootstrap, Most: resample.MostSamples,
			Help: fmt.Sprintf("this many samples of as many documents, drawn with replacement (default %d)", defaultSamples),
		},
		{Name: "subsample", To: &f.subsample, Most: resample.MostSamples, Help: "this many samples of a --share of the documents, drawn without replacement"},
		{Name: "share", To: &f.share, Default: .5, More: true, Help: "of the documents in a sample (with --subsample)"},
		{Name: "seed", To: &f.seed, More: true, Help: "which samples"},
		{
			Name: "top", To: &f.top, Positive: true, Most: flags.Unlimited, Group: flags.GroupScoring,
			Help: "only the so many most often selected terms (default all that ever were)",
		},
	})
	by := flags.Flag{
		Name: "by", To: &f.by, Default: "chi", Group: flags.GroupScoring, Help: "measure",
		Choices: func([]string) []string { return flags.Combined(flags.MeasureNames()) },
	}
	return slices.Concat([]flags.Flag{by}, f.Scoring.Flags(), own, f.inputFlags.flags(), []flags.Flag{formatFlag(&f.format, "table")})
}

// options returns the options that the flags give, or an error if they are invalid.
func (f *stabilityFlags) options(c *cobra.Command) (o resample.StabilityOptions, err error) {
	asked := 0
	for _, name := range []string{"bootstrap", "subsample", "folds"} {
		if c.Flags().Changed(name) {
			asked++
		}
	}
	switch changed := c.Flags().Changed; {
	case !changed("number"):
		return o, usageError("say how many terms to select: -k")
	case asked > 1:
		return o, usageError("--bootstrap, --subsample and --folds exclude each other")
	case changed("share") && !changed("subsample"):
		return o, usageError("--share goes with --subsample")
	case changed("bootstrap") && f.bootstrap < 2 || changed("subsample") && f.subsample < 2 || changed("folds") && f.folds < 2:
		return o, usageError("there must be 2 samples or folds at least: there is nothing to compare in one")
	}
	by, err := f.Measure(f.by, f.threads)
	if err != nil {
		return o, err
	}
	o = resample.StabilityOptions{By: by, K: f.k, Folds: f.folds, Seed: f.seed}
	switch {
	case f.subsample > 0:
		o.Samples, o.Share = f.subsample, f.share
		if !(f.share > 0 && f.share < 1) {
			return o, usageError("--share must be between 0 and 1, not %v", f.share)
		}
	case f.folds == 0:
		if o.Samples = f.bootstrap; o.Samples == 0 {
			o.Samples = defaultSamples
		}
	}
	return o, o.Validate()
}

var stabilityColumns = []tables.Column[resample.StableTerm]{
	{Key: "term", In: tables.ForPrograms, Value: func(t resample.StableTerm) any { return t.Term }},
	{Key: "selected", Value: func(t resample.StableTerm) any { return t.Count }, Text: func(t resample.StableTerm) string { return fmt.Sprintf("%.1f %%", 100*t.Share) }},
	{Key: "share", In: tables.ForPrograms, Value: func(t resample.StableTerm) any { return t.Share }},
	{Key: "mean_rank", Head: "mean rank", Value: func(t resample.StableTerm) any { return t.MeanRank }, Text: func(t resample.StableTerm) string { return fmt.Sprintf("%.1f", t.MeanRank) }},
	{Key: "rank", Value: func(t resample.StableTerm) any { return t.Rank }},
	{Key: "df", Value: func(t resample.StableTerm) any { return t.DF }},
	{Key: "term", In: tables.ForPeople, Left: true, Value: func(t resample.StableTerm) any { return t.Term }},
}

// printStability prints the terms and the agreement of the selections.
func (f *stabilityFlags) printStability(s *resample.Stability) error {
	selected := s.Selected
	if f.top > 0 {
		selected = selected[:min(f.top, len(selected))]
	}
	summary := []string{
		fmt.Sprintf("%s, %s, k = %d: %d selections of %d terms, %d terms ever selected", s.Measure, s.Combine, s.K, s.Samples, s.Terms, len(s.Selected)),
		fmt.Sprintf("Jaccard %s, Kuncheva %s, Nogueira %s [%s, %s]", agreement(s.Jaccard), agreement(s.Kuncheva), agreement(s.Nogueira), agreement(s.NogueiraLow), agreement(s.NogueiraHigh)),
	}
	t := tables.New(f.stdout, f.style(f.format), stabilityColumns)
	if t.People() {
		fmt.Fprintf(f.stdout, "%s\n\n", strings.Join(summary, "\n"))
	} else {
		for _, line := range summary {
			f.note("%s", line)
		}
	}
	t.Facts = []tables.Fact{
		{Key: "measure", Value: string(s.Measure)},
		{Key: "combine", Value: string(s.Combine)},
		{Key: "k", Value: s.K},
		{Key: "samples", Value: s.Samples},
		{Key: "terms", Value: s.Terms},
		{Key: "ever_selected", Value: len(s.Selected)},
		{Key: "jaccard", Value: s.Jaccard},
		{Key: "kuncheva", Value: s.Kuncheva},
		{Key: "nogueira", Value: s.Nogueira},
		{Key: "nogueira_low", Value: s.NogueiraLow},
		{Key: "nogueira_high", Value: s.NogueiraHigh},
	}
	return t.AddAll(selected)
}

// agreement formats an index of agreement.
func agreement(v float64) string {
	if math.IsNaN(v) {
		return "undefined"
	}
	return fmt.Sprintf("%.4f", v)
}
