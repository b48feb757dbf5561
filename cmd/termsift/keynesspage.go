package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

// This file makes the page of key words.

const (
	pageKeys   = 500  // of either sign
	pagePoints = 2000 // terms of the scatter plot besides the keys
)

// writeKeynessPage writes the page of a comparison.
func (a *app) writeKeynessPage(path string, c *keyness.Comparison, sides *keynessSides, evidence []report.Evidence) error {
	page := keynessPage(c, sides)
	page.Evidence = evidence
	if err := a.write(path, func(w io.Writer) error { return page.WriteHTML(w) }); err != nil {
		return err
	}
	a.note("wrote %s", path)
	return nil
}

// keynessPage returns the page of a comparison.
func keynessPage(c *keyness.Comparison, sides *keynessSides) *report.KeyWords {
	page := &report.KeyWords{
		Title: fmt.Sprintf("Key words: %s against %s", sides.names[0], sides.names[1]), Facts: keynessFacts(c, sides), Measure: string(c.Options.Measure),
		Target:    report.Collection{Name: sides.names[0], Documents: c.Target.Documents, Tokens: c.Target.Tokens, Words: c.Target.Words},
		Reference: report.Collection{Name: sides.names[1], Documents: c.Reference.Documents, Tokens: c.Reference.Tokens, Words: c.Reference.Words},
	}
	shown := map[string]bool{}
	for _, keys := range [][]keyness.Key{c.Positive, c.Negative} {
		for _, key := range keys[:min(len(keys), pageKeys)] {
			shown[key.Term] = true
			page.Keys = append(page.Keys, pageKey(c.Options.Measure, &key))
		}
	}
	page.Points, page.Omitted = scatterPoints(c, shown)
	return page
}

func keynessFacts(c *keyness.Comparison, sides *keynessSides) []report.Fact {
	o, p := c.Options, sides.analysis
	facts := []report.Fact{
		{Name: "keys", Value: fmt.Sprintf("%s positive and %s negative of %s terms tested",
			report.Count(c.PassedPositive), report.Count(c.PassedNegative), report.Count(c.Tested))},
		{Name: "least frequency and range", Value: fmt.Sprintf("%d, %d", o.MinFreq, o.MinRange)},
		{Name: "correction of p-values", Value: string(o.Correction)},
		{Name: "tokens", Value: p.Tokens + ", stop list " + p.Stop + ", stemmer " + p.Stem},
		{Name: "termsift", Value: table.Version},
	}
	if o.MaxP > 0 {
		facts = append(facts, report.Fact{Name: "largest p-value", Value: fmt.Sprint(o.MaxP)})
	}
	for _, w := range c.Warnings {
		facts = append(facts, report.Fact{Name: "warning", Value: w})
	}
	return facts
}

// pageKey returns a key as the page shows it.
func pageKey(m keyness.Measure, key *keyness.Key) report.KeyWord {
	k := report.KeyWord{
		Frequency: report.Frequency{Term: key.Term, Target: key.Target.TF, Reference: key.Reference.TF}, Positive: key.Sign > 0,
		Value: key.Value, Bar: barOf(m, key), LL: key.LL, LogRatio: key.LogRatio, Log10P: key.Log10Corrected,
		TargetRange: key.Target.DF, ReferenceRange: key.Reference.DF, Dispersion: key.Target.Dispersion.DPNorm,
	}
	if key.Sign < 0 {
		k.Dispersion = key.Reference.Dispersion.DPNorm
	}
	return k
}

// barOf returns the length of a key's bar, which is longer for a better key.
func barOf(m keyness.Measure, key *keyness.Key) float64 {
	switch {
	case math.IsNaN(key.Value):
		return 0
	case m == keyness.OddsRatio && key.Sign < 0:
		return 1 / key.Value
	}
	return math.Abs(key.Value)
}

// scatterPoints returns the most frequent terms that are not shown already, and the number
// of the others.
func scatterPoints(c *keyness.Comparison, shown map[string]bool) (points []report.Frequency, omitted int) {
	for n := range c.Counts() {
		if !shown[n.Term] {
			points = append(points, report.Frequency(n))
		}
	}
	share := func(f report.Frequency) float64 {
		return float64(f.Target)/float64(c.Target.Tokens) + float64(f.Reference)/float64(c.Reference.Tokens)
	}
	slices.SortStableFunc(points, func(f, g report.Frequency) int { return cmp.Compare(share(g), share(f)) })
	kept := min(len(points), pagePoints)
	return points[:kept], len(points) - kept
}
