package usage

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"":                           {""},
		"chi":                        {"chi"},
		"svm:loss=l1,c=1,knn":        {"svm:loss=l1,c=1", "knn"},
		"chi,best-terms:p=0.5,p=1":   {"chi", "best-terms:p=0.5,p=1"},
		"svm,svm:c=1,knn:k=3,c,d=2":  {"svm", "svm:c=1", "knn:k=3", "c", "d=2"},
		"mine=max(A,B),chi":          {"mine=max(A,B)", "chi"},
		"chi,m=min(A,max(B,C)),ig":   {"chi", "m=min(A,max(B,C))", "ig"},
		"chi:max,m=A:avg,n=B==C":     {"chi:max", "m=A:avg", "n=B==C"},
		"m=A,n=B,best-terms:p=0,q=1": {"m=A", "n=B", "best-terms:p=0,q=1"},
		"m=max(A,B":                  {"m=max(A,B"},
		"m=A),chi":                   {"m=A)", "chi"},
		"c=1":                        {"c=1"},
		"a,,b":                       {"a", "", "b"},
	} {
		testkit.EqualSlices(t, SplitNames(list), want, list)
	}
}

func TestSet(t *testing.T) {
	name, n, c, p, yes := "", 0, 0.0, 1.0, false
	all := []Setting{{Name: "name", To: &name}, {Name: "yes", To: &yes}, {Name: "n", To: &n}, {Name: "c", To: &c}, {Name: "p", To: &p, NotNegative: true}}
	if err := ReadOptions("n=7,name=x,p=0,c=.5,yes=true", all); err != nil || name != "x" || n != 7 || c != .5 || p != 0 || !yes {
		t.Error(name, n, c, p, err)
	}
	testkit.OK(ReadOptions("", all))
	for options, want := range map[string]string{
		"m=1":     "unknown option \"m\"",
		"nam=x":   "did you mean name?",
		"n=0":     "n must be a whole number above 0, not \"0\"",
		"n=1.5":   "whole number above 0",
		"c=0":     "c must be a number above 0, not \"0\"",
		"p=-1":    "p must be a number of 0 or more, not \"-1\"",
		"p=NaN":   "not \"NaN\"",
		"p":       "not \"\"",
		"yes=2":   "yes must be true or false, not \"2\"",
		"c=1,,":   "unknown option \"\"",
		"c=1,p=x": "p must be",
	} {
		testkit.Refused(t, ReadOptions(options, all), ErrUsage, want, options)
	}
}

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
		testkit.Equal(t, got, want, name)
		if !errors.Is(err, ErrUsage) || len(err.Near) > mostNear || !slices.Equal(err.Known, known) {
			t.Errorf("%q: %+v", name, err)
		}
		for near := range maps.Keys(err.Titles) {
			testkit.Equal(t, slices.Contains(err.Near, near), true, name, "the title of", near,
				"which is not suggested")
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"2GiB": 2 << 30, "1.5g": 3 << 29, "256 MiB": 256 << 20, "3MB": 3e6, "1048576": 1 << 20, "2k": 2048, "": 0, "x": 0, "-1GB": 0, "9e30": 0, "1 bib": 0, "0.5": 0,
	} {
		testkit.Equal(t, ParseSize(text), want, text)
	}
}
