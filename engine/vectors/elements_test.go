package vectors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// countedDocuments have up to three labels and up to 40 of 60 terms, some of them
// none; the first two have every term.
func countedDocuments(value func(r *rand.Rand) float64) []document.Document {
	r := rand.New(rand.NewPCG(8, 15))
	docs := make([]document.Document, 300)
	for d := range docs {
		n := 60
		if d > 1 {
			n = max(r.IntN(50)-10, 0)
		}
		features := []document.Feature{}
		for _, term := range r.Perm(60)[:n] {
			features = append(features, document.Feature{Term: fmt.Sprint("t", term), Value: value(r)})
		}
		labels := []string{"c", "a", "b"}[:r.IntN(4)]
		docs[d] = document.Document{ID: fmt.Sprint("d", d), Labels: labels, Features: features}
	}
	return docs
}

var rowValues = []struct {
	name  string
	value func(r *rand.Rand) float64
}{
	{"counts", func(r *rand.Rand) float64 { return float64(1 + r.IntN(9)) }},
	{"counts around a byte", func(r *rand.Rand) float64 { return float64(250 + r.IntN(10)) }},
	{"large counts", func(r *rand.Rand) float64 { return float64(1<<24 - 3 + r.IntN(9)) }},
	{"counts of all sizes", func(r *rand.Rand) float64 { return float64(max(r.Uint32()>>r.IntN(32), 1)) }},
	{"float32 values", func(r *rand.Rand) float64 { return 0.25 + float64(r.IntN(9)) }},
	{"float64 values", func(r *rand.Rand) float64 { return 0.1 + r.Float64() }},
}

func streamOf(docs []document.Document) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// plainRow weighs one document by the plain formula.
func plainRow(s *selection.Selection, weight table.Weighting, d document.Document) Row {
	values := map[string]float64{}
	for _, f := range d.Features {
		values[f.Term] = f.Value
	}
	row := Row{ID: d.ID}
	for place, class := range s.Classes {
		if slices.Contains(d.Labels, class) {
			row.Labels = append(row.Labels, place)
		}
	}
	var weights []float64
	sum := 0.0
	for i, f := range s.Features {
		if tf, ok := values[f.Term]; ok {
			w := weight.Raw(tf, table.IDF(float64(s.Documents), float64(f.DF)))
			if w != 0 {
				row.Index = append(row.Index, uint32(i+1))
				weights = append(weights, w)
			}
			sum += float64(w * w)
		}
	}
	scale := 1.0
	if weight.Unit() && sum > 0 {
		scale = 1 / math.Sqrt(sum)
	}
	for _, w := range weights {
		row.Value = append(row.Value, float32(w*scale))
	}
	return row
}

func sameRow(a, b Row) bool {
	return a.ID == b.ID && slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Index, b.Index) && slices.Equal(a.Value, b.Value)
}

// Rows of documents and of the corpus that was made of them, to the last bit.
func TestRows(t *testing.T) {
	for _, c := range rowValues {
		docs := countedDocuments(c.value)
		all := testkit.Must(corpus.Build(t.Context(), streamOf(docs), corpus.Options{}))
		lists := testkit.Must(corpus.Build(t.Context(), streamOf(docs), corpus.Options{}))
		lists.Index() // from now on it has no rows
		selection := testkit.Must(selection.Select(t.Context(), lists, selection.Options{Keep: selection.Best(45)}))
		for _, weight := range table.Weightings() {
			tr := testkit.Must(New(selection, table.Weighting(string(weight))))
			for from, rows := range map[string]func(func(Row, error) bool){
				"documents": tr.Documents(t.Context(), streamOf(docs)), "corpus": tr.Corpus(t.Context(), all), "lists": tr.Corpus(t.Context(), lists),
			} {
				n := 0
				for row := range testkit.All(rows) {
					testkit.Equal(testkit.Stop(t), sameRow(row, plainRow(selection, weight, docs[n])), true, c.name,
						weight, from, row)
					n++
				}
				testkit.Equal(t, n, len(docs), c.name, weight, from)
			}
		}
	}
}
