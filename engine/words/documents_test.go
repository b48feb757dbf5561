package words_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// What no document has is named.
func TestAbsentWords(t *testing.T) {
	docs := []document.Document{{ID: "1", Text: []byte("the moon rose")}, {ID: "2", Text: []byte("the sea")}, {ID: "3", Text: []byte("a star")}}
	search := words.Search{Patterns: []string{"moon sea", "the comet", "x*y moon"}}
	want := []string{"comet", "x*y"}
	found := testkit.Must(words.Lines(t.Context(), document.InBatches(docs), analysis.Options{}, words.LineOptions{}, search))
	testkit.EqualSlices(t, found.Of[0].Absent, want, found.Of[0])
	testkit.Equal(t, found.Of[0].Occurrences, 0, found.Of[0])
	testkit.EqualSlices(t, found.Nearest("moan"), []string{"moon"}, "near")
}

// More lines than are kept are an error that says what to do, and nothing is kept of them.
func TestTooManyLines(t *testing.T) {
	docs := texts(strings.Repeat("moon ", words.MostLines+1))
	o := words.LineOptions{All: true}
	if _, err := words.Lines(t.Context(), docs, analysis.Options{}, o, words.OfTerms("moon")...); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "take a sample") {
		t.Error(err)
	}
	found := testkit.Must(words.Lines(t.Context(), docs, analysis.Options{}, words.LineOptions{Most: 2}, words.OfTerms("moon")...))
	testkit.Equal(t, found.Of[0].Occurrences, words.MostLines+1, len(found.Of[0].Lines), "lines of")
	testkit.Equal(t, len(found.Of[0].Lines), 2, "lines of", found.Of[0].Occurrences)
}

// sampledDocuments has 40 occurrences of moon, each with a number behind it: one or many in a document.
func sampledDocuments() (docs []document.Document) {
	n := 0
	for d := range 20 {
		var b strings.Builder
		for range 1 + d%4*d%3 {
			if n < 40 {
				fmt.Fprintf(&b, "moon n%d and ", n)
				n++
			}
		}
		docs = append(docs, document.Document{ID: fmt.Sprint("d", d), Text: []byte(b.String())})
	}
	rest := ""
	for ; n < 40; n++ {
		rest += fmt.Sprintf("moon n%d and ", n)
	}
	return append(docs, document.Document{ID: "rest", Text: []byte(rest)})
}

// All occurrences are equally likely to be in the sample, and all pairs of them.
func TestSamplesAreUniform(t *testing.T) {
	docs := sampledDocuments()
	const seeds, most, all = 8000, 5, 40
	var single [all]float64
	var pairs [all][all]float64
	for seed := range uint64(seeds) {
		found := testkit.Must(words.Lines(t.Context(), document.InBatches(docs), analysis.Options{},
			words.LineOptions{Most: most, Seed: seed, Order: words.ByDocument, Threads: 1}, words.OfTerms("moon")...))
		testkit.Equal(testkit.Stop(t), found.Of[0].Occurrences, all, found.Of[0])
		testkit.Equal(testkit.Stop(t), len(found.Of[0].Lines), most, found.Of[0])
		var drawn []int
		for _, l := range found.Of[0].Lines {
			var n int
			testkit.Is(testkit.Stop(t), testkit.Err(fmt.Sscanf(l.Right, " n%d", &n)), nil, l)
			single[n]++
			for _, m := range drawn {
				pairs[m][n]++
			}
			drawn = append(drawn, n)
		}
	}
	chi, expected := 0., float64(seeds*most)/all
	for _, n := range single {
		chi += (n - expected) * (n - expected) / expected
	}
	chi *= float64(all-1) / float64(all-most) // draws of one sample exclude each other
	if chi > 72.1 {                           // 0.1 % of 39 degrees of freedom
		t.Errorf("chi-square of single occurrences is %v", chi)
	}
	chi, expected = 0, float64(seeds*most*(most-1))/(all*(all-1))
	for i := range all {
		for j := i + 1; j < all; j++ {
			n := pairs[i][j]
			chi += (n - expected) * (n - expected) / expected
		}
	}
	if chi > 907 { // 0.1 % of 779 degrees of freedom
		t.Errorf("chi-square of pairs is %v", chi)
	}
}

// A sample depends neither on threads, nor on how documents are cut into batches, nor on other searches,
// but on the seed.
func TestSamplesAreTheSameOnThreads(t *testing.T) {
	docs := naiveTextsOf(400)
	of := func(seed uint64, batch, threads int, searches ...words.Search) *words.Concordance {
		return testkit.Must(words.Lines(t.Context(), batchesOf(docs, batch), analysis.Options{},
			words.LineOptions{Most: 7, Seed: seed, Threads: threads}, searches...))
	}
	moon := words.Search{Patterns: []string{"moo*", "the *"}}
	first := of(1, 1000, 1, moon)
	if len(first.Of[0].Lines) != 7 || first.Of[0].Occurrences < 100 {
		t.Fatalf("%+v", first.Of[0])
	}
	for _, batch := range []int{1, 13, 100} {
		for threads := 1; threads < 5; threads++ {
			testkit.Same(testkit.Stop(t), of(1, batch, threads, words.OfTerms("the")[0], moon).Of[1], first.Of[0],
				threads, "threads, batches of", batch)
		}
	}
	for i := range docs {
		docs[i].ID = "elsewhere/" + docs[i].ID
	}
	moved := of(1, 1000, 1, moon)
	for i, l := range moved.Of[0].Lines {
		testkit.Equal(t, l.Left, first.Of[0].Lines[i].Left, "documents in another folder have other lines")
		testkit.Equal(t, l.Right, first.Of[0].Lines[i].Right, "documents in another folder have other lines")
	}
	testkit.Equal(t, reflect.DeepEqual(of(2, 1000, 1, moon).Of[0].Lines, first.Of[0].Lines), false,
		"another seed draws the same lines")
}
