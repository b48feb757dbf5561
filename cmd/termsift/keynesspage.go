package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

// This file makes the page of key words.

const (
	pageKeys   = 500  // of either sign
	pagePoints = 2000 // terms of the scatter plot besides the keys
)

const (
	evidenceKeys      = 10 // of either sign
	evidenceDocuments = 5
	evidenceLines     = 10
)

// writePage writes the page of a comparison.
func (f *keynessFlags) writePage(c *cobra.Command, of *keyness.Comparison, sides *keynessSides) (err error) {
	page := keynessPage(of, sides)
	if page.Evidence, err = f.keynessEvidence(c, of, sides); err != nil {
		return err
	}
	if err := f.write(f.html, page.WriteHTML); err != nil {
		return err
	}
	f.note("wrote %s", f.html)
	return nil
}

// keynessEvidence returns the evidence of the best keys: documents, and lines where the text can be
// read again. Statistics have neither.
func (f *keynessFlags) keynessEvidence(c *cobra.Command, comparison *keyness.Comparison, sides *keynessSides) (all []report.Evidence, err error) {
	for i, keys := range [][]keyness.Key{comparison.Positive, comparison.Negative} {
		side := sides.of[i]
		from, ok := side.counted.(*corpus.Corpus)
		var terms []string
		for _, key := range keys[:min(len(keys), evidenceKeys)] {
			terms = append(terms, key.Term)
		}
		if !ok || len(terms) == 0 {
			continue
		}
		documents, err := evidence.Documents(c.Context(), from, evidenceDocuments, terms...)
		if err != nil {
			return nil, err
		}
		lines := make([][]evidence.Line, len(terms))
		if f.kind(side.path) != indexFile && reader.ReadableTwice(side.path) {
			text := textOf{paths: []string{side.path}, filter: side.filter, provenance: from.Provenance()}
			if lines, err = f.lines(c.Context(), text, evidence.LineOptions{Most: evidenceLines}, terms...); err != nil {
				return nil, err
			}
		}
		for j, term := range terms {
			all = append(all, termEvidence{documents[j], lines[j]}.onPage(side.name, term))
		}
	}
	return all, nil
}

// onPage returns the evidence of a term for the page.
func (e termEvidence) onPage(side, term string) report.Evidence {
	on := report.Evidence{Term: term}
	for _, d := range e.documents {
		on.Documents = append(on.Documents, report.EvidenceDocument{Side: side, ID: d.ID, Labels: strings.Join(d.Labels, ", "), TF: int(d.TF), Length: int(d.Length)})
	}
	for _, l := range e.lines {
		on.Lines = append(on.Lines, report.ContextLine{Side: side, ID: l.ID, Left: l.Left, Match: l.Match, Right: l.Right})
	}
	return on
}

// keynessPage returns the page of a comparison.
func keynessPage(c *keyness.Comparison, sides *keynessSides) *report.KeyWords {
	page := &report.KeyWords{
		Title: fmt.Sprintf("Key words: %s against %s", sides.of[0].name, sides.of[1].name), Facts: keynessFacts(c, sides), Measure: string(c.Options.Measure),
		Target:    report.Collection{Name: sides.of[0].name, Documents: c.Target.Documents, Tokens: c.Target.Tokens, Words: c.Target.Words},
		Reference: report.Collection{Name: sides.of[1].name, Documents: c.Reference.Documents, Tokens: c.Reference.Tokens, Words: c.Reference.Words},
	}
	var also []keyness.Measure
	for _, m := range c.Measures() {
		if slices.Contains(c.Options.Also, m) && m != c.Options.Measure && m != keyness.LL && m != keyness.LogRatio {
			also, page.Also = append(also, m), append(page.Also, string(m))
		}
	}
	shown := map[string]bool{}
	for _, keys := range [][]keyness.Key{c.Positive, c.Negative} {
		for _, key := range keys[:min(len(keys), pageKeys)] {
			shown[key.Term] = true
			page.Keys = append(page.Keys, pageKey(c.Options.Measure, also, &key))
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
	if o.CountBy == keyness.Documents {
		facts = append(facts, report.Fact{Name: "measures count", Value: string(o.CountBy)})
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
func pageKey(m keyness.Measure, also []keyness.Measure, key *keyness.Key) report.KeyWord {
	k := report.KeyWord{
		Frequency: report.Frequency{Term: key.Term, Target: key.Target.TF, Reference: key.Reference.TF}, Positive: key.Sign > 0,
		Value: key.Value, Bar: barOf(m, key), LL: key.Of(keyness.LL), LogRatio: key.Of(keyness.LogRatio), Log10P: key.Log10Corrected,
		TargetRange: key.Target.DF, ReferenceRange: key.Reference.DF, Dispersion: key.Target.Dispersion.DPNorm,
	}
	if key.Sign < 0 {
		k.Dispersion = key.Reference.Dispersion.DPNorm
	}
	for _, m := range also {
		k.Also = append(k.Also, key.Of(m))
	}
	return k
}

// barOf returns the length of a key's bar, which is longer for a better key.
func barOf(m keyness.Measure, key *keyness.Key) float64 {
	ratio := m == keyness.OddsRatio || m == keyness.SimpleMaths
	switch {
	case math.IsNaN(key.Value):
		return 0
	case ratio && key.Sign < 0:
		return 1 / key.Value
	case m == keyness.ZetaCraig:
		return math.Abs(key.Value - 1)
	case m == keyness.LRCPos:
		return max(0, key.Value*float64(key.Sign))
	}
	return math.Abs(key.Value)
}

// scatterPoints returns the most frequent terms that are not shown already, and the number
// of the others.
func scatterPoints(c *keyness.Comparison, shown map[string]bool) (points []report.Frequency, omitted int) {
	for term, n := range c.Counts() {
		if !shown[term] {
			points = append(points, report.Frequency{Term: term, Target: n[0], Reference: n[1]})
		}
	}
	share := func(f report.Frequency) float64 {
		return float64(f.Target)/float64(c.Target.Tokens) + float64(f.Reference)/float64(c.Reference.Tokens)
	}
	slices.SortStableFunc(points, func(f, g report.Frequency) int { return cmp.Compare(share(g), share(f)) })
	kept := min(len(points), pagePoints)
	return points[:kept], len(points) - kept
}
