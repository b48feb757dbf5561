package vocabulary

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
)

// Counters that saw different texts are joined as their names are, and the order of the terms is that of their
// bytes, also where words have bytes that come before the space between words.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, opt := range []analysis.Options{
		{},
		{NGrams: "1-2"},
		{NGrams: "2"},
		{NGrams: "1-3", Tokens: "unicode"},
		{NGrams: "3-5", Stop: "smart"},
		{NGrams: "1-5"},
		{NGrams: "1-2", Phrases: analysis.Phrases{"new york", "b c"}},
		{Phrases: analysis.Phrases{"new york", "b c"}},
		{NGrams: "1-2", Tokens: `pattern:[^ ]+`},
	} {
		a := testkit.Must(analysis.New(opt))
		for _, workers := range []int{1, 2, 5, 16} {
			for _, words := range []int{0, 3, 40, 2500} {
				var counters []*analysis.Counter
				var names [][]string
				for range workers {
					c := a.NewCounter()
					for range r.IntN(4) {
						c.Count(randomText(r, words), nil)
					}
					if r.IntN(4) == 0 {
						c.Add("b c")
						c.Add("one more new york")
					}
					names, counters = append(names, slices.Clone(c.Names())), append(counters, c)
				}
				for _, threads := range []int{1, 3} {
					checkJoined(t, fmt.Sprintf("%+v, %d workers", opt, workers), threads, counters, names)
				}
			}
		}
	}
}

// randomText has words that begin alike, and some with bytes beyond ASCII or before the space.
func randomText(r *rand.Rand, words int) []byte {
	var text []byte
	for range words {
		word := []string{"new", "york", "ab", "aba", "ab0", "b", "c", "the", "don't", "naïve", "ärger", "\tab\x01", "ab\x01", "\n"}[r.IntN(14)]
		text = append(append(text, word...), ' ')
		if r.IntN(3) == 0 {
			text = fmt.Appendf(text, "w%d ", r.IntN(1+words))
		}
	}
	return text
}

// checkJoined joins counters of terms with these names.
func checkJoined(t *testing.T, what string, threads int, counters []*analysis.Counter, names [][]string) {
	t.Helper()
	terms, number, err := Join(t.Context(), threads, counters)
	testkit.OK(err)
	distinct, last := map[string]bool{}, -1
	for l, own := range names {
		for i, name := range own {
			distinct[name] = true
			n := uint32(i)
			if l > 0 {
				n = number[l][i]
			}
			testkit.Equal(testkit.Stop(t), terms.Term(int(n)), name, what, "has number", n, "which")
			testkit.Equal(testkit.Stop(t), int(n) <= last+1, true, what, "has number", n, "after", last)
			last = max(last, int(n))
		}
	}
	if number[0] != nil || len(distinct) != terms.Len() {
		t.Fatalf("%s: %d terms for %d names", what, terms.Len(), len(distinct))
	}
	sorted := testkit.Must(terms.SortedOf(t.Context(), threads, func(uint32) bool { return true }))
	if len(sorted) != len(distinct) || !slices.IsSortedFunc(sorted, func(i, j uint32) int { return strings.Compare(terms.Term(int(i)), terms.Term(int(j))) }) {
		t.Fatalf("%s: %d of %d terms in order", what, len(sorted), len(distinct))
	}
}

// N-grams are put into order by integers, unless words have bytes before the space.
func TestGramsInOrder(t *testing.T) {
	a := testkit.Must(analysis.New(analysis.Options{NGrams: "1-2"}))
	for _, test := range []struct {
		terms   []string
		ordered bool
	}{
		{[]string{"b a", "b", "a b", "ab", "a", "a!", "ärger", ""}, true},
		{[]string{"a b", "a\x01", "a"}, false},
	} {
		c := a.NewCounter()
		for _, term := range test.terms {
			c.Add(term)
		}
		terms, _, err := Join(t.Context(), 1, []*analysis.Counter{c})
		testkit.OK(err)
		testkit.Equal(t, terms.Find(nil, nil), test.ordered, test.terms, "in order")
		names := c.Names()
		slices.Sort(names)
		var got []string
		for _, id := range terms.Sorted() {
			got = append(got, terms.Term(int(id)))
		}
		testkit.EqualSlices(t, got, names)
	}
}
