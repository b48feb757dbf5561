package resample_test

import (
	"testing"

	"github.com/termsift/termsift/engine/resample"
)

// A bootstrap draws as often as there are documents.
func TestBootstrapDrawsAllDocuments(t *testing.T) {
	total := 0
	for _, times := range resample.BootstrapWeights(1000, 1, 2) {
		total += int(times)
	}
	if total != 1000 {
		t.Errorf("%d draws", total)
	}
}
