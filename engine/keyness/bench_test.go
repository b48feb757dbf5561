package keyness_test

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/keyness"
)

// BenchmarkCompare finds the 20 best keys of either sign of the computer groups of 20
// Newsgroups against the others.
func BenchmarkCompare(b *testing.B) {
	whole := enginetest.NewsgroupsCorpus(b, "train")
	part := func(expr string) *corpus.Corpus {
		query := testkit.Must(corpus.ParseQuery(expr, nil))
		return testkit.Must(whole.Subset(b.Context(), testkit.Must(whole.Match(query)).Docs, corpus.SubsetOptions{}))
	}
	target, reference := part("class=comp.*"), part("not class=comp.*")
	for b.Loop() {
		testkit.Must(keyness.Compare(b.Context(), target, reference, keyness.Options{Top: 20, Threads: 1}))
	}
}
