package store

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/termsift/termsift/engine/postings"
)

// A recipe is what a random source looks like.
type recipe struct {
	name                 string
	docs, terms, classes int
	labels               func(doc int) int // how many
	share                float64           // of the documents that have term 0
	count                func(posting int) uint32
	value                func(posting int) float64 // or nil
}

// source makes a corpus; term t is in a share of share/(t+1) of the documents.
func (c recipe) source(seed uint64) postings.Source {
	r := rand.New(rand.NewPCG(seed, 2))
	src := postings.Source{LabelStart: []uint32{0}, Columns: postings.Columns{DocStart: []uint64{0}}}
	for _, k := range r.Perm(c.classes) {
		src.Classes = append(src.Classes, fmt.Sprint("class", k))
	}
	for _, t := range r.Perm(c.terms) {
		name := fmt.Sprint(t)
		if t%3 == 0 {
			name = "a long prefix " + name
		}
		src.Names = append(src.Names, name)
	}
	if c.value != nil {
		src.Values = []float64{}
	}
	for d := range c.docs {
		src.IDs = append(src.IDs, fmt.Sprint("d", d))
		if n := c.labels(d); n > 0 {
			for _, k := range r.Perm(c.classes)[:n] {
				src.Labels = append(src.Labels, uint32(k))
			}
		}
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
		for t := range c.terms {
			if r.Float64() < c.share/float64(t+1) {
				n := len(src.Terms)
				src.Terms = append(src.Terms, uint32(t))
				if c.value != nil {
					src.Values = append(src.Values, c.value(n))
				} else {
					src.Counts = append(src.Counts, c.count(n))
				}
			}
		}
		src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
	}
	return src
}

func noLabel(int) int           { return 0 }
func oneLabel(int) int          { return 1 }
func upToThreeLabels(d int) int { return d % 4 }
func smallCounts(n int) uint32  { return uint32(n%3 + 1) }
func mixedCounts(n int) uint32  { return uint32(n%7*100 + 1) }
func largeCounts(n int) uint32  { return postings.Escape + uint32(n)<<12 }
func halfValues(n int) float64  { return float64(n%9+1) / 2 }
func thirdValues(n int) float64 { return float64(n%9+1) / 3 }

var recipes = []recipe{
	{name: "one label", docs: 3000, terms: 300, classes: 7, labels: oneLabel, share: 2, count: smallCounts},
	{name: "several labels", docs: 2000, terms: 200, classes: 5, labels: upToThreeLabels, share: 3, count: smallCounts},
	{name: "no labels", docs: 500, terms: 50, classes: 2, labels: noLabel, share: 1, count: smallCounts},
	{name: "some escapes", docs: 2000, terms: 200, classes: 5, labels: oneLabel, share: 3, count: mixedCounts},
	{name: "only escapes", docs: 300, terms: 100, classes: 5, labels: oneLabel, share: 3, count: largeCounts},
	{name: "exact values", docs: 2000, terms: 200, classes: 5, labels: oneLabel, share: 3, value: halfValues},
	{name: "inexact values", docs: 2000, terms: 200, classes: 5, labels: upToThreeLabels, share: 3, value: thirdValues},
	{name: "one document", docs: 1, terms: 100, classes: 1, labels: oneLabel, share: 50, count: smallCounts},
	{name: "one term", docs: 700, terms: 1, classes: 3, labels: oneLabel, share: .5, count: smallCounts},
	{name: "nothing", labels: oneLabel, count: smallCounts},
	{name: "no terms", docs: 10, classes: 2, labels: oneLabel, count: smallCounts},
	{name: "no postings", docs: 10, terms: 10, classes: 2, labels: oneLabel, value: halfValues},
	{name: "many terms", docs: 30, terms: 20_000, classes: 3, labels: oneLabel, share: 300, count: smallCounts},
	{name: "several containers", docs: 140_000, terms: 6, classes: 3, labels: oneLabel, share: .4, count: smallCounts},
}

// withTerms returns the recipes of sources that have terms.
func withTerms() []recipe {
	return slices.DeleteFunc(slices.Clone(recipes), func(r recipe) bool { return r.terms == 0 || r.share == 0 })
}
