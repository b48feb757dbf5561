package count_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/count"
)

// counted has the term counts of a document, and its class.
type counted struct {
	class, terms, counts []uint32
}

// BenchmarkTally adds the counted documents of 20 Newsgroups to a tally, class by class as they
// come and mixed, and takes the statistics: CPU time a posting.
func BenchmarkTally(b *testing.B) {
	docs, classes := countedNewsgroups(b)
	for _, order := range []string{"classes", "mixed"} {
		docs := slices.Clone(docs)
		if order == "mixed" {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		}
		// As in a text, terms have the numbers of their first occurrence.
		number, names, postings := map[uint32]uint32{}, []string{}, 0
		for i, d := range docs {
			docs[i].terms = slices.Clone(d.terms)
			for j, term := range d.terms {
				n, ok := number[term]
				if !ok {
					n = uint32(len(number))
					number[term] = n
					names = append(names, string(rune('a'+n%26))+string(rune('a'+n/26%26))+string(rune('a'+n/676%26))+string(rune('a'+n/17576)))
				}
				docs[i].terms[j] = n
			}
			postings += len(d.terms)
		}
		b.Run("order="+order, func(b *testing.B) {
			var adding, taking float64
			for b.Loop() {
				start := pool.CPU()
				t := count.NewTally()
				for _, d := range docs {
					t.Add(d.class, d.terms, d.counts)
				}
				middle := pool.CPU()
				testkit.Must(t.Table(b.Context(), table.NamedBy(len(names), func(id int) string { return names[id] }), classes))
				adding, taking = adding+float64(middle-start), taking+float64(pool.CPU()-middle)
			}
			b.ReportMetric(adding/float64(b.N*postings), "add-ns/posting")
			b.ReportMetric(taking/float64(b.N*postings), "take-ns/posting")
		})
	}
}

func countedNewsgroups(b *testing.B) (docs []counted, classes []string) {
	a := testkit.Must(analysis.New(analysis.Options{Tokens: "words"}))
	counter, number := a.NewCounter(), map[string]uint32{}
	for d := range testkit.All(enginetest.Newsgroups(b, "").Documents()) {
		class, ok := number[d.Labels[0]]
		if !ok {
			class = uint32(len(classes))
			number[d.Labels[0]], classes = class, append(classes, d.Labels[0])
		}
		terms, counts := counter.CountColumns(d.Text, nil, nil)
		docs = append(docs, counted{[]uint32{class}, terms, counts})
	}
	return docs, classes
}
