package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/table"
)

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
		if strings.Join(got, ",") != c.want {
			t.Errorf("%+v: %q stand for %q, want %s", c.o, c.names, got, c.want)
		}
	}
}
