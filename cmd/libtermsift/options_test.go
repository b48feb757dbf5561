package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

func TestReadOptions(t *testing.T) {
	o, err := refusing(func() *fitOptions {
		return optionsOf(`{"by": "ig:sum", "k": 7, "classes": ["a", "b"], "stop": ["the", "of"], "min-df": 0.5, "threads": 2,
		"per-class": true, "keep": "one", "combine": null}`, &fitOptions{})
	})
	testkit.OK(err)
	analysed := o.counting.Analysis
	if o.by != "ig:sum" || o.number.value != 7 || len(o.classes) != 2 || len(analysed.StopWords) != 2 || analysed.Stop != "none" || o.counting.MinDF != .5 ||
		o.Threads != 2 || !o.perClass || len(o.keep) != 1 || analysed.Tokens != "auto" || o.Weight != "tf" {
		t.Errorf("%+v", o)
	}
	for _, none := range []string{"", " ", "{}"} {
		testkit.Is(t, testkit.Err(refusing(func() *statisticsOptions { return optionsOf(none, &statisticsOptions{}) })), nil,
			none)
	}
	if o, err = refusing(func() *fitOptions { return optionsOf(`{"k": "all", "stop": "smart"}`, &fitOptions{}) }); err != nil || !o.number.all || o.counting.Analysis.Stop != "smart" {
		t.Errorf("%+v, %v", o, err)
	}
}

// Parts that are added up have names for all documents, or for none.
func TestIDsOfAllDocuments(t *testing.T) {
	texts, o := [][]byte{[]byte("one"), []byte("two")}, optionsOf(`{"ids": ["a"]}`, &statisticsOptions{})
	_, err := refusing(func() *counted {
		c, _ := count(t.Context(), texts, &labels{of: []int32{-1, -1}}, o)
		return c
	})
	if want := `option "ids" has 1 texts for 2 documents`; !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestReadOptionsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"combin": "max"}`:                       `unknown option "combin"; did you mean combine?`,
		`{"k": 1, "k": 2}`:                        `option "k" stands twice`,
		`{"k": "many"}`:                           `option "k" must be a number, not "many"`,
		`{"k": 1.5}`:                              `option "k" must be a whole number, not 1.5`,
		`{"k": 1e300}`:                            `option "k" must be a whole number`,
		`{"k": 1, "percentile": 3}`:               "by one option, not by k and percentile",
		`{"percentile": "all"}`:                   `option "percentile" must be a number, not "all"`,
		`{"threads": -1, "k": 1}`:                 `option "threads" must be in [0, 1024], not -1`,
		`{"threads": 1025, "k": 1}`:               `option "threads" must be in [0, 1024], not 1025`,
		`{"threads": 1.5}`:                        `option "threads" must be a whole number, not 1.5`,
		`{"threads": 99999999999}`:                "whole number",
		`{"per-class": 1}`:                        `option "per-class" must be true or false, not 1`,
		`{"by": 1}`:                               `option "by" must be a text, not 1`,
		`{"base": "e"}`:                           `option "base" must be a number, not "e"`,
		`{"keep": [1]}`:                           `option "keep" must be a text or a list of texts, not [1]`,
		`{"by": "chy", "k": 1}`:                   `unknown method "chy"; did you mean chi`,
		`{"by": "chi", "combine": "most"}`:        `unknown combination "most"`,
		`{"weight": "ltx", "k": 1, "by": "ocfs"}`: `unknown weighting "ltx"`,
		`[]`:         "options must be a JSON object",
		`{"k": 1} x`: "something follows the object",
		`{"k": 1`:    "are no JSON",
		`{"k"}`:      "are no JSON",
		`nonsense`:   "options must be a JSON object",
	} {
		testkit.Refused(t, testkit.Err(refusing(func() *fitOptions { return optionsOf(text, &fitOptions{}) })), usage.ErrUsage,
			want, text)
	}
	for text, want := range map[string]string{
		`{"by": []}`:                           "has no measure",
		`{"by": ["chi", "mrmr"]}`:              `unknown measure "mrmr"`,
		`{"by": "unheard-of"}`:                 " sklearn-chi2",
		`{"by": "pearson"}`:                    `option "target" must have those of the classes`,
		`{"by": "chi", "target": [1, 2]}`:      "take one of pearson, trend, spearman",
		`{"by": "trend", "target": "1"}`:       `must be a list of numbers`,
		`{"by": "spearman", "target": [1]}`:    `"weight" must be "binary"`,
		`{"by": "pearson", "weight": "share"}`: "divide each row by its sum",
		`{"by": "pearson", "target": [1]}`:     "",
		`{"by": "f", "target": [1]}`:           "f went in 0.2.0: pearson gives",
		`{"by": "sklearn-chi"}`:                "did you mean sklearn-chi2",
		`{"by": "chi:class"}`:                  "the combination class",
		`{"combine": "class"}`:                 "the combination class",
		`{"by": "ocfs", "weight": "ltc"}`:      `must be tf or binary, not "ltc"`,
		`{"k": 3}`:                             `unknown option "k"`,
		`{"by": "sklearn-chi2", "base": -1}`:   "",
	} {
		if _, err := refusing(func() *scoreOptions { return optionsOf(text, &scoreOptions{}) }); want == "" && err != nil || want != "" && (!errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// ts_call has the operations, and they have the options, of the list, with their inputs, outputs, types and defaults.
func TestPublicNamesOfOperations(t *testing.T) {
	var lines []string
	for name, o := range operations {
		lines = append(lines, fmt.Sprintf("operation %s: %s -> %s", name, strings.Join(o.in, ", "), strings.Join(o.out, ", ")))
		if o.takes != nil {
			settings := o.takes()
			setDefaults(settings)
			for _, s := range settings {
				lines = append(lines, fmt.Sprintf("option %s %s: %s, default %s", name, s.Name, domain(s), initial(s)))
			}
		}
	}
	testkit.Public(t, "operations", lines)
}
