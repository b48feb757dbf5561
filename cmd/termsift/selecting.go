package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
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

// bestTermsFlags are the flags of Best Terms.
type bestTermsFlags struct {
	bestterms.Options
	classTerms string
}

func (f *bestTermsFlags) flags() []flags.Flag {
	paper := bestterms.Defaults()
	return flags.Like(flags.Flag{Group: flags.GroupSelection, Applies: flags.OfBestTerms}, []flags.Flag{
		{Name: "p", Short: "p", To: &f.P, Default: paper.P, More: true, Help: "of best-terms: how precise terms must be, from 0 to 1"},
		{
			Name: "function", To: &f.Function, Default: paper.Function, Choices: flags.From(bestterms.Functions), More: true,
			Help: "of best-terms: " + strings.Join(bestterms.Functions(), ", "),
		},
		{
			Name: "rule", To: &f.Rule, Default: paper.Rule, Choices: flags.Among(bestterms.RuleInterpolated, bestterms.RuleMax), More: true,
			Help: "of best-terms: interpolated, P(c|t) >= p + (1-p)P(c); or max, P(c|t) >= p",
		},
		{
			Name: "scope", To: &f.Scope, Default: paper.Scope, Choices: flags.Among(bestterms.ScopeReduced, bestterms.ScopeAll), More: true,
			Help: "of best-terms: negative terms of the reduced documents outside the class, or of all",
		},
		{
			Name: "counts", To: &f.Counts, Default: paper.Counts, Choices: flags.Among(bestterms.CountsTraining, bestterms.CountsReduced), More: true,
			Help: "of best-terms: negative terms by the counts of the training documents, or of the reduced",
		},
		{
			Name: "class", To: &f.Classes, Takes: "NAME", Choices: classesIn, Group: flags.GroupScoring, Applies: flags.OfClasses,
			Help: "of best-terms: choose for this class; may be repeated (default all)",
		},
		{
			Name: "class-terms", To: &f.classTerms, Writes: true, More: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
			Help: "of best-terms: also write the terms of every class to this file",
		},
	})
}

// autoFlags are the flags of -k auto.
type autoFlags struct {
	learn.Trial
	classifier, try string
}

func (f *autoFlags) flags() []flags.Flag {
	return flags.Like(flags.Flag{Group: flags.GroupSelection, Needs: "number=auto"}, []flags.Flag{
		{
			Name: "classifier", To: &f.classifier, Default: "svm", Choices: flags.From(learn.LearnerKinds), List: true, Applies: flags.OfMethods,
			Help: "of -k auto: the classifier that the terms are for, with options as in evaluate",
		},
		{
			Name: "folds", To: &f.Folds, Default: 5, Most: rank.MostSamples, More: true,
			Help: "of -k auto: cut INPUT into so many parts, and test on each with the others to train on",
		},
		{Name: "metric", To: (*string)(&f.Metric), Default: string(learn.MicroF1), Choices: metrics, More: true, Help: "of -k auto: " + metricNames},
		{
			Name: "try", To: &f.try, Takes: "LIST", More: true,
			Help: "of -k auto: the numbers to try, separated by commas, or all (default 12 round numbers and all)",
		},
		{Name: "seed", To: &f.Seed, More: true, Applies: flags.OfMethods, Help: "of -k auto: which folds; the order of the rows in svm"},
	})
}

// metrics are the choices of --metric.
var metrics = flags.Among(learn.MicroF1, learn.MacroF1, learn.Accuracy)

const metricNames = "compare numbers of terms by micro-f1, macro-f1 or accuracy"

// method parses --by, with the flags of Best Terms as well, and checks those of -k auto.
func (f *selectingFlags) method(c *cobra.Command) (selection.Method, error) {
	if err := f.ReadSeeds(f.lists()); err != nil {
		return nil, err
	}
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
	f.classed = true // but for some stages
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

// chooseFrom opens a corpus and chooses terms of it, with the factors of a weighting. It returns its documents, too.
func (f *selectingFlags) chooseFrom(c *cobra.Command, by chooser, weight string, args []string) (s choice, in *rowInput, err error) {
	whole, err := f.corpus(c, args)
	if err != nil {
		return s, nil, err
	}
	if s, err = by(c.Context(), whole); err == nil {
		s.Selection, err = s.WithFactors(c.Context(), whole, f.threads, table.Weighting(weight))
	}
	return s, rowsOf(c.Context(), whole, f.threads), err
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
	f.classed = slices.ContainsFunc(stages, selection.Options.NeedsClasses)
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
	if name := givenName(c, flags.OfSingle); name != "" {
		return nil, usageError("--%s does not go with --by %s, which chooses terms for what they add to those before: say -k, and --drop if you like", name, f.By)
	}
	switch {
	case len(f.Rules) > 1:
		return nil, usageError("-k comes twice: --by %s has one stage", f.By)
	case f.Rules.Number() <= 0:
		return nil, usageError("k must be positive, not %d", f.Rules.Number())
	}
	if _, m.Drop, err = f.Terms(f.lists()); err != nil {
		return nil, err
	}
	return ofDocuments(c, "--by "+f.By+" looks at the terms of each document", "", func(ctx context.Context, of *corpus.Corpus) (choice, error) {
		s, err := m.Select(ctx, of, f.Rules.Number())
		if err == nil {
			f.warn(s.Warnings)
			f.note("selected %d of %d terms by %s, %s", len(s.Features), of.Terms(), s.Measure, s.Combine)
		}
		return choice{Selection: s}, err
	}), m.Validate()
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
func (f *selectingFlags) trial(m selection.Method) (t learn.Trial, err error) {
	if t = f.auto.Trial; t.Folds < 2 {
		return t, usageError("there must be 2 folds at least, not %d", t.Folds)
	}
	if t.Classifier, err = learn.ParseLearner(f.auto.classifier); err != nil {
		return t, err
	}
	if t.Metric, err = learn.ParseMetric(string(t.Metric)); err != nil {
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
	t.Method = m
	switch m := m.(type) {
	case methods.Measure:
		m.Drop, m.Options.PValues, m.Options.Exact = drop, false, false
		t.Method, t.Threads = m, m.Options.Threads
	case methods.Redundancy:
		m.Drop = drop
		t.Method, t.Threads = m, m.Threads
	}
	return t, t.Validate()
}

// try runs a trial and prints what it tried.
func (a *app) try(ctx context.Context, t learn.Trial, c *corpus.Corpus) (*learn.Tried, error) {
	a.announceTraining([]learn.Learner{t.Classifier}, len(c.Classes()), c.Documents())
	progress, end := a.gridProgress()
	tried, err := t.Run(ctx, c, progress)
	end()
	if err != nil {
		return nil, err
	}
	a.warn(tried.Warnings)
	a.note("-k auto: %d folds of %d documents, %s", t.Folds, c.Documents(), t.Classifier)
	if err := tables.New(a.notes(), tables.Style{Format: "table"}, triedColumns(tried)).AddAll(tried.Points); err != nil {
		return nil, err
	}
	a.note("%s", tried.Enough.String())
	return tried, nil
}

// triedColumns are the columns of what was tried.
func triedColumns(t *learn.Tried) []tables.Column[point] {
	return []tables.Column[point]{
		{Key: "k", Value: func(p point) any { return kText(p.K) }},
		scoreOfPoint("value", t.Metric.Name(), t.Metric.Of),
		{Key: "choice", Left: true, Value: func(p point) any {
			switch p.K {
			case t.Fewest.K:
				return "taken"
			case t.Best.K:
				return "best"
			}
			return ""
		}},
	}
}

// parseNumbers parses numbers of terms, 0 for all of them.
func parseNumbers(flag, list string) (ks []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		k, err := strconv.Atoi(text)
		switch {
		case text == "all":
			k = 0
		case err != nil:
			return nil, usageError("%s takes numbers separated by commas, or all, not %q", flag, text)
		case k <= 0:
			return nil, usageError("%s must be positive, or all, not %d", flag, k)
		}
		ks = append(ks, k)
	}
	return ks, nil
}

// announceTraining prints the note on classifiers that learn one class after the other, if there is such a
// learner, unless they visit few elements or documents.
func (tk *talk) announceTraining(learners []learn.Learner, classes int, visited int) {
	isSVM := func(l learn.Learner) bool { return l.Kind == "svm" }
	if int64(classes)*int64(visited) >= longWork && slices.ContainsFunc(learners, isSVM) {
		tk.note("svm trains %d classifiers, one for each class; centroid and nb read the documents once for all classes", classes)
	}
}

// checkBestTerms returns an error for flags that Best Terms does not take, and for those that
// repeat an option given in --by.
func checkBestTerms(c *cobra.Command, by string) error {
	known := []string{"rs-d"}
	if c.Flags().Lookup("features") != nil {
		known = append(known, "weight") // the weighting of the rows, not of a measure
	}
	if err := onlyFlags(c, methods.NameBestTerms, flags.OfBestTerms, known...); err != nil {
		return err
	}
	_, options, _ := strings.Cut(by, ":")
	for option := range strings.SplitSeq(options, ",") {
		name, _, _ := strings.Cut(option, "=")
		if flag := c.Flags().Lookup(name); flag != nil && flag.Changed {
			return usageError("%s contradicts --by %s, which says it, too", flags.Of(flag).Typed(), by)
		}
	}
	return nil
}

// onlyFlags returns an error if a flag is given that an algorithm does not take: any flag except
// known ones, those of some uses or of any method, and those that say how the input is read. Flags of new criteria
// are thus refused without being listed here.
func onlyFlags(c *cobra.Command, by string, uses flags.Use, known ...string) (err error) {
	c.Flags().Visit(func(p *pflag.Flag) {
		f := flags.Of(p)
		if f.Applies&(uses|flags.OfMethods|flags.OfRaw|flags.OfInput) == 0 && !slices.Contains(known, f.Name) && c.InheritedFlags().Lookup(f.Name) == nil {
			err = usageError("%s does not go with --by %s", f.Typed(), by)
		}
	})
	return err
}

// noteBestTerms prints the numbers of documents kept, per document of the class, and of
// terms, averaged over the classes that have documents.
func (tk *talk) noteBestTerms(b *bestterms.Choice) {
	var without []string
	classes, ratio, positive, negative := 0, 0.0, 0, 0
	for _, c := range b.Classes {
		if len(c.Positive) == 0 {
			without = append(without, c.Class)
		}
		if c.Documents > 0 {
			classes++
			ratio += float64(c.KeptDocuments) / float64(c.Documents)
			positive, negative = positive+len(c.Positive), negative+len(c.Negative)
		}
	}
	if n := float64(classes); n > 0 {
		tk.note("a class keeps %.2f documents for each of its own, and has %.1f positive and %.1f negative terms (means of %d); %d entries visited", ratio/n, float64(positive)/n, float64(negative)/n, classes, b.Entries)
	}
	if n := len(without); n > 0 {
		tk.note("no term is positive for %d of %d classes, and no document can be in them: %s", n, len(b.Classes), some(without, 2*few))
	}
}

// gridProgress is countdown for the points of a grid.
func (tk *talk) gridProgress() (progress func(learn.Progress), end func()) {
	tell, end := tk.countdown()
	return func(p learn.Progress) { tell(p.Done, p.Points, p.Step) }, end
}

const learnersHelp = "Classifiers, with their options behind a colon:\n" +
	"  svm        linear, one against the rest: loss=l2|l1, c=1 (or svmlight: its default), positive=1,\n" +
	"             eps=0.001, bias=0, sweeps=1000\n" +
	"  knn        nearest neighbours by cosine: k=10, thresholds=scut|best, folds=5 (several labels)\n" +
	"  centroid   means of the classes, by cosine: thresholds=scut|best, folds=5 (several labels)\n" +
	"  nb         multinomial naive Bayes, of tf unless weight= says else: alpha=1\n" +
	"  bernoulli  naive Bayes of presence: alpha=1\n" +
	"  rule       of cluster vectors (project): the class with the largest weight\n" +
	"and weight=, a weighting of its own: svm:c=10,weight=tfidf-unit"
