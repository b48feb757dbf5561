package usage

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Names are suggested by titles that are the same, by their spelling, and by titles that are alike,
// in this order.
func TestWithTitles(t *testing.T) {
	titles := []struct{ name, title string }{
		{"mi", "pointwise mutual information"},
		{"emi", "expected mutual information"},
		{"ig", "information gain"},
		{"or", "odds ratio"},
		{"lor", "log odds ratio"},
		{"chi", "chi-square"},
		{"ig", "info gain"},
		{"ttest", "t-test on term frequency"},
		{"chi", "chi2"},
	}
	for name, want := range map[string]string{
		"information_gain":   "ig (information gain)",
		"Information Gain":   "ig (information gain)",
		"infomation-gain":    "ig (information gain)",
		"infogain":           "ig (information gain)",
		"mutual information": "mi (pointwise mutual information) or emi (expected mutual information)",
		"information":        "mi (pointwise mutual information) or emi (expected mutual information) or ig (information gain)",
		"odds.ratio":         "or (odds ratio)",
		"odds":               "or (odds ratio) or lor (log odds ratio)",
		"chi2":               "chi (chi-square)",
		"chj":                "chi",
		"t test":             "ttest (t-test on term frequency)",
		"xyz":                "",
		"on":                 "or",
		"":                   "",
		"---":                "",
		"gain of moon":       "",
	} {
		known := []string{"mi", "emi", "ig", "or", "lor", "chi", "ttest"}
		err := Unknown("measure", name, known).WithTitles(func(yield func(name, title string) bool) {
			for _, x := range titles {
				if !yield(x.name, x.title) {
					return
				}
			}
		})
		got := ""
		if _, after, ok := strings.Cut(err.Error(), "did you mean "); ok {
			got, _, _ = strings.Cut(after, "?")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if !errors.Is(err, ErrUsage) || len(err.Near) > mostNear || !slices.Equal(err.Known, known) {
			t.Errorf("%q: %+v", name, err)
		}
		for near := range maps.Keys(err.Titles) {
			if !slices.Contains(err.Near, near) {
				t.Errorf("%q: the title of %q, which is not suggested", name, near)
			}
		}
	}
}
