package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
)

// randomDocuments have some of twelve terms and some of three classes; the first of
// them have every class and term.
func randomDocuments(random *rand.Rand, n int) []document.Document {
	docs := make([]document.Document, n)
	for i := range docs {
		docs[i].ID = fmt.Sprint(i)
		for c := range 3 {
			if i == c || random.IntN(3) == 0 {
				docs[i].Labels = append(docs[i].Labels, string(rune('a'+c)))
			}
		}
		for t := range 12 {
			if i < 3 || random.IntN(4) == 0 {
				docs[i].Features = append(docs[i].Features, document.Feature{Term: fmt.Sprintf("t%02d", t), Value: 1})
			}
		}
	}
	return docs
}

func has(d document.Document, term string) bool {
	return slices.ContainsFunc(d.Features, func(f document.Feature) bool { return f.Term == term })
}

// naiveDecision is Bernoulli naive Bayes behind Best Terms by the book: over the terms of
// a class, learnt from the documents that have a positive one.
func naiveDecision(train []document.Document, d document.Document, c bestterms.ClassTerms) bool {
	terms := map[string]bool{}
	positive := func(d document.Document) bool {
		return slices.ContainsFunc(c.Positive, func(t bestterms.Term) bool { return has(d, t.Term) })
	}
	for _, list := range [][]bestterms.Term{c.Positive, c.Negative} {
		for _, t := range list {
			terms[t.Term] = true
		}
	}
	if !positive(d) {
		return false
	}
	var n [2]float64
	with := [2]map[string]float64{{}, {}}
	for _, x := range train {
		if !positive(x) {
			continue
		}
		side := 0
		if slices.Contains(x.Labels, c.Class) {
			side = 1
		}
		n[side]++
		for term := range terms {
			if has(x, term) {
				with[side][term]++
			}
		}
	}
	switch {
	case n[0] == 0:
		return true
	case n[1] == 0:
		return false
	}
	odds := math.Log(n[1] / n[0])
	for term := range terms {
		for side, sign := range []float64{-1, 1} {
			p := (1 + with[side][term]) / (2 + n[side])
			if !has(d, term) {
				p = 1 - p
			}
			odds += sign * math.Log(p)
		}
	}
	return odds > 0
}

// The problems that are cut out of the rows of all give what each class gives by itself.
func TestBehindBestTerms(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	decided := 0
	for range 60 {
		train, test := randomDocuments(random, 30), randomDocuments(random, 20)
		d := division{build(t, train), build(t, test)}
		m := newMeasuring("", io.Discard)
		m.figures = figures{}
		scoped{}.behindBestTerms("chi", []float64{.25}, "")(t.Context(), m, "n", d)
		b, err := bestterms.Choose(t.Context(), d.train, bestterms.Options{P: .25})
		if err != nil {
			t.Fatal(err)
		}
		tp, wrong := 0, 0
		for _, doc := range test {
			for _, c := range b.Classes {
				switch said, is := naiveDecision(train, doc, c), slices.Contains(doc.Labels, c.Class); {
				case said && is:
					tp++
				case said != is:
					wrong++
				}
			}
		}
		got, measured := m.figures["n nb chi 0.25 micro"]
		if !measured {
			continue // no term is positive for any class
		}
		decided++
		if want := 200 * float64(tp) / float64(2*tp+wrong); math.Abs(got-want) > 1e-9 {
			t.Errorf("micro-F1 %v, want %v", got, want)
		}
	}
	if decided < 30 {
		t.Errorf("%d corpora had positive terms", decided)
	}
}

// All terms behind a filter, local or global, are those of one learner on all rows that decides about
// every class by itself.
func TestFiltersWithAllTerms(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		d := division{build(t, randomDocuments(random, 30)), build(t, randomDocuments(random, 20))}
		m := newMeasuring("", io.Discard)
		m.figures = figures{}
		scoped{c: 1}.behind(localRankings, "chi", 100)(t.Context(), m, "l", d)
		scoped{c: 1}.behind(globalRankings, "chi:max", 0)(t.Context(), m, "o", d)
		grid("binary", "chi", []int{0}, "nb = bernoulli:weight=binary")(t.Context(), m, "g", d)
		for _, figure := range []string{"micro", "macro"} {
			want := m.figures["g nb chi all "+figure]
			for _, name := range []string{"l nb chi 100 ", "o nb chi:max all "} {
				if got := m.figures[name+figure]; math.Abs(got-want) > 1e-9 {
					t.Errorf("%s: %v, by the grid %v", name+figure, got, want)
				}
			}
		}
	}
}

// Classes that are counted once for all rank terms as they do when each is counted anew.
func TestLocalRankings(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	c := build(t, randomDocuments(random, 40))
	for _, method := range []string{"chi", "df", "or"} {
		rankings := localRankings(t.Context(), c, method)
		for i, class := range c.Classes() {
			anew, err := rank.Class(t.Context(), c, class, rank.Options{Measure: rank.Measure(method)})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := rankings[i].Top(12), anew.Top(12); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", method, class, got, want)
			}
		}
	}
}

func build(t *testing.T, docs []document.Document) *corpus.Corpus {
	t.Helper()
	c, err := corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
