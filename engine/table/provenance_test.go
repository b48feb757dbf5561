package table

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/analysis"
)

// Lists are compared as wholes, and an error says of long ones how many they have.
func TestSameAnalysis(t *testing.T) {
	phrases := analysis.Options{Phrases: analysis.Phrases{"a b", "c d", "e f"}}
	for _, other := range []analysis.Options{
		{},
		{Phrases: analysis.Phrases{"a b", "c d"}},
		{Phrases: analysis.Phrases{"a b", "c d", "e g"}},
	} {
		err := SameAnalysis(phrases, other)
		if err == nil || !strings.Contains(err.Error(), "the list of phrases of the target is 3 phrases (hash ") {
			t.Errorf("%v: %v", other, err)
		}
	}
	if err := SameAnalysis(phrases, analysis.Options{Phrases: analysis.Phrases{"a b", "c d", "e f"}}); err != nil {
		t.Error(err)
	}
	if err := SameAnalysis(analysis.Options{StopWords: []string{"a"}}, analysis.Options{StopWords: []string{"b"}}); err == nil {
		t.Error("different stop words are the same")
	}
}
