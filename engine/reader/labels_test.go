package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestFilter(t *testing.T) {
	const several, none = "document without exactly one label", "document without a label of these classes"
	ab := []string{"a", "b"}
	for name, c := range map[string]struct {
		labels, want string
		opt          Options
		reason       string
	}{
		"all":                    {"c a", "c a", Options{}, ""},
		"none":                   {"", "", Options{}, ""},
		"repeated":               {"a b a b", "a b", Options{}, ""},
		"single":                 {"a", "a", Options{SingleLabel: true}, ""},
		"single of two":          {"a b", "", Options{SingleLabel: true}, several},
		"single of none":         {"", "", Options{SingleLabel: true}, several},
		"single, repeated":       {"a a", "", Options{SingleLabel: true}, several},
		"single before classes":  {"a c", "", Options{SingleLabel: true, Classes: ab}, several},
		"single of other class":  {"c", "", Options{SingleLabel: true, Classes: ab}, none},
		"first":                  {"c a", "c", Options{FirstLabel: true}, ""},
		"first of none":          {"", "", Options{FirstLabel: true}, ""},
		"first before classes":   {"c a", "", Options{FirstLabel: true, Classes: ab}, ""},
		"classes":                {"c b a", "b a", Options{Classes: ab}, ""},
		"other classes":          {"c", "", Options{Classes: ab}, ""},
		"no classes":             {"a b", "", Options{Classes: []string{}}, ""},
		"labelled":               {"a", "a", Options{Labelled: true}, ""},
		"labelled, none":         {"", "", Options{Labelled: true}, none},
		"labelled, other class":  {"c", "", Options{Labelled: true, Classes: ab}, none},
		"labelled, first, other": {"c a", "", Options{FirstLabel: true, Labelled: true, Classes: ab}, none},
	} {
		f := newFilter(&c.opt)
		got, reason := f.apply(strings.Fields(c.labels))
		if strings.Join(got, " ") != c.want || reason != c.reason {
			t.Errorf("%s: %q, %q", name, got, reason)
		}
	}
}

// Many labels become a set as few do.
func TestDistinct(t *testing.T) {
	var labels, want []string
	for i := range 3 * fewLabels {
		label := fmt.Sprint(i % fewLabels)
		labels = append(labels, label)
		if i < fewLabels {
			want = append(want, label)
		}
	}
	if got := distinct(labels); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Classes that no document has are told: a name in the list may be misspelt.
func TestMissingClasses(t *testing.T) {
	const text = "text,label\nx,a\ny,c\nz,\n"
	for _, c := range []struct {
		classes []string
		want    string
	}{
		{nil, ""},
		{[]string{"c", "a"}, ""},
		{[]string{"a", "C", "d"}, `2 of the 3 classes asked for are labels of no document; the first is "C"`},
		{[]string{"zz"}, `1 of the 1 classes asked for are labels of no document; the first is "zz"`},
		{[]string{}, "the list of the classes asked for is empty"},
	} {
		opt := Options{Format: CSV, Classes: c.classes, Stdin: strings.NewReader(text)}
		s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
		for range testkit.All(s.Documents()) {
		}
		if hint := s.LabelHint(); hint != c.want || c.want != "" && !slices.Contains(s.Summary().Notes, c.want) {
			t.Errorf("%q: %q, %q", c.classes, hint, s.Summary().Notes)
		}
	}
}
