package main

import (
	"context"
	"slices"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A choice says which terms are selected, in plain values that travel to the workers: flags, and
// what stands in the files that they name.
type choice struct {
	Flags      flags.Selecting
	Keep, Drop []string
	Factors    []table.Weighting
	Parts      int // of the terms
	Threads    int
	Repeats    bool // the same documents may come twice
}

// newChoice returns the choice of the flags, whose files it reads. What statistics do not suffice
// for is an error.
func newChoice(f flags.Selecting, files flags.Lists, factors []table.Weighting, parts, threads int) (choice, error) {
	c := choice{Flags: f, Factors: factors, Parts: parts, Threads: threads}
	switch {
	case f.Rules.Auto():
		return c, usage.Errorf("-k auto tries parts of the documents: say a number, or take termsift on one machine")
	case slices.ContainsFunc(f.Rules, func(r flags.Rule) bool { return r.Name == "per-document" }):
		return c, usage.Errorf("--per-document looks at the terms of each document: take termsift on one machine")
	}
	for _, w := range factors {
		if _, err := selection.FactorOf(w); err != nil {
			return c, err
		}
	}
	var err error
	if c.Keep, c.Drop, err = f.Terms(files); err != nil {
		return c, err
	}
	if f.SeedFile != "" {
		return c, usage.Errorf("--seed-words names the words that are no terms, and no machine has all terms: take termsift on one machine")
	}
	stages, err := c.stages()
	if err != nil {
		return c, err
	}
	for _, s := range stages {
		if plan, err := s.By.Resolve(); err != nil {
			return c, err
		} else if plan.Sums() != "" {
			return c, usage.Errorf("--weight %s needs the frequencies of all documents before any is weighted: take termsift on one machine", f.Weight)
		}
	}
	return c, nil
}

// stages returns the options of each stage.
func (c *choice) stages() ([]selection.Options, error) {
	m, err := c.Flags.Method(c.Flags.By, c.Threads)
	if err != nil {
		return nil, err
	}
	by, ok := m.(methods.Measure)
	if !ok {
		return nil, usage.Errorf("--by %s looks at the terms of each document: take termsift on one machine", c.Flags.By)
	}
	return c.Flags.Stages(by.Options, c.Keep, c.Drop)
}

// mergeable reports whether what is selected from parts of the terms merges to what is selected
// from all.
func (c *choice) mergeable() bool {
	stages, err := c.stages()
	return err == nil && len(stages) == 1 && stages[0].Mergeable()
}

// selection selects from statistics, whose number of parts is that of the choice or 1. A part
// may have no term that passes.
func (c *choice) selection(ctx context.Context, stats *table.Table, part bool) (s *selection.Selection, err error) {
	stages, err := c.stages()
	if err != nil {
		return nil, err
	}
	for _, o := range stages {
		o.Among, o.AllowNone = s, part
		if s, err = selection.Select(ctx, stats, o); err != nil {
			return nil, err
		}
	}
	if len(c.Factors) == 0 {
		return s, nil
	}
	return s.WithFactors(ctx, stats, c.Threads, c.Factors...)
}
