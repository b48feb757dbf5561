package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
)

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
			Name: "class", To: &f.Classes, Takes: "NAME", Choices: classesIn, Group: flags.GroupScoring,
			Help: "of best-terms: choose for this class; may be repeated (default all)",
		},
		{
			Name: "class-terms", To: &f.classTerms, Writes: true, More: true, Group: flags.GroupOutput, Applies: flags.OfDocuments,
			Help: "of best-terms: also write the terms of every class to this file",
		},
	})
}

// checkBestTerms returns an error for flags that Best Terms does not take, and for those that
// repeat an option given in --by.
func checkBestTerms(c *cobra.Command, by string) error {
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
