package table

import (
	"encoding/json"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
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
		testkit.Says(t, err, "the list of phrases of the target is 3 phrases (hash ", other)
	}
	testkit.Equal(t, SameAnalysis(phrases, analysis.Options{Phrases: analysis.Phrases{"a b", "c d", "e f"}}) == nil, true)
	if err := SameAnalysis(analysis.Options{StopWords: []string{"a"}}, analysis.Options{StopWords: []string{"b"}}); err == nil {
		t.Error("different stop words are the same")
	}
}

// The record of a part of the terms, or of documents with a control, is refused, in whatever it stands.
func TestWhatWentIsRefused(t *testing.T) {
	for _, text := range []string{`{"control":"price"}`, `{"reference":{"control":"price"}}`, `{"part":{"numbers":[0],"of":2}}`, `{"shards":[{"version":"0.1"},{"part":{"numbers":[1],"of":2}}]}`} {
		var p Provenance
		testkit.Refused(t, json.Unmarshal([]byte(text), &p), usage.ErrData, "count again", text)
	}
	var p Provenance
	if err := json.Unmarshal([]byte(`{"version":"0.2.0","input_hash":"x","shards":[{"charset":"auto"}]}`), &p); err != nil || p.Version != "0.2.0" || p.InputHash != "x" || p.Shards[0].Charset != "auto" {
		t.Errorf("%+v, %v", p, err)
	}
}
