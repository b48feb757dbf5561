package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/redundancy"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// This file chooses terms as the flags of select, transform and train ask.

// selectingFlags are the flags that say which terms to keep.
type selectingFlags struct {
	inputFlags
	flags.Selecting
	best bestTermsFlags
	auto autoFlags
}

func (f *selectingFlags) flags() []flags.Flag {
	return append(f.Flags("mrmr, jmi, cmim: K terms for what each adds to those before", methods.NameBestTerms), f.best.flags()...)
}

// method parses --by, with the flags of Best Terms as well, and checks those of -k auto.
func (f *selectingFlags) method(c *cobra.Command) (selection.Method, error) {
	o := f.Defaults(f.By, f.threads)
	o.BestTerms = f.best.Options
	m, err := methods.Parse(f.By, o)
	if err == nil {
		err = f.checkAuto(c, m)
	}
	return m, err
}

// checkAuto returns an error for flags of -k auto without it, and for what does not go with
// it. c has the flags, of which select alone has those of -k auto.
func (f *selectingFlags) checkAuto(c *cobra.Command, m selection.Method) error {
	if !f.Rules.Auto() {
		if name := givenName(c, flags.OfAuto); name != "" {
			return usageError("--%s goes with -k auto", name)
		}
		return nil
	}
	if c.Flags().Lookup("try") == nil {
		return usageError("-k auto goes with select: %s takes a number, or the features file that select wrote", c.Name())
	}
	if _, ok := m.(selection.SelfSized); ok {
		return usageError("--by %s chooses as many terms as the documents need: leave -k auto out", f.By)
	}
	for _, name := range []string{"then", "per-class", "round-robin", "keep"} {
		if c.Flags().Changed(name) {
			return usageError("-k auto finds the number of the best terms of one list: leave --%s out, or say -k K", name)
		}
	}
	return nil
}

// A choice is what a method chose.
type choice struct {
	*selection.Selection
	best     *bestterms.Choice // by Best Terms
	clusters *projection.Map   // by term projection
}

// A chooser chooses terms of what was counted.
type chooser func(ctx context.Context, of rank.Counted) (choice, error)

// chooser returns what chooses terms as the flags ask. Errors in the flags are found before the
// input is read.
func (f *selectingFlags) chooser(c *cobra.Command, m selection.Method) (chooser, error) {
	if m, ok := m.(methods.BestTerms); ok {
		return f.bestTerms(c, m)
	}
	if flag := flags.Given(c.Flags(), flags.OfBestTerms); flag != nil {
		return nil, usageError("%s goes with --by %s", flag.Typed(), methods.NameBestTerms)
	}
	if f.Rules.Auto() {
		return f.automatic(c, m)
	}
	switch m := m.(type) {
	case methods.Measure:
		return f.stages(m)
	case methods.Redundancy:
		return f.redundancy(c, m)
	}
	return nil, usageError("--by %s goes with train and evaluate, and is a command of its own", m.Name())
}

// chooseFrom opens a corpus and chooses terms of it, with the factors of a weighting.
func (f *selectingFlags) chooseFrom(c *cobra.Command, by chooser, weight string, args []string) (s choice, whole *corpus.Corpus, err error) {
	if whole, err = f.corpus(c, args); err != nil {
		return s, nil, err
	}
	if s, err = by(c.Context(), whole); err == nil {
		s.Selection, err = s.WithFactors(c.Context(), whole, f.threads, vectors.Weighting(weight))
	}
	return s, whole, err
}

// ofDocuments returns a chooser that needs the documents. why and remedy are of the error for
// statistics.
func ofDocuments(c *cobra.Command, why, remedy string, choose func(context.Context, *corpus.Corpus) (choice, error)) chooser {
	return func(ctx context.Context, of rank.Counted) (choice, error) {
		whole, ok := of.(*corpus.Corpus)
		if !ok {
			return choice{}, usageError("%s, and %s has statistics only: use the index%s", why, c.Flags().Arg(0), remedy)
		}
		return choose(ctx, whole)
	}
}

// stages chooses terms by measures, in one stage or two.
func (f *selectingFlags) stages(by methods.Measure) (chooser, error) {
	keep, drop, err := f.Terms(f.lists())
	if err != nil {
		return nil, err
	}
	stages, err := f.Stages(by.Options, keep, drop)
	return func(ctx context.Context, of rank.Counted) (s choice, err error) {
		for _, o := range stages {
			o.Among = s.Selection
			if s.Selection, err = selection.Select(ctx, of, o); err != nil {
				return s, err
			}
			f.warn(s.Warnings)
			f.tellStage(s.Stages[len(s.Stages)-1])
		}
		return s, nil
	}, err
}

// tellStage prints the result of a stage.
func (tk *talk) tellStage(s selection.Stage) {
	if s.Energy != nil {
		var shares []string
		for _, e := range s.Energy {
			shares = append(shares, fmt.Sprintf("%v %% in %d", e.Share*100, e.Terms))
		}
		tk.note("energy: %s of %d terms", strings.Join(shares, ", "), s.Candidates)
	}
	if s.Test != "" {
		tk.note("p-values of %s: %s", s.Measure, s.Test)
	}
	tk.note("selected %d of %d terms by %s, %s", s.Terms, s.Candidates, s.Measure, s.Combine)
}

// redundancy chooses terms by mrmr, jmi or cmim.
func (f *selectingFlags) redundancy(c *cobra.Command, m methods.Redundancy) (_ chooser, err error) {
	o := m.Options
	o.K = f.Rules.Number()
	if name := givenName(c, flags.OfSingle); name != "" {
		return nil, usageError("--%s does not go with --by %s, which chooses terms for what they add to those before: say -k, and --drop if you like", name, f.By)
	}
	if len(f.Rules) > 1 {
		return nil, usageError("-k comes twice: --by %s has one stage", f.By)
	}
	if _, o.Drop, err = f.Terms(f.lists()); err != nil {
		return nil, err
	}
	return ofDocuments(c, "--by "+f.By+" looks at the terms of each document", "", func(ctx context.Context, of *corpus.Corpus) (choice, error) {
		s, err := redundancy.Select(ctx, of, o)
		if err == nil {
			f.warn(s.Warnings)
			f.note("selected %d of %d terms by %s, %s", len(s.Features), of.Terms(), s.Measure, s.Combine)
		}
		return choice{Selection: s}, err
	}), o.Validate()
}

// bestTerms chooses terms by Best Terms: the union of the classes' terms. It writes the terms of
// every class if that was asked for.
func (f *selectingFlags) bestTerms(c *cobra.Command, m methods.BestTerms) (chooser, error) {
	if err := checkBestTerms(c, f.By); err != nil {
		return nil, err
	}
	return ofDocuments(c, "--by "+f.By+" looks at the terms of each document", "", func(ctx context.Context, of *corpus.Corpus) (s choice, err error) {
		if s.best, err = m.Choose(ctx, of); err != nil {
			return s, err
		}
		f.noteBestTerms(s.best)
		if s.Selection, err = s.best.Selection(); err != nil {
			return s, err
		}
		f.note("selected %d of %d terms by %s", len(s.Features), of.Terms(), s.Measure)
		if f.best.classTerms != "" {
			err = f.write(f.best.classTerms, s.best.WriteTSV)
		}
		return s, err
	}), m.Validate()
}

// automatic finds the number of terms by a trial and chooses as many.
func (f *selectingFlags) automatic(c *cobra.Command, m selection.Method) (chooser, error) {
	t, err := f.trial(m)
	if err != nil {
		return nil, err
	}
	of := func(k int) (chooser, error) {
		known := *f
		known.Rules = f.Rules.Found(k)
		return known.chooser(c, m)
	}
	_, err = of(1)
	return ofDocuments(c, "-k auto tries parts of the documents", ", or say a number", func(ctx context.Context, whole *corpus.Corpus) (s choice, err error) {
		tried, err := f.try(ctx, t, whole)
		if err != nil {
			return s, err
		}
		choose, err := of(tried.K)
		if err != nil {
			return s, err
		}
		if s, err = choose(ctx, whole); err == nil {
			s.Selection = s.WithTrial(tried.Record())
		}
		return s, err
	}), err
}

// trial returns the trial of the flags for a method.
func (f *selectingFlags) trial(m selection.Method) (t evaluate.Trial, err error) {
	t = evaluate.Trial{Method: m, Folds: f.auto.folds, Seed: f.auto.seed}
	if f.auto.folds < 2 {
		return t, usageError("there must be 2 folds at least, not %d", f.auto.folds)
	}
	if t.Classifier, err = classify.ParseLearner(f.auto.classifier); err != nil {
		return t, err
	}
	if t.Metric, err = evaluate.ParseMetric(f.auto.metric); err != nil {
		return t, err
	}
	if f.auto.try != "" {
		if t.K, err = parseNumbers("--try", f.auto.try); err != nil {
			return t, err
		}
	}
	_, drop, err := f.Terms(f.lists())
	if err != nil {
		return t, err
	}
	switch m := m.(type) {
	case methods.Measure:
		m.Drop, m.Options.PValues, m.Options.Exact = drop, false, false
		t.Method, t.Threads = m, m.Options.Threads
	case methods.Redundancy:
		m.Options.Drop = drop
		t.Method, t.Threads = m, m.Options.Threads
	}
	return t, t.Validate()
}
