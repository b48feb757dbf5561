package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

type stabilityFlags struct {
	inputFlags
	flags.Scoring
	by, stable                string
	of                        rank.StabilityOptions
	top, bootstrap, subsample int
	share                     float64
}

// defaultSamples is the default number of bootstrap samples.
const defaultSamples = 100

func stabilityCommand(a *app) *command {
	var f stabilityFlags
	f.app, f.perTerm = a, 80
	return &command{
		use:   "stability INPUT... -k K [--pfer E]",
		short: "repeat a selection on samples of the documents and compare",
		long: "stability selects the K best terms on every sample of the documents and prints how often each term was\n" +
			"selected, its mean rank where it was, and its rank in the whole corpus; and, on stderr (in a table:\n" +
			"above it; in JSON lines also as the first), how alike the selections are: the mean Jaccard index of all\n" +
			"pairs, Kuncheva's consistency index, and Nogueira's index with its 95 % interval.\n\n" +
			"--threshold P asks for stable terms alone, on halves of the documents. --pfer E bounds the number of\n" +
			"them that are chosen for noise: of p terms, k on each half, it is k²/((2P-1)p) at most, in expectation\n" +
			"(Meinshausen and Bühlmann 2010). Give two of -k, --threshold and --pfer. The bound supposes that noise\n" +
			"terms are exchangeable, a selection better than a random one, and 100 halves or more. --complementary\n" +
			"tells also the bound of Shah and Samworth (2013), on terms that are seldom selected. --stable writes the\n" +
			"stable terms as features, -o the table.",
		example: "  termsift stability --by chi -k 1000 train.idx\n" +
			"  termsift stability --by ig -k 1000 --folds 10 train.idx\n" +
			"  termsift stability --by chi -k 1000 --subsample 200 --share 0.8 --seed 7 --format tsv train.idx\n" +
			"  termsift stability --by chi -k 200 --pfer 1 train.idx --stable features.tsv",
		flags:      f.flags(),
		output:     always(featuresFile),
		outputFlag: "stable",
		run: func(c *cobra.Command, args []string) error {
			f.byTarget(c, args, &f.by, string(rank.Pearson))
			o, err := f.options(c)
			if err != nil {
				return err
			}
			corpus, err := f.corpus(c, args)
			if err != nil {
				return err
			}
			s, err := rank.MeasureStability(c.Context(), corpus, o)
			if err != nil {
				return err
			}
			a.warn(s.Warnings)
			if f.stable == "" {
				return f.printStability(s)
			}
			stable, err := selection.Select(c.Context(), corpus, selection.Options{By: o.By, Keep: selection.Stable(s)})
			if err != nil {
				return err
			}
			if err := f.write(f.stable, stable.WriteTSV); err != nil {
				return err
			}
			return f.printStability(s)
		},
	}
}

func (f *stabilityFlags) flags() []flags.Flag {
	const unlikeHalves, halves = "bootstrap folds share", "takes halves of the documents, whose number is --subsample"
	own := flags.In(flags.GroupEvaluation, []flags.Flag{
		{Name: "number", Short: "k", To: &f.of.K, Positive: true, Most: flags.Unlimited, Group: flags.GroupSelection, Help: "the number of terms to select"},
		{Name: "folds", To: &f.of.Folds, Least: 2, Most: rank.MostSamples, Help: "cut the documents into this many parts; each sample is all but one"},
		{
			Name: "bootstrap", To: &f.bootstrap, Least: 2, Most: rank.MostSamples, Excludes: "subsample folds",
			Help: fmt.Sprintf("this many samples of as many documents, drawn with replacement (default %d)", defaultSamples),
		},
		{Name: "subsample", To: &f.subsample, Least: 2, Most: rank.MostSamples, Excludes: "folds", Help: "this many samples of a --share of the documents, drawn without replacement"},
		{Name: "share", To: &f.share, Default: .5, More: true, Share: true, Needs: "subsample", Help: "of the documents in a sample"},
		{Name: "threshold", To: &f.of.Threshold, Positive: true, Excludes: unlikeHalves, Why: halves, Help: "stable terms: those that this share of halves select, above 0.5"},
		{Name: "pfer", To: &f.of.PFER, Positive: true, Excludes: unlikeHalves, Why: halves, Help: "stable terms: so many of them chosen for noise at most, in expectation"},
		{Name: "complementary", To: &f.of.Complementary, More: true, Needs: "threshold pfer", Why: "is for stable terms", Help: "both halves of each draw, and the bound of Shah and Samworth"},
		{Name: "seed", To: &f.of.Seed, More: true, Help: "which samples"},
		{
			Name: "top", To: &f.top, Positive: true, Most: flags.Unlimited, Group: flags.GroupScoring,
			Help: "only the so many most often selected terms (default all that ever were, or are stable)",
		},
	})
	by := flags.Flag{
		Name: "by", To: &f.by, Default: "chi", Group: flags.GroupScoring, Applies: flags.OfClasses, Help: "measure, or NAME=FORMULA",
		Choices: func([]string) []string { return flags.Combined(flags.MeasureNames()) },
	}
	return slices.Concat([]flags.Flag{by}, f.Scoring.Flags(), own, f.inputFlags.flags(), f.tableFlags("table"), []flags.Flag{
		{Name: "stable", To: &f.stable, Writes: true, Group: flags.GroupOutput, Needs: "threshold pfer", Why: "is for stable terms", Help: "also write the stable terms to this features file"},
	})
}

// options returns the options that the flags give, or an error if they are invalid.
func (f *stabilityFlags) options(c *cobra.Command) (o rank.StabilityOptions, err error) {
	if err := checkFeatures(f.stable); err != nil {
		return o, err
	}
	o = f.of
	stable := o.Threshold > 0 || o.PFER > 0
	if o.K == 0 && !stable {
		return o, usageError("say how many terms to select: -k, or --threshold and --pfer for stable ones")
	}
	if err := f.ReadSeeds(f.lists()); err != nil {
		return o, err
	}
	if o.By, err = f.Measure(f.by, f.threads); err != nil {
		return o, err
	}
	switch {
	case stable:
		o.Samples = cmp.Or(f.subsample, defaultSamples)
	case f.subsample > 0:
		o.Samples, o.Share = f.subsample, f.share
	case o.Folds == 0:
		o.Samples = cmp.Or(f.bootstrap, defaultSamples)
	}
	return o, o.Validate()
}

var stabilityColumns = []tables.Column[rank.StableTerm]{
	{Key: "term", In: tables.ForPrograms, Value: func(t rank.StableTerm) any { return t.Term }},
	{Key: "selected", Value: func(t rank.StableTerm) any { return t.Count }, Text: func(t rank.StableTerm) string { return tables.Percent(t.Share) }},
	{Key: "share", In: tables.ForPrograms, Value: func(t rank.StableTerm) any { return t.Share }},
	{Key: "mean_rank", Head: "mean rank", Value: func(t rank.StableTerm) any { return t.MeanRank }, Shows: tables.Decimals(1)},
	{Key: "rank", Value: func(t rank.StableTerm) any { return t.Rank }},
	{Key: "df", Value: func(t rank.StableTerm) any { return t.DF }},
	{Key: "term", In: tables.ForPeople, Left: true, Value: func(t rank.StableTerm) any { return t.Term }},
}

// printStability prints the terms and the agreement of the selections.
func (f *stabilityFlags) printStability(s *rank.Stability) error {
	selected, summary := s.Selected, stabilitySummary(s)
	switch {
	case f.top > 0:
		selected = selected[:min(f.top, len(selected))]
	case s.Bound != nil:
		selected = selected[:s.Bound.Stable]
	}
	t := list(&f.outputs, stabilityColumns)
	t.Above(summary...)
	for _, line := range summary {
		if !t.People() {
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
	if b := s.Bound; b != nil {
		t.Facts = append(t.Facts,
			tables.Fact{Key: "threshold", Value: b.Threshold},
			tables.Fact{Key: "stable", Value: b.Stable},
			tables.Fact{Key: "pfer", Value: b.PFER},
			tables.Fact{Key: "pfer_unimodal", Value: b.Unimodal},
		)
	}
	return t.AddAll(selected)
}

// stabilitySummary returns lines on how much the selections agree, and on the stable terms.
func stabilitySummary(s *rank.Stability) []string {
	summary := []string{
		fmt.Sprintf("%s, %s, k = %d: %d selections of %d terms, %d terms ever selected", s.Measure, s.Combine, s.K, s.Samples, s.Terms, len(s.Selected)),
		fmt.Sprintf("Jaccard %s, Kuncheva %s, Nogueira %s [%s, %s]", agreement(s.Jaccard), agreement(s.Kuncheva), agreement(s.Nogueira), agreement(s.NogueiraLow), agreement(s.NogueiraHigh)),
	}
	b := s.Bound
	switch {
	case b == nil:
		return summary
	case b.Stable == 0:
		return append(summary, fmt.Sprintf("no term is stable: none is selected by %.4g %% of the halves", 100*b.Threshold))
	}
	summary = append(summary,
		fmt.Sprintf("%d stable terms, each selected by %.4g %% of the halves or more; false ones expected among them: at most %.4g", b.Stable, 100*b.Threshold, b.PFER),
		fmt.Sprintf("by k²/((2P-1)p), P = %.4g, p = %d, if noise terms are exchangeable and %s is better than chance", b.Threshold, s.Terms, s.Measure))
	if !math.IsNaN(b.Unimodal) {
		summary = append(summary, fmt.Sprintf("seldom selected ones expected among them: at most %.4g, if shares have one mode (Shah and Samworth)", b.Unimodal))
	}
	return summary
}

// agreement formats an index of agreement.
func agreement(v float64) string {
	if math.IsNaN(v) {
		return "undefined"
	}
	return fmt.Sprintf("%.4f", v)
}
