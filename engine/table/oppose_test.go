package table_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Two tables that are opposed have the counts of the corpora that are opposed.
func TestOppose(t *testing.T) {
	a := enginetest.Build(t, "x:moon moon sun", "y:sun sun sun", "x:star")
	b := enginetest.Build(t, "y:moon", "z:comet comet moon")
	whole := testkit.Must(testkit.Must(corpus.Contrast(t.Context(), a, b, corpus.ContrastOptions{})).Statistics(t.Context(), corpus.CountOptions{}))
	ofA, ofB := testkit.Must(a.Statistics(t.Context(), corpus.CountOptions{})), testkit.Must(b.Statistics(t.Context(), corpus.CountOptions{}))
	got, squares, err := table.Oppose(ofA, ofB, [2]string{corpus.ClassTarget, corpus.ClassReference})
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), squares, true)
	testkit.OK(got.Check())
	if got.Hash() != whole.Hash() {
		t.Errorf("%+v, want %+v", got.Cells, whole.Cells)
	}

	several := testkit.Must(enginetest.Build(t, "x,y:moon moon", "x:sun").Statistics(t.Context(), corpus.CountOptions{}))
	got, squares, err = table.Oppose(several, ofB, [2]string{"several", "b"})
	testkit.OK(err)
	testkit.Equal(t, squares, false, "squares of documents with several classes")
	testkit.OK(got.Check())
	if _, _, err := table.Oppose(nil, ofB, [2]string{"a", "b"}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
}

func TestSpelled(t *testing.T) {
	for _, c := range []struct {
		o                  analysis.Options
		terms, names, want string // separated by commas
	}{
		{analysis.Options{}, "run,us", "run,Run,RUN!,none", "run,run,run,none"},
		{analysis.Options{}, "us,US", "US,us,Us", "US,us,us"},
		{analysis.Options{Stem: "porter2"}, "run,running", "running,Runs", "running,run"},
		{analysis.Options{}, "a b,c,d", "a b,c  d, x", "a b,c,d, x"},
		{analysis.Options{NGrams: "1-2"}, "new york,new,york,c", "New  York,york new,c", "new york,york new,c"},
		{analysis.Options{NGrams: "2", Stop: "glasgow"}, "statue liberty", "Statue of Liberty", "statue liberty"},
		{analysis.Options{Tokens: "zh-bigrams"}, "月亮,abc", "月亮,Ａｂｃ,月亮很", "月亮,abc,月亮很"},
		{analysis.Options{Tokens: analysis.Auto}, "run", "Run", "Run"},
		{analysis.Options{Headers: "subject"}, "subject", "Subject:", "subject"},
		{analysis.Options{}, "hepatitis,don,14", "don't,3.14,\u201cHepatitis\u201d", "don't,3.14,hepatitis"},
		{analysis.Options{NGrams: "1-2"}, "hepatitis,hepatitis vaccine", "hepatitis b,hepatitis b vaccine,Hepatitis vaccine", "hepatitis b,hepatitis b vaccine,hepatitis vaccine"},
	} {
		terms := strings.Split(c.terms, ",")
		got := table.Spelled(c.o, strings.Split(c.names, ","), func(s string) bool { return slices.Contains(terms, s) })
		testkit.Equal(t, strings.Join(got, ","), c.want, c.o, c.names, "stand for", got)
	}
}
