package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// bestTermsOnly lists the flags that only Best Terms takes.
var bestTermsOnly = []string{"function", "p", "rule", "scope", "counts", "class", "class-terms"}

func (f *bestTermsFlags) register(c *cobra.Command) {
	flags, paper := c.Flags(), bestterms.Defaults()
	flags.StringVar(&f.Function, "function", paper.Function, "of best-terms: "+strings.Join(bestterms.Functions(), ", "))
	flags.Float64VarP(&f.P, "p", "p", paper.P, "of best-terms: how precise terms must be, from 0 to 1")
	flags.StringVar(&f.Rule, "rule", paper.Rule, "of best-terms: interpolated, P(c|t) >= p + (1-p)P(c); or max, P(c|t) >= p")
	flags.StringVar(&f.Scope, "scope", paper.Scope, "of best-terms: negative terms of the reduced documents outside the class, or of all")
	flags.StringVar(&f.Counts, "counts", paper.Counts, "of best-terms: negative terms by the counts of the training documents, or of the reduced")
	flags.StringArrayVar(&f.Classes, "class", nil, "of best-terms: choose for this class; may be repeated (default all)")
	flags.StringVar(&f.classTerms, "class-terms", "", "of best-terms: also write the terms of every class to this file")
}

// refuse returns an error if a flag of Best Terms is set without that algorithm.
func (f *bestTermsFlags) refuse(c *cobra.Command) error {
	for _, name := range bestTermsOnly {
		if c.Flags().Changed(name) {
			return usageError("%s goes with --by %s", typed(c.Flags().Lookup(name)), methods.NameBestTerms)
		}
	}
	return nil
}

// check returns an error for flags that Best Terms does not take, and for those that
// repeat an option given in --by.
func (f *bestTermsFlags) check(c *cobra.Command, by string) error {
	known := append([]string{"by", "rs-d", "output", "svmlight", "to", "features", "classifier", "seed"}, bestTermsOnly...)
	if c.Flags().Lookup("features") != nil {
		known = append(known, "weight") // the weighting of the rows, not of a measure
	}
	if err := onlyFlags(c, methods.NameBestTerms, known...); err != nil {
		return err
	}
	_, options, _ := strings.Cut(by, ":")
	for option := range strings.SplitSeq(options, ",") {
		name, _, _ := strings.Cut(option, "=")
		if flag := c.Flags().Lookup(name); flag != nil && flag.Changed {
			return usageError("%s contradicts --by %s, which says it, too", typed(flag), by)
		}
	}
	return nil
}

// ofInput lists the flags that choose the documents and say how they are read, for raw
// text and indexes alike.
var ofInput = []string{"docs", "max-list", "no-mmap", "threads"}

// onlyFlags returns an error if a flag is set that an algorithm does not take: any flag
// except known and those that say how the input is read. Flags of new criteria are thus
// refused without being listed here.
func onlyFlags(c *cobra.Command, by string, known ...string) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		_, raw := flag.Annotations[rawOnly]
		if !raw && !slices.Contains(known, flag.Name) && !slices.Contains(ofInput, flag.Name) && c.InheritedFlags().Lookup(flag.Name) == nil {
			err = usageError("%s does not go with --by %s", typed(flag), by)
		}
	})
	return err
}

// typed returns a flag as the user types it.
func typed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// bestTerms chooses terms of the inputs by Best Terms, and writes the terms of every
// class if that was asked for.
func (a *app) bestTerms(c *cobra.Command, in *inputFlags, f *selectingFlags, m methods.BestTerms, args []string) (*bestterms.Choice, *corpus.Corpus, error) {
	if err := f.best.check(c, f.By); err != nil {
		return nil, nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	corpus, err := a.corpus(c, in, args)
	if err != nil {
		return nil, nil, err
	}
	b, err := m.Choose(c.Context(), corpus)
	if err != nil {
		return nil, nil, err
	}
	a.noteBestTerms(b)
	return b, corpus, nil
}

// bestTermsSelection returns the union of the classes' terms as a selection.
func (a *app) bestTermsSelection(c *cobra.Command, in *inputFlags, f *selectingFlags, m methods.BestTerms, args []string) (*selection.Selection, *corpus.Corpus, error) {
	b, corpus, err := a.bestTerms(c, in, f, m, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.united(f, b, corpus)
	return s, corpus, err
}

func (a *app) united(f *selectingFlags, b *bestterms.Choice, corpus *corpus.Corpus) (*selection.Selection, error) {
	s, err := b.Selection()
	if err != nil {
		return nil, err
	}
	a.note("selected %d of %d terms by %s", len(s.Features), corpus.Terms(), s.Measure)
	if f.best.classTerms == "" {
		return s, nil
	}
	return s, a.write(f.best.classTerms, b.WriteTSV)
}

// selectBestTerms is the command select with Best Terms. The reduced data of one class
// are those of its binary problem: the remaining documents, with the labels 1 and -1.
// With several classes, for each of which other documents remain, the reduced data are
// all documents with their labels.
func (a *app) selectBestTerms(c *cobra.Command, in *inputFlags, f *selectingFlags, m methods.BestTerms, out, svmlight string, args []string) error {
	b, corpus, err := a.bestTerms(c, in, f, m, args)
	if err != nil {
		return err
	}
	s, err := a.united(f, b, corpus)
	if err != nil {
		return err
	}
	one := len(f.best.Classes) == 1
	if svmlight != "" {
		filter, err := b.Filter(s)
		if err != nil {
			return err
		}
		err = a.writeRows(svmlight, formatSVMLight, s, "tf", &rowInput{rows: func(t *vectors.Transformer) rows {
			all := t.Corpus(c.Context(), corpus)
			if one {
				return filter.OneAgainstRest(0, all)
			}
			return all
		}})
		if err != nil {
			return err
		}
		a.noteReduced(b, corpus, one)
	}
	return a.write(out, s.WriteTSV)
}

// noteReduced prints which documents the reduced data contain.
func (a *app) noteReduced(b *bestterms.Choice, corpus *corpus.Corpus, one bool) {
	if !one {
		a.note("the reduced data have all %d documents, for every class keeps others; name one --class for its own", corpus.Documents())
		return
	}
	class := b.Classes[0]
	a.note("the reduced data have %d of %d documents, labelled 1 in the class %s and -1 outside", class.KeptDocuments, corpus.Documents(), class.Class)
}

// mostNamed is the largest number of classes that a note names.
const mostNamed = 10

// noteBestTerms prints the numbers of documents kept, per document of the class, and of
// terms, averaged over the classes that have documents.
func (a *app) noteBestTerms(b *bestterms.Choice) {
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
		a.note("a class keeps %.2f documents for each of its own, and has %.1f positive and %.1f negative terms (means of %d); %d entries visited",
			ratio/n, float64(positive)/n, float64(negative)/n, classes, b.Entries)
	}
	if n := len(without); n > 0 {
		more := ""
		if n > mostNamed {
			more = ", ..."
		}
		a.note("no term is positive for %d of %d classes, and no document can be in them: %s%s", n, len(b.Classes), strings.Join(without[:min(n, mostNamed)], ", "), more)
	}
}
