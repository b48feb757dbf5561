package keyness_test

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
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
		testkit.Refused(t, err, usage.ErrUsage, want, name)
	}
	testkit.Is(t, (keyness.Options{Measure: "chi2", MaxP: 1}).Validate(), nil, "chi2")
	testkit.Equal(t, keyness.LL.Title(), "log-likelihood", "titles")
	testkit.Equal(t, keyness.Measure("x").Title(), "", "titles")
}
