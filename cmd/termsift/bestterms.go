package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine"
)

// byBestTerms is the name of the algorithm where measures have theirs.
const byBestTerms = "best-terms"

// bestTermsFlags say how Best Terms chooses.
type bestTermsFlags struct {
	function            string
	p                   float64
	rule, scope, counts string
	classes             []string
	classTerms          string
}

// bestTermsOnly are the flags that nothing else takes.
var bestTermsOnly = []string{"function", "p", "rule", "scope", "counts", "class", "class-terms"}

func (f *bestTermsFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.function, "function", "chi", "of best-terms: "+strings.Join(engine.BestTermsFunctions(), ", "))
	flags.Float64VarP(&f.p, "p", "p", 0, "of best-terms: how precise terms must be, from 0 to 1")
	flags.StringVar(&f.rule, "rule", engine.RuleInterpolated, "of best-terms: interpolated, P(c|t) >= p + (1-p)P(c); or max, P(c|t) >= p")
	flags.StringVar(&f.scope, "scope", engine.ScopeReduced, "of best-terms: negative terms of the reduced documents outside the class, or of all")
	flags.StringVar(&f.counts, "counts", engine.CountsTraining, "of best-terms: negative terms by the counts of the training documents, or of the reduced")
	flags.StringArrayVar(&f.classes, "class", nil, "of best-terms: choose for this class; may be repeated (default all)")
	flags.StringVar(&f.classTerms, "class-terms", "", "of best-terms: also write the terms of every class to this file")
}

// refuse reports flags of the algorithm without it.
func (f *bestTermsFlags) refuse(c *cobra.Command) error {
	for _, name := range bestTermsOnly {
		if c.Flags().Changed(name) {
			return usageError("%s goes with --by %s", typed(c.Flags().Lookup(name)), byBestTerms)
		}
	}
	return nil
}

// check reports flags of other criteria.
func (f *bestTermsFlags) check(c *cobra.Command) error {
	known := append([]string{"by", "rs-d", "threads", "output", "svmlight", "to", "features", "classifier", "seed"}, bestTermsOnly...)
	if c.Flags().Lookup("to") != nil || c.Flags().Lookup("classifier") != nil {
		known = append(known, "weight") // of the rows, not a measure's
	}
	err := onlyFlags(c, byBestTerms, known...)
	if out := c.Flags().Lookup("output").Value.String(); err == nil && f.classTerms == "-" && (out == "" || out == "-") {
		err = usageError("--class-terms - and the output would both go to standard output: name a file for one of them")
	}
	return err
}

// onlyFlags reports flags that an algorithm does not take: any but the ones named and
// those that say how raw text is read, so that a new criterion need not be named here.
func onlyFlags(c *cobra.Command, by string, known ...string) (err error) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		_, raw := flag.Annotations[rawOnly]
		if !raw && !slices.Contains(known, flag.Name) && c.InheritedFlags().Lookup(flag.Name) == nil {
			err = usageError("%s does not go with --by %s", typed(flag), by)
		}
	})
	return err
}

// typed is a flag as one types it.
func typed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// bestTerms chooses terms of the inputs, and writes those of every class if asked to.
func (a *app) bestTerms(c *cobra.Command, in *inputFlags, f *selectingFlags, args []string) (*engine.BestTerms, *engine.Corpus, error) {
	if err := f.best.check(c); err != nil {
		return nil, nil, err
	}
	o := engine.BestTermsOptions{
		Function: f.best.function, P: f.best.p, Rule: f.best.rule, Scope: f.best.scope, Counts: f.best.counts,
		Classes: f.best.classes, RSD: f.rsd, Threads: in.threads,
	}
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	corpus, err := a.corpus(c, in, args)
	if err != nil {
		return nil, nil, err
	}
	b, err := corpus.BestTerms(c.Context(), o)
	if err != nil {
		return nil, nil, err
	}
	a.noteBestTerms(b)
	return b, corpus, nil
}

// bestTermsSelection unites the terms of the classes.
func (a *app) bestTermsSelection(c *cobra.Command, in *inputFlags, f *selectingFlags, args []string) (*engine.Selection, *engine.Corpus, error) {
	b, corpus, err := a.bestTerms(c, in, f, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.united(f, b, corpus)
	return s, corpus, err
}

func (a *app) united(f *selectingFlags, b *engine.BestTerms, corpus *engine.Corpus) (*engine.Selection, error) {
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

// selectBestTerms is select with Best Terms. The reduced data of one class are those of
// its binary problem: the documents that are left, with the labels 1 and -1. Of several
// classes, each of which leaves other documents, they are all documents with their
// labels.
func (a *app) selectBestTerms(c *cobra.Command, in *inputFlags, f *selectingFlags, out, svmlight string, args []string) error {
	b, corpus, err := a.bestTerms(c, in, f, args)
	if err != nil {
		return err
	}
	s, err := a.united(f, b, corpus)
	if err != nil {
		return err
	}
	one := len(f.best.classes) == 1
	if svmlight != "" {
		filter, err := b.Filter(s)
		if err != nil {
			return err
		}
		err = a.writeRows(svmlight, "svmlight", s, "tf", func(t *engine.Transformer) rows {
			all := t.Corpus(c.Context(), corpus)
			if one {
				return filter.OneAgainstRest(0, all)
			}
			return all
		})
		if err != nil {
			return err
		}
		a.noteReduced(b, corpus, one)
	}
	return a.write(out, s.WriteTSV)
}

// noteReduced tells which documents the reduced data have.
func (a *app) noteReduced(b *engine.BestTerms, corpus *engine.Corpus, one bool) {
	if !one {
		a.note("the reduced data have all %d documents, for every class keeps others; name one --class for its own", corpus.Documents())
		return
	}
	class := b.Classes[0]
	a.note("the reduced data have %d of %d documents, labelled 1 in the class %s and -1 outside", class.KeptDocuments, corpus.Documents(), class.Class)
}

// mostNamed bounds how many classes a note names.
const mostNamed = 10

// noteBestTerms sums up: documents kept for each of the class, and terms, on average
// over the classes that have documents.
func (a *app) noteBestTerms(b *engine.BestTerms) {
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
