package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/resample"
)

// permuteFlags are the flags of p-values by permuted labels.
type permuteFlags struct {
	permutations int
	seed         uint64
}

func (f *permuteFlags) flags() []flags.Flag {
	return []flags.Flag{
		{
			Name: "permutations", To: &f.permutations, Group: flags.GroupScoring, More: true, Positive: true, Most: resample.MostPermutations, Applies: flags.OfDocuments,
			Help: "also p-values by so many permutations of the labels: p of the term alone, p_max of the best of all terms",
		},
		{Name: "seed", To: &f.seed, Group: flags.GroupScoring, More: true, Help: "which permutations"},
	}
}

func (f *permuteFlags) checkPermutations(c *cobra.Command, of *scoreFlags) error {
	switch {
	case c.Flags().Changed("seed") && f.permutations == 0:
		return usageError("--seed goes with --permutations")
	case f.permutations > 0 && of.Positive:
		return usageError("p-values are two-sided: leave --permutations or --positive away")
	case f.permutations > 0 && of.Combine == "class" && of.class == "":
		return usageError("--permutations with --combine class needs a --class")
	}
	return nil
}

// permuted prints rankings with their p-values.
func (s *scorer) permuted(corpus *corpus.Corpus, plans []rank.Plan) error {
	for _, p := range plans {
		o := resample.PermuteOptions{By: s.f.Scoring.Options(string(p.Measure()), s.f.threads), Class: s.f.class, B: s.f.permutations, Seed: s.f.seed}
		tests, err := resample.Permute(s.c.Context(), corpus, o)
		if err != nil {
			return err
		}
		s.warn(tests.Warnings)
		if err := s.title(tests.Measure, tests.Combine, tests.Class, fmt.Sprintf(", p of %d permutations", tests.B)); err != nil {
			return err
		}
		entries := tests.All()
		if !s.f.all {
			entries = tests.Best(s.f.top)
		}
		line := newLine(tests.Measure, tests.Combine, false)
		for e := range entries {
			line.Entry, line.p, line.pMax = e.Entry, e.P, e.PMax
			if err := s.table.Add(line); err != nil {
				return err
			}
		}
	}
	return s.table.Close()
}
