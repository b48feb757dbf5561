package keyness_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/usage"
)

// Measures are found by what other programs call them, and those of classes are told from those of corpora.
func TestUnknownMeasure(t *testing.T) {
	for name, want := range map[string]string{
		"log-likelihood":   "did you mean ll (log-likelihood)",
		"textstat_keyness": "did you mean ll (log-likelihood)?",
		"fighting words":   "did you mean z (z score of weighted log odds)?",
	} {
		err := keyness.Options{Measure: keyness.Measure(name), MaxP: 1}.Validate()
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if err := (keyness.Options{Measure: "chi2", MaxP: 1}).Validate(); err != nil {
		t.Errorf("chi2: %v", err)
	}
	if keyness.LL.Title() != "log-likelihood" || keyness.Measure("x").Title() != "" {
		t.Error("titles")
	}
}
