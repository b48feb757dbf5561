package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/keyness"
)

// This file has what keyness does with single documents: it draws them anew, halves a corpus, or cuts
// texts into segments.

type keynessDraws struct {
	permutations int
	maxT         bool
	seed         uint64
	splitHalf    int
	of           string
	at           []string
	continuity   bool
	etaAbsent    float64
}

// halved are the corpora that --of names.
var halved = []string{"reference", "target"}

func (f *keynessFlags) drawFlags() []flags.Flag {
	d := &f.draws
	return flags.In(flags.GroupScoring, []flags.Flag{
		{
			Name: "permutations", To: &d.permutations, Positive: true, Most: keyness.MostDraws,
			Help: "p-values by so many draws of the documents that are A, for any measure",
		},
		{Name: "maxt", To: &d.maxT, Help: "corrected p-values by the largest value of all terms in each permutation (Westfall and Young)"},
		{
			Name: "split-half", To: &d.splitHalf, Positive: true, Most: keyness.MostDraws,
			Help: "also the keys that so many halvings of B find, where nothing differs",
		},
		{Name: "of", To: &d.of, Default: halved[0], Choices: flags.Among(halved...), More: true, Help: "the corpus that --split-half halves: B, the reference, or A, the target"},
		{
			Name: "threshold", To: &d.at, List: true, Takes: "NUMBERS", More: true,
			Help: "values at which --split-half counts keys (default those of the best 10, 20, 50, 100, ... terms)",
		},
		{Name: "seed", To: &d.seed, More: true, Help: "which permutations, and which halves"},
		{Name: "continuity", To: &d.continuity, Default: true, More: true, Help: "correct wilcoxon for continuity"},
		{Name: "eta-absent", To: &d.etaAbsent, Default: .5, More: true, Help: "for eta, the dispersion in a corpus without the term: 0.5 as its authors, or 1"},
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
	case given("seed") && d.permutations == 0 && d.splitHalf == 0:
		return usageError("--seed goes with --permutations or --split-half")
	case (given("of") || given("threshold")) && d.splitHalf == 0:
		return usageError("--of and --threshold go with --split-half")
	case !slices.Contains(halved, d.of):
		return usageError("--of is reference or target, not %q", d.of)
	case given("eta-absent") && !(d.etaAbsent > 0 && d.etaAbsent <= 1):
		return usageError("--eta-absent must be above 0 and at most 1, not %v", d.etaAbsent)
	}
	o.Permutations, o.MaxT, o.Seed, o.NoContinuity, o.EtaAbsent = d.permutations, d.maxT, d.seed, !d.continuity, d.etaAbsent
	_, err := f.halfOptions()
	return err
}

// halfOptions returns the options of --split-half.
func (f *keynessFlags) halfOptions() (o keyness.HalfOptions, err error) {
	o = keyness.HalfOptions{B: f.draws.splitHalf, Target: f.draws.of == halved[1], Seed: f.draws.seed}
	for _, text := range f.draws.at {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0) {
			return o, usageError("--threshold has %q, which is no distance from 0, such as 3.84", text)
		}
		o.At = append(o.At, v)
	}
	return o, nil
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

// halve adds the split-half null to what is printed.
func (f *keynessFlags) halve(c *cobra.Command, p *keynessPrinter) error {
	if f.draws.splitHalf == 0 {
		return nil
	}
	o, err := f.halfOptions()
	if err != nil {
		return err
	}
	if p.halves, err = p.c.SplitHalf(c.Context(), o); err != nil {
		return err
	}
	f.warn(p.halves.Warnings)
	if !p.People() {
		for _, line := range p.halfLines() {
			f.note("%s", line)
		}
	}
	return nil
}

// halfLines tell people what halves of a corpus find.
func (p *keynessPrinter) halfLines() (lines []string) {
	s, of := p.halves, 0
	if s.Of == halved[0] {
		of = 1
	}
	by := p.c.Options.Measure
	lines = append(lines, fmt.Sprintf("%s halved %d times, into %d and %d documents; |%s| of any term is %s in the middle, %s in 19 of 20 at most",
		p.letters[of], s.B, s.Documents[0], s.Documents[1], by, twoDecimals(quantile(s.Largest, .5)), twoDecimals(quantile(s.Largest, .95))))
	for _, point := range s.Points {
		share := "-"
		if v := point.Share(); !math.IsNaN(v) {
			share = fmt.Sprintf("%.1f %%", 100*v)
		}
		lines = append(lines, fmt.Sprintf("|%s| >= %s: %d keys, %s between halves (%s)", by, twoDecimals(point.At), point.Keys, twoDecimals(point.False), share))
	}
	return lines
}

// quantile returns the least of some values that a share of them do not exceed.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// drawFacts are what programs are told of draws.
func (p *keynessPrinter) drawFacts() (facts []tables.Fact) {
	if p.segment > 0 {
		facts = append(facts, tables.Fact{Key: "segment", Value: p.segment})
	}
	if n := p.c.Options.Permutations; n > 0 {
		facts = append(facts, tables.Fact{Key: "permutations", Value: n}, tables.Fact{Key: "maxt", Value: p.c.Options.MaxT})
	}
	if p.halves == nil {
		return facts
	}
	type point struct {
		At    float64 `json:"at"`
		Keys  int     `json:"keys"`
		False float64 `json:"false"`
		Share any     `json:"share"`
	}
	var points []point
	for _, at := range p.halves.Points {
		points = append(points, point{at.At, at.Keys, at.False, tables.If(!math.IsNaN(at.Share()), at.Share())})
	}
	return append(facts, tables.Fact{Key: "split_half", Value: struct {
		Of        string    `json:"of"`
		Documents [2]int    `json:"documents"`
		Halves    int       `json:"halves"`
		Points    []point   `json:"points"`
		Largest   []float64 `json:"largest"`
	}{p.halves.Of, p.halves.Documents, p.halves.B, points, p.halves.Largest}})
}
