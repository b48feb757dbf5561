package classify

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
)

// countMatrix is a random matrix of counts below a limit, most of them small, with
// several labels a row or none.
func countMatrix(r *rand.Rand, rows, columns, classes, limit int) *Matrix {
	m := &Matrix{Columns: columns, Start: []int{0}, LabelStart: []int{0}}
	for c := range classes {
		m.Classes = append(m.Classes, fmt.Sprintf("c%06d", c))
	}
	for range rows {
		for column := r.IntN(1 + columns/10); column < columns; column += 1 + r.IntN(1+r.IntN(1+columns/10)) {
			count := 1 + r.IntN(3)
			if r.IntN(10) == 0 {
				count = 1 + r.IntN(limit)
			}
			m.Index, m.Value = append(m.Index, uint32(column)), append(m.Value, float32(count))
		}
		for c := r.IntN(2 * classes); c < classes; c += 1 + r.IntN(2*classes) {
			m.LabelOf = append(m.LabelOf, uint32(c))
		}
		m.Start, m.LabelStart = append(m.Start, len(m.Index)), append(m.LabelStart, len(m.LabelOf))
	}
	return m
}

// Counts and weights give the same model to the last bit, in every form of the cells
// and on any number of threads.
func TestCountsLikeWeights(t *testing.T) {
	forms := map[string]int{}
	for _, x := range []struct{ rows, columns, classes, limit int }{
		{30, 40, 1, 10}, {60, 300, 4, 20}, {150, 5000, 4, 5}, {200, 3000, 5, 400}, {100, 2000, 3, 5000}, {300, 90, 60, 9}, {500, 400, 70, 3000},
	} {
		for seed := range shortenedBy(6) {
			r := rand.New(rand.NewPCG(uint64(x.columns), uint64(seed)))
			m := countMatrix(r, x.rows, x.columns, x.classes, x.limit)
			o := NaiveBayesOptions{Alpha: []float64{1, .01, 2.5}[r.IntN(3)], Threads: 1}
			want := testkit.Must(trainWeights(t.Context(), m, o))
			for _, o.Threads = range []int{1, 2, 5} {
				got, err := trainCounts(t.Context(), m, o)
				if err != nil || got == nil {
					t.Fatalf("%v, seed %d: %v, %v", x, seed, got, err)
				}
				if !bytes.Equal(saved(t, got), saved(t, want)) {
					t.Fatalf("%v, seed %d, %d threads: another model", x, seed, o.Threads)
				}
				sameScores(t, m, got, want)
				switch {
				case got.cells.small != nil:
					forms["small"]++
				case got.cells.packed != nil:
					forms["packed"]++
				}
			}
		}
	}
	if forms["small"] == 0 || forms["packed"] == 0 {
		t.Errorf("only these forms were tested: %v", forms)
	}
}

func shortenedBy(rounds int) int {
	if testing.Short() {
		return rounds / 3
	}
	return rounds
}

func sameScores(t *testing.T, m *Matrix, a, b Model) {
	t.Helper()
	x, y := make([]float64, len(m.Classes)), make([]float64, len(m.Classes))
	for row := range min(m.Rows(), 20) {
		index, value := m.Row(row)
		a.NewScorer().Score(index, value, x)
		b.NewScorer().Score(index, value, y)
		if !slices.Equal(x, y) {
			t.Fatalf("row %d: the scores are %v and %v", row, x, y)
		}
	}
}

// What is no row of counts is left to the way of weights, and errors are the same.
func TestCountsOnly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, spoil := range map[string]func(m *Matrix, at int){
		"a fraction":      func(m *Matrix, at int) { m.Value[at] = 1.5 },
		"a large count":   func(m *Matrix, at int) { m.Value[at] = 1 << 25 },
		"negative":        func(m *Matrix, at int) { m.Value[at] = -1 },
		"no number":       func(m *Matrix, at int) { m.Value[at] = float32(math.NaN()) },
		"infinite":        func(m *Matrix, at int) { m.Value[at] = float32(math.Inf(1)) },
		"a column behind": func(m *Matrix, at int) { m.Index[at] = uint32(m.Columns) },
		"a column twice":  func(m *Matrix, _ int) { m.Index[m.Start[9]-1] = m.Index[m.Start[9]-2] },
		"a class behind":  func(m *Matrix, _ int) { m.LabelOf[len(m.LabelOf)/2] = uint32(len(m.Classes)) },
		"no labels":       func(m *Matrix, _ int) { m.LabelOf, m.LabelStart = nil, make([]int, len(m.LabelStart)) },
		"many classes":    func(m *Matrix, _ int) { m.Classes = append(m.Classes, make([]string, 10_000)...) },
		"values missing":  func(m *Matrix, _ int) { m.Value = m.Value[:5] },
	} {
		for range 20 {
			m := countMatrix(r, 50, 60, 3, 9)
			row := r.IntN(m.Rows())
			for len(m.Labels(row)) == 0 { // whose values have no part in the model
				row = r.IntN(m.Rows())
			}
			spoil(m, m.Start[row]+r.IntN(m.Start[row+1]-m.Start[row]))
			if b, err := trainCounts(t.Context(), m, NaiveBayesOptions{Alpha: 1}); b != nil || err != nil {
				t.Fatalf("%s: %v, %v", name, b, err)
			}
			want := m.checkCounts()
			b, err := TrainMultinomial(t.Context(), m, NaiveBayesOptions{})
			if fmt.Sprint(err) != fmt.Sprint(want) {
				t.Fatalf("%s: %v, want %v", name, err, want)
			}
			if err != nil {
				continue
			}
			weights, err := trainWeights(t.Context(), m, NaiveBayesOptions{Alpha: 1})
			if err != nil || !bytes.Equal(saved(t, b), saved(t, weights)) {
				t.Fatalf("%s: another model, %v", name, err)
			}
		}
	}
}

// Wherever it is cancelled, there is an error and no model.
func TestCountsCancelled(t *testing.T) {
	m := countMatrix(rand.New(rand.NewPCG(7, 8)), 50, 60, 3, 9)
	for after := range 20 {
		ctx := faults.NewCountdown(t, after)
		b, err := trainCounts(ctx, m, NaiveBayesOptions{Alpha: 1, Threads: 1})
		switch {
		case !ctx.Ended() && (b == nil || err != nil):
			t.Fatalf("asked %d times: %v", after, err)
		case ctx.Ended() && (b != nil || !errors.Is(err, faults.ErrStop)):
			t.Fatalf("cancelled after %d: %v, %v", after, b, err)
		}
	}
}
