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

// What the page shows of a key: fewer lines and documents where there are many keys, so that it
// stays small.
const (
	evidenceLines     = 10
	evidenceDocuments = 5
	evidenceOfPage    = 4000 // lines, and as many documents
)

// perKey returns how many of the most lines or documents of a key are shown on a page of so many keys.
func perKey(most, keys int) int { return min(most, max(2, evidenceOfPage/max(1, keys))) }

// writePage writes the page of a comparison.
func (f *keynessFlags) writePage(c *cobra.Command, of *keyness.Comparison, sides *keynessSides) (err error) {
	page := keynessPage(of, sides)
	if err = f.addEvidence(c, page, sides); err != nil {
		return err
	}
	return f.writeHTML(f.html, page)
}

// addEvidence adds to a page where its keys are: documents, and lines where the text can be read
// again. Statistics have neither.
func (f *keynessFlags) addEvidence(c *cobra.Command, page *report.KeyWords, sides *keynessSides) error {
	documents, lines := perKey(evidenceDocuments, len(page.Keys)), perKey(evidenceLines, len(page.Keys))
	anyLines := false
	for i, side := range sides.of {
		from, ok := side.counted.(*corpus.Corpus)
		var terms []string
		for _, key := range page.Keys {
			if key.Positive == (i == 0) {
				terms = append(terms, key.Term)
			}
		}
		if !ok || len(terms) == 0 {
			continue
		}
		in, err := evidence.Documents(c.Context(), from, documents, terms...)
		if err != nil {
			return err
		}
		found := make([][]evidence.Line, len(terms))
		if f.kind(side.path) != indexFile && !hasNoLines(from) && reader.ReadableTwice(side.path) {
			text := textOf{paths: []string{side.path}, filter: side.filter, provenance: from.Provenance()}
			if found, err = f.lines(c.Context(), text, evidence.LineOptions{Most: lines}, terms...); err != nil {
				return err
			}
			anyLines = true
		}
		for j, term := range terms {
			page.Evidence = append(page.Evidence, termEvidence{in[j], found[j]}.onPage(side.name, term))
		}
	}
	if page.Evidence != nil {
		page.EvidenceNote = fmt.Sprintf("Of each key the %d documents that have it most often", documents)
		if anyLines {
			page.EvidenceNote += fmt.Sprintf(", and %d lines of text with it, drawn at random, by the words behind it", lines)
		}
		page.EvidenceNote += ". Printed are those of the keys with a bar, and what is open."
	}
	return nil
}

// onPage returns the evidence of a term for a page. side is the name of its corpus.
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
	o := c.Options
	facts := []report.Fact{
		{Name: "keys", Value: fmt.Sprintf("%s positive and %s negative of %s terms tested",
			report.Count(c.PassedPositive), report.Count(c.PassedNegative), report.Count(c.Tested))},
		{Name: "least frequency and range", Value: fmt.Sprintf("%d, %d", o.MinFreq, o.MinRange)},
		{Name: "correction of p-values", Value: string(o.Correction)},
		{Name: "tokens", Value: analysisText(sides.analysis)},
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
