package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// notGreedy are the flags of a selection by the values of single terms.
var notGreedy = []string{"combine", "base", "rs-d", "signed", "percentile", "min-score", "per-class", "round-robin", "keep"}

// redundancy turns the flags into options.
func (f *selectingFlags) redundancy(c *cobra.Command, threads int) (o engine.Redundancy, err error) {
	o = engine.Redundancy{Criterion: f.by, K: f.k, Threads: threads}
	for _, name := range notGreedy {
		if c.Flags().Changed(name) {
			return o, usageError("--%s does not go with --by %s, which chooses terms for what they add to those before: say -k, and --drop if you like", name, f.by)
		}
	}
	if f.drop != "" {
		if o.Drop, err = readWords(f.drop); err != nil {
			return o, err
		}
	}
	return o, o.Validate()
}

// redundancySelection is selection by mrmr, jmi or cmim.
func (a *app) redundancySelection(c *cobra.Command, in *inputFlags, f *selectingFlags, args []string) (*engine.Selection, *engine.Corpus, error) {
	o, err := f.redundancy(c, in.threads)
	if err != nil {
		return nil, nil, err
	}
	corpus, err := a.corpus(c, in, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := corpus.SelectRedundancy(c.Context(), o)
	if err != nil {
		return nil, nil, err
	}
	a.warn(s.Warnings)
	a.note("selected %d of %d terms by %s, %s", len(s.Features), corpus.Terms(), s.Measure, s.Combine)
	return s, corpus, nil
}
