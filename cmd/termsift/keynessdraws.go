package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/keyness"
)

// This file has what keyness does with single documents: it draws them anew, or cuts texts into segments.

type keynessDraws struct {
	permutations int
	maxT         bool
	seed         uint64
}

func (f *keynessFlags) drawFlags() []flags.Flag {
	d := &f.draws
	return flags.In(flags.GroupScoring, []flags.Flag{
		{
			Name: "permutations", To: &d.permutations, Positive: true, Most: keyness.MostDraws,
			Help: "p-values by so many draws of the documents that are A, for any measure",
		},
		{Name: "maxt", To: &d.maxT, Help: "corrected p-values by the largest value of all terms in each permutation (Westfall and Young)"},
		{Name: "seed", To: &d.seed, More: true, Help: "which permutations"},
		{
			Name: "segments", To: &f.segment, Positive: true, Most: flags.Unlimited, Group: flags.GroupText,
			Help: "cut each text into runs of so many tokens, which are the documents; the rest is dropped",
		},
	})
}

// drawOptions sets the options that the flags give, or returns an error.
func (f *keynessFlags) drawOptions(c *cobra.Command, o *keyness.Options) error {
	d, given := &f.draws, c.Flags().Changed
	switch {
	case d.maxT && d.permutations == 0:
		return usageError("--maxt takes the largest value of each permutation: say how many by --permutations")
	case d.maxT && given("correct"):
		return usageError("--maxt corrects the p-values, and so does --correct: leave one away")
	case f.exact && d.permutations > 0:
		return usageError("p-values come from --exact or from --permutations: leave one away")
	case given("seed") && d.permutations == 0:
		return usageError("--seed goes with --permutations")
	}
	o.Permutations, o.MaxT, o.Seed = d.permutations, d.maxT, d.seed
	return nil
}

// checkSegments returns an error unless all inputs are text that is read here.
func (f *keynessFlags) checkSegments(args []string) error {
	if f.segment == 0 {
		return nil
	}
	if f.list.path != "" {
		return usageError("--segments cuts texts, and %s is a frequency list", f.list.path)
	}
	for _, path := range args {
		if f.kind(path) != otherFile {
			return usageError("--segments cuts texts, and %s has counts alone, which do not tell in which order the tokens were: name the text that it was made of", path)
		}
	}
	return nil
}

// noteShort tells how many documents are shorter than a segment.
func (f *keynessFlags) noteShort(sides *keynessSides) {
	told := map[string]bool{}
	for i := range sides.of {
		c, ok := sides.of[i].counted.(*corpus.Corpus)
		path := sides.of[i].path
		if !ok || told[path] {
			continue
		}
		told[path] = true
		if n := c.Provenance().Short; n > 0 {
			f.note("%s: %d documents have less than %d tokens, and no segment", path, n, f.segment)
		}
	}
}

// drawFacts are what programs are told of draws.
func (p *keynessPrinter) drawFacts() (facts []tables.Fact) {
	if p.segment > 0 {
		facts = append(facts, tables.Fact{Key: "segment", Value: p.segment})
	}
	if n := p.c.Options.Permutations; n > 0 {
		facts = append(facts, tables.Fact{Key: "permutations", Value: n}, tables.Fact{Key: "maxt", Value: p.c.Options.MaxT})
	}
	return facts
}
