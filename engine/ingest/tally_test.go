package ingest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

// The error of an option that needs an index names it, and so does that of missing batches.
func TestCountRefusesWhatNeedsAnIndex(t *testing.T) {
	batches := enginetest.InBatches([]document.Document{{Text: []byte("a word"), Labels: []string{"x"}}}, 1)
	for name, opt := range map[string]ingest.Options{
		"Dedupe": {Dedupe: true}, "MinDF": {MinDF: 2}, "MaxDF": {MaxDF: 0.5}, "MaxMemory": {MaxMemory: 1 << 30},
	} {
		_, err := ingest.Count(t.Context(), batches, opt)
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), name) || opt.Tallies() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ingest.Count(t.Context(), nil, ingest.Options{}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "batches") {
		t.Error(err)
	}
	if c, err := ingest.Count(t.Context(), batches, ingest.Options{}); err != nil || c.Names.Len() == 0 {
		t.Error(c, err)
	}
}
