package evidence_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/evidence"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

// BenchmarkLines measures lines of one frequent term, of 1000 terms and of a pattern with wildcards.
func BenchmarkLines(b *testing.B) {
	var docs []document.Document
	bytes := 0
	for _, d := range enginetest.ManyTexts(20_000) {
		if d.Features == nil {
			docs = append(docs, d)
			bytes += len(d.Text)
		}
	}
	counter := testkit.Must(analysis.New(analysis.Options{})).NewCounter()
	for _, d := range docs {
		counter.Count(d.Text, nil)
	}
	terms := counter.Names()
	slices.Sort(terms)
	for name, searches := range map[string][]evidence.Search{
		"one":       evidence.OfTerms("the"),
		"thousand":  evidence.OfTerms(terms[:min(len(terms), 1000)]...),
		"wildcards": {{Patterns: []string{"*t*"}}},
	} {
		for _, all := range []bool{false, true} {
			b.Run(fmt.Sprintf("searches=%s/all=%v", name, all), func(b *testing.B) {
				b.SetBytes(int64(bytes))
				for b.Loop() {
					testkit.Must(evidence.Lines(b.Context(), document.InBatches(docs), analysis.Options{}, evidence.LineOptions{Most: 10, All: all, Threads: 1}, searches...))
				}
			})
		}
	}
}
