package rank_test

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// chi2 is a measure of the caller.
type chi2 struct{}

func (chi2) Name() string               { return "chi2" }
func (chi2) Class(*score.Table) float64 { return 1 }

// Measures are found by what books and other programs call them, and a weighting is told from a measure.
func TestUnknownMeasure(t *testing.T) {
	for name, want := range map[string]string{
		"information_gain":    "did you mean ig (information gain)?",
		"mutual information":  "did you mean emi (expected mutual information) or ig (information gain) or mi (pointwise mutual information)?",
		"mutual_info_classif": "did you mean ig (information gain)?",
		"chi2_contingency":    "did you mean chi (chi-square)?",
		"mutual_information":  "did you mean emi (expected mutual information) or ig (information gain) or mi (pointwise mutual information)?",
		"significant_text":    "did you mean jlh (JLH score)?",
		"textstat_keyness":    "did you mean g2tf (log-likelihood ratio G² on tokens) or chitf (chi-square on tokens)?",
		"dunning":             "did you mean g2 (log-likelihood ratio G² on documents) or g2tf (log-likelihood ratio G² on tokens)?",
		"Zeta":                "did you mean zeta (Burrows's zeta)",
		"odds ratio":          "did you mean or (odds ratio)?",
		"f_classif":           "did you mean anova (F statistic of tf)?",
		"log-likelihood":      "did you mean g2tf (log-likelihood ratio G² on tokens)?",
		"tf-idf":              "; tfidf is a weighting of rows, and no measure that ranks terms",
		"TFIDF":               "; tfidf is a weighting of rows",
		"chj":                 "did you mean chi?",
		"MI":                  "did you mean mi (pointwise mutual information)?",
		"mh":                  "mh went in 0.2.0: rank the documents of each part alone",
		"kendall":             "kendall went in 0.2.0: spearman with the weight binary gives the same order",
		"c-TF-IDF":            "did you mean ctfidf (class-based tf-idf)?",
	} {
		err := rank.Options{Measure: rank.Measure(name)}.Validate()
		testkit.Refused(t, err, usage.ErrUsage, want, name)
	}
	for _, o := range []rank.Options{{Measure: "chi2"}, {Measure: "chi2", Own: []score.Measure{chi2{}}}} {
		p, err := o.Resolve()
		if want := []rank.Measure{"chi", "chi2"}[len(o.Own)]; err != nil || p.Measure() != want {
			t.Errorf("chi2 is %s, %v, want %s", p.Measure(), err, want)
		}
	}
	testkit.Equal(t, len(rank.UnknownMeasure("measure", "information gain", []string{"chi"}).Near), 0)
}
