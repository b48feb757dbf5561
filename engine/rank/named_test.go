package rank_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// Measures are found by what books and other programs call them, and a weighting is told from a measure.
func TestUnknownMeasure(t *testing.T) {
	for name, want := range map[string]string{
		"information_gain":    "did you mean ig (information gain)?",
		"mutual information":  "did you mean mi (pointwise mutual information) or emi (expected mutual information) or ig (information gain)?",
		"mutual_info_classif": "did you mean ig (information gain)?",
		"chi2":                "did you mean chi (chi-square)?",
		"odds ratio":          "did you mean or (odds ratio)?",
		"f_classif":           "did you mean anova (F statistic of tf)?",
		"log-likelihood":      "did you mean g2tf (log-likelihood ratio G² on tokens)?",
		"tf-idf":              "; tfidf is a weighting of rows, and no measure that ranks terms",
		"TFIDF":               "; tfidf is a weighting of rows",
		"chj":                 "did you mean chi?",
	} {
		err := rank.Options{Measure: rank.Measure(name)}.Validate()
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if err := rank.UnknownMeasure("measure", "information gain", []string{"chi"}); len(err.Near) > 0 {
		t.Errorf("%v names a measure that is not known here", err)
	}
}
