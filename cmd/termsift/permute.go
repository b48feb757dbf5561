package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
)

// permuteFlags ask for p-values by permuted labels.
type permuteFlags struct {
	permutations int
	seed         uint64
}

func (f *permuteFlags) register(c *cobra.Command) {
	c.Flags().IntVar(&f.permutations, "permutations", 0,
		"also p-values by so many permutations of the labels: p of the term alone, p_max of the best of all terms")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "which permutations")
}

func (f *permuteFlags) checkPermutations(c *cobra.Command, of *scoreFlags) error {
	switch {
	case c.Flags().Changed("permutations") && f.permutations <= 0:
		return usageError("--permutations must be positive, not %d", f.permutations)
	case c.Flags().Changed("seed") && f.permutations == 0:
		return usageError("--seed goes with --permutations")
	case f.permutations > 0 && of.combine == "class" && of.class == "":
		return usageError("--permutations with --combine class needs a --class")
	}
	return nil
}

// permuted prints rankings with their p-values.
func (s *scorer) permuted(measures []string) error {
	for _, m := range measures {
		o := engine.Permuting{Scoring: s.f.scoring(m, s.f.threads), Class: s.f.class, B: s.f.permutations, Seed: s.f.seed}
		tests, err := s.corpus.Permute(s.c.Context(), o)
		if err != nil {
			return err
		}
		s.warn(tests.Warnings)
		label := tests.Combine
		if tests.Class != "" {
			label += " " + s.p.visible(tests.Class)
		}
		s.p.title("%s, %s, p of %d permutations", tests.Measure, label, tests.B)
		entries := tests.All()
		if !s.f.all {
			entries = tests.Best(s.f.top)
		}
		for e := range entries {
			s.p.more = []column{{name: "p", value: e.P}, {name: "p_max", value: e.PMax}}
			if err := s.p.print(tests.Measure, tests.Combine, e.Entry, false); err != nil {
				return err
			}
		}
	}
	return nil
}
