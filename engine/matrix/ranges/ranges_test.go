package ranges

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
)

// counted are the documents of a class by column.
func counted(r *rand.Rand, columns int) []uint16 {
	docs := make([]uint16, columns)
	for at := range docs {
		switch r.IntN(6) {
		case 0:
			docs[at] = 1 + uint16(r.IntN(3))
		case 1:
			docs[at] = uint16(r.IntN(500))
		}
	}
	return docs
}

// listOf returns the list of a class, by Take or by TakeFew.
func listOf(c *Counter, class uint32, docs []uint16, few bool) List {
	copy(c.Number, docs)
	if !few {
		return c.Take(class)
	}
	return c.TakeFew(class, func(take func(at uint32)) {
		for range 2 {
			for at := len(docs) - 1; at >= 0; at-- {
				take(uint32(at))
			}
		}
	})
}

// A class may come in parts, by either way to take a list; values are those of the classes
// taken as they are, in one range of all columns.
func TestPartsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	plan, err := rank.Options{Measure: rank.Chi}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	const columns, classes = 301, 4
	sizes := []float64{900, 700, 650, 600}
	margins := score.NewMargins(2850, 0, sizes, make([]float64, classes))
	for round := range 20 {
		var whole, parts Counter
		whole.Begin(columns, columns)
		size := []int{1, 7, 64, 301, 1000}[round%5]
		parts.Begin(columns, size)
		var want, got []List
		df := make([]float64, columns)
		for class := range uint32(classes) {
			first, second := counted(r, columns), counted(r, columns)
			sum := make([]uint16, columns)
			for at := range sum {
				sum[at] = first[at] + second[at]
				df[at] += float64(sum[at])
			}
			want = append(want, listOf(&whole, class, sum, false))
			got = append(got, listOf(&parts, class, first, round%2 == 0), listOf(&parts, class, second, round%3 == 0))
		}
		var reference, scorer Scorer
		reference.Begin(score.NewPanel([]score.Choice{plan.Choice()}, margins), 1, classes, false)
		scorer.Begin(score.NewPanel([]score.Choice{plan.Choice()}, margins), 1, classes, false)
		values, expected, documents := make([]float64, columns), make([]float64, columns), make([]float64, columns)
		reference.Score(want, 0, columns)
		reference.Values(expected, 0)
		for i, from := 0, 0; from < columns; i, from = i+1, from+size {
			to := min(from+size, columns)
			scorer.Score(got, i, to-from)
			scorer.Values(values[from:to], 0)
			scorer.DF(documents[from:to])
		}
		for at := range columns {
			if documents[at] != df[at] || math.IsNaN(values[at]) != (df[at] == 0) {
				t.Fatalf("round %d, column %d: df %v, want %v; value %v", round, at, documents[at], df[at], values[at])
			}
			if math.Float64bits(values[at]) != math.Float64bits(expected[at]) {
				t.Fatalf("round %d, column %d: %v, want %v", round, at, values[at], expected[at])
			}
		}
		for at, n := range parts.Number {
			if n != 0 {
				t.Fatalf("round %d: column %d is left with %d", round, at, n)
			}
		}
	}
}
