package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

// Shares are exact: 29 % of 100 documents are 29, though 0.29 times 100 is less as a float64.
func TestSharesOfDocuments(t *testing.T) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = []string{"a", "b"}[i%2] + ":every"
		for df := i + 1; df <= 100; df++ { // the term df is in df documents
			texts[i] += " term" + strings.Repeat("x", df)
		}
	}
	docs := enginetest.Texts(texts...)
	for percent := 1; percent <= 100; percent++ {
		share := fmt.Sprintf("%d%%", percent)
		least := testkit.Must(usage.ParseBound("", share))
		c := testkit.Must(corpus.Build(t.Context(), docs, corpus.Options{MinDF: least}))
		if got, want := c.Terms(), 100-percent+2; got != want {
			t.Errorf("at least %s: %d terms, want %d", share, got, want)
		}
		most := testkit.Must(usage.ParseBound("", share))
		c = testkit.Must(corpus.Build(t.Context(), docs, corpus.Options{MaxDF: most}))
		if got, want := c.Terms(), percent+percent/100; got != want {
			t.Errorf("at most %s: %d terms, want %d", share, got, want)
		}
	}
}
