package keyness_test

import (
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/keyness"
)

// BenchmarkCompare finds the 20 best keys of either sign of the computer groups of 20
// Newsgroups against the others.
func BenchmarkCompare(b *testing.B) {
	whole := enginetest.NewsgroupsCorpus(b, "train")
	part := func(expr string) *corpus.Corpus {
		query := enginetest.Must(corpus.ParseQuery(expr, nil))
		return enginetest.Must(whole.Subset(b.Context(), enginetest.Must(whole.Match(query)).Docs, corpus.SubsetOptions{}))
	}
	target, reference := part("class=comp.*"), part("not class=comp.*")
	for b.Loop() {
		if _, err := keyness.Compare(b.Context(), target, reference, keyness.Options{Top: 20, Threads: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
