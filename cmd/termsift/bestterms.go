package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// bestTermsFlags are the flags of Best Terms.
type bestTermsFlags struct {
	bestterms.Options
	classTerms string
}

func (f *bestTermsFlags) flags() []flags.Flag {
	paper := bestterms.Defaults()
	all := []flags.Flag{
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
			Name: "class", To: &f.Classes, Takes: "NAME", Choices: classesIn, Group: flags.GroupScoring,
			Help: "of best-terms: choose for this class; may be repeated (default all)",
		},
		{
			Name: "class-terms", To: &f.classTerms, Writes: true, More: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
			Help: "of best-terms: also write the terms of every class to this file",
		},
	}
	for i := range all {
		all[i].Applies |= flags.OfBestTerms
		all[i].Group = cmp.Or(all[i].Group, flags.GroupSelection)
	}
	return all
}

// refuse returns an error if a flag of Best Terms is set without that algorithm.
func (f *bestTermsFlags) refuse(c *cobra.Command) error {
	if flag := flags.Given(c.Flags(), flags.OfBestTerms); flag != nil {
		return usageError("%s goes with --by %s", flag.Typed(), methods.NameBestTerms)
	}
	return nil
}

// check returns an error for flags that Best Terms does not take, and for those that
// repeat an option given in --by.
func (f *bestTermsFlags) check(c *cobra.Command, by string) error {
	known := []string{"by", "rs-d", "output", "svmlight", "to", "features", "classifier", "seed"}
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
// known ones, those of some uses, and those that say how the input is read. Flags of new criteria
// are thus refused without being listed here.
func onlyFlags(c *cobra.Command, by string, uses flags.Use, known ...string) (err error) {
	c.Flags().Visit(func(p *pflag.Flag) {
		f := flags.Of(p)
		if f.Applies&(uses|flags.OfRaw|flags.OfInput) == 0 && !slices.Contains(known, f.Name) && c.InheritedFlags().Lookup(f.Name) == nil {
			err = usageError("%s does not go with --by %s", f.Typed(), by)
		}
	})
	return err
}

// bestTerms chooses terms of the inputs by Best Terms, and writes the terms of every
// class if that was asked for.
func (f *selectingFlags) bestTerms(c *cobra.Command, m methods.BestTerms, args []string) (*bestterms.Choice, *corpus.Corpus, error) {
	if err := f.best.check(c, f.By); err != nil {
		return nil, nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	corpus, err := f.corpus(c, args)
	if err != nil {
		return nil, nil, err
	}
	b, err := m.Choose(c.Context(), corpus)
	if err != nil {
		return nil, nil, err
	}
	f.noteBestTerms(b)
	return b, corpus, nil
}

// bestTermsSelection returns the union of the classes' terms as a selection.
func (f *selectingFlags) bestTermsSelection(c *cobra.Command, m methods.BestTerms, args []string) (*selection.Selection, *corpus.Corpus, error) {
	b, corpus, err := f.bestTerms(c, m, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.united(b, corpus)
	return s, corpus, err
}

func (f *selectingFlags) united(b *bestterms.Choice, corpus *corpus.Corpus) (*selection.Selection, error) {
	s, err := b.Selection()
	if err != nil {
		return nil, err
	}
	f.note("selected %d of %d terms by %s", len(s.Features), corpus.Terms(), s.Measure)
	if f.best.classTerms == "" {
		return s, nil
	}
	return s, f.write(f.best.classTerms, b.WriteTSV)
}

// selectBestTerms is the command select with Best Terms. The reduced data of one class
// are those of its binary problem: the remaining documents, with the labels 1 and -1.
// With several classes, for each of which other documents remain, the reduced data are
// all documents with their labels.
func (f *selectingFlags) selectBestTerms(c *cobra.Command, m methods.BestTerms, out string, svmlight string, args []string) error {
	b, corpus, err := f.bestTerms(c, m, args)
	if err != nil {
		return err
	}
	s, err := f.united(b, corpus)
	if err != nil {
		return err
	}
	one := len(f.best.Classes) == 1
	if svmlight != "" {
		filter, err := b.Filter(s)
		if err != nil {
			return err
		}
		err = f.writeRows(svmlight, formatSVMLight, s, "tf", &rowInput{rows: func(t *vectors.Transformer) rows {
			all := t.Corpus(c.Context(), corpus)
			if one {
				return filter.OneAgainstRest(0, all)
			}
			return all
		}})
		if err != nil {
			return err
		}
		f.noteReduced(b, corpus, one)
	}
	return f.write(out, s.WriteTSV)
}

// noteReduced prints which documents the reduced data contain.
func (tk *talk) noteReduced(b *bestterms.Choice, corpus *corpus.Corpus, one bool) {
	if !one {
		tk.note("the reduced data have all %d documents, for every class keeps others; name one --class for its own", corpus.Documents())
		return
	}
	class := b.Classes[0]
	tk.note("the reduced data have %d of %d documents, labelled 1 in the class %s and -1 outside", class.KeptDocuments, corpus.Documents(), class.Class)
}

// mostNamed is the largest number of classes that a note names.
const mostNamed = 10

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
		more := ""
		if n > mostNamed {
			more = ", ..."
		}
		tk.note("no term is positive for %d of %d classes, and no document can be in them: %s%s", n, len(b.Classes), strings.Join(without[:min(n, mostNamed)], ", "), more)
	}
}
