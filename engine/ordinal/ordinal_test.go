package ordinal_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/ordinal"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// correlations returns r by term.
func correlations(t *testing.T, c *corpus.Corpus, o ordinal.Options) map[string]float64 {
	t.Helper()
	s := enginetest.StatisticsOf(t, c, "")
	read := testkit.Must(ordinal.New(t.Context(), c, rank.Margins(s), o)).Reader()
	all := map[string]float64{}
	for term := range s.Terms() {
		all[s.Names.Term(term)] = testkit.Must(read(term)).R
	}
	return all
}

// Values, shares and ranks of a corpus that a person can check.
func TestCorrelations(t *testing.T) {
	c := enginetest.Build(t, "1:aa aa aa bb", "2:aa aa bb", "3:bb", "4:bb bb bb cc")
	few := 1.5 / math.Sqrt(5*.75) // of cc, in the last document
	for _, try := range []struct {
		o    ordinal.Options
		want map[string]float64
	}{
		{ordinal.Options{}, map[string]float64{"aa": -5.5 / math.Sqrt(5*6.75), "bb": 3 / math.Sqrt(5*3), "cc": few}},                   // 3 2 0 0, 1 1 1 3
		{ordinal.Options{Ranked: true}, map[string]float64{"aa": -4.5 / math.Sqrt(5*4.5), "bb": 3 / math.Sqrt(5*3), "cc": few}},        // ranks 4 3 1½ 1½, 2 2 2 4
		{ordinal.Options{Share: true, Ranked: true}, map[string]float64{"aa": -4.5 / math.Sqrt(5*4.5), "bb": 4. / 5, "cc": few}},       // ranks of bb 1 2 4 3
		{ordinal.Options{Share: true}, map[string]float64{"aa": -35. / 24 / math.Sqrt(5*(9./16+4./9-(17./12)*(17./12)/4)), "cc": few}}, // ¾ ⅔ 0 0
	} {
		got := correlations(t, c, try.o)
		for term, want := range try.want {
			if math.Abs(got[term]-want) > 1e-15 {
				t.Errorf("%+v: r of %s is %v, want %v", try.o, term, got[term], want)
			}
		}
	}
}

// What cannot be compared is an error, and so is a corpus that was closed.
func TestErrors(t *testing.T) {
	for _, lines := range [][]string{{"a:xx", "1:yy"}, {"1,2:xx", "3:yy"}} {
		c := enginetest.Build(t, lines...)
		_, err := ordinal.New(t.Context(), c, rank.Margins(enginetest.StatisticsOf(t, c, "")), ordinal.Options{})
		if !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "no numbers, one for each document") {
			t.Errorf("%q: %v", lines, err)
		}
	}
	c := testkit.Must(corpus.Decode(enginetest.BytesOf(t, enginetest.Build(t, "1:xx yy", "2:yy", "3:xx"))))
	read := testkit.Must(ordinal.New(t.Context(), c, rank.Margins(enginetest.StatisticsOf(t, c, "")), ordinal.Options{Ranked: true})).Reader()
	testkit.Must(read(0))
	c.Close()
	if _, err := read(0); !errors.Is(err, postings.ErrClosed) {
		t.Errorf("of a closed corpus: %v", err)
	}
}
