package methods_test

import (
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// A formula is a method and a measure, with a combination behind a colon.
func TestParseFormulas(t *testing.T) {
	for text, want := range map[string]rank.Options{
		"mine=A*D/(B*C)":     {Measure: "mine=A*D/(B*C)"},
		"mine=max(A,B):avg":  {Measure: "mine=max(A,B)", Combine: rank.Avg},
		" mine=A<=B:class ":  {Measure: "mine=A<=B", Combine: rank.ByClass},
		"my-own.1 = A == B ": {Measure: "my-own.1 = A == B"},
	} {
		got, err := methods.ParseMeasure(text, rank.Options{})
		if err != nil || got.Measure != want.Measure || got.Combine != want.Combine || got.Validate() != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		m := testkit.Must(methods.Parse(text, methods.Options{}))
		testkit.Equal(t, m.Name(), strings.TrimSpace(text), text, m)
	}
	for text, want := range map[string]string{
		"mrmr=A":                       "mrmr is a method already",
		"mine:avg=A":                   "the combination stands behind a formula: mine=A:avg",
		"mine:A=A":                     "unknown method \"mine\"",
		"chi=A":                        "chi is a measure already",
		"zeta=A":                       "zeta is a measure already",
		"=A":                           "a formula has a name",
		"a b=A":                        "the name of a formula",
		"-a=A":                         "the name of a formula",
		"é=A":                          "the name of a formula",
		"mine=":                        "the formula is empty",
		"mine=A:b":                     "unknown combination \"b\"",
		strings.Repeat("x", 61) + "=A": "the name of a formula is at most 60",
	} {
		m, err := methods.Parse(text, methods.Options{})
		if err == nil {
			err = m.Validate()
		}
		testkit.Refused(t, err, usage.ErrUsage, want, text)
	}
}
