package learn_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/usage"
)

// several gives every row of a corpus a chance of further labels.
func several(r *rand.Rand, c naive.Corpus) (labels [][]int) {
	for _, set := range labelsOf(c) {
		set = slices.Clone(set)
		for range r.IntN(3) {
			if l := r.IntN(len(c.Classes)); !slices.Contains(set, l) && len(set) > 0 {
				set = append(set, l)
			}
		}
		labels = append(labels, set)
	}
	return labels
}

// divided gives the parts of rows as an evaluation would make them.
func divided(labels [][]int, folds int, seed uint64) []learn.Split {
	strata := make([]int, len(labels))
	for i, set := range labels {
		strata[i] = -1
		if len(set) > 0 {
			strata[i] = slices.Min(set)
		}
	}
	return testkit.Must(learn.Folds(len(labels), min(folds, len(labels)), learn.Dividing{Seed: seed, Strata: strata}))
}

// choose takes some of a list.
func choose[T any](list []T, rows []int) (some []T) {
	for _, i := range rows {
		some = append(some, list[i])
	}
	return some
}

// someLabels says whether a row has a label.
func someLabels(labels [][]int) bool {
	return slices.ContainsFunc(labels, func(set []int) bool { return len(set) > 0 })
}

// heldOut gives the scores of all rows by models of the other folds; nil of those
// without evidence.
func heldOut(t *testing.T, l learn.Learner, rows [][]float64, labels [][]int, classes int, splits []learn.Split) [][]float64 {
	scores := make([][]float64, len(rows))
	for _, split := range splits {
		part := choose(labels, split.Train)
		if !someLabels(part) {
			continue
		}
		model := testkit.Must(l.Train(t.Context(), matrixOf(choose(rows, split.Train), part, classes), learn.TrainOptions{}))
		for _, row := range split.Test {
			if s, evidence := scoresOf(model, rows[row]); evidence {
				scores[row] = s
			}
		}
	}
	return scores
}

func thresholdsOf(t *testing.T, m learn.Model) (thresholds []float64) {
	t.Helper()
	x, ok := m.(*learn.Thresholds)
	testkit.Equal(testkit.Stop(t), ok, true, m, "has no thresholds")
	for c := range x.Classes() {
		thresholds = append(thresholds, x.Threshold(c))
	}
	return thresholds
}

// The thresholds are those that trying every one finds on the scores of models that the
// test makes, and they assign what they say.
func TestThresholdsRandom(t *testing.T) {
	finite, never, highest := 0, 0, 0
	randomCorpora(t, 40, func(t *testing.T, name string, r *rand.Rand, c naive.Corpus) {
		if len(c.Classes) > 50 || len(c.Docs) < 2 {
			return
		}
		rows, labels := rounded(naive.Tabulate(c).Weights(cosineWeights[r.IntN(3)])), several(r, c)
		if r.IntN(4) == 0 { // cosines of both signs
			for _, row := range rows {
				for i := range row {
					row[i] *= float64(1 - 2*r.IntN(2))
				}
			}
		}
		l := learn.Learner{Kind: []string{"knn", "centroid"}[r.IntN(2)], Neighbours: 1 + r.IntN(12)}
		folds, seed := 2+r.IntN(6), r.Uint64()
		l.Folds = folds
		if r.IntN(3) == 0 {
			l.Folds, folds = 0, 5
		}
		m := matrixOf(rows, labels, len(c.Classes))
		model, err := l.Train(t.Context(), m, learn.TrainOptions{Sets: true, Seed: seed, Threads: 1 + r.IntN(3)})
		testkit.Is(testkit.Stop(t), err, nil, name)
		got := thresholdsOf(t, model)
		scores := heldOut(t, l, rows, labels, len(c.Classes), divided(labels, folds, seed))
		want := naive.SCut(scores, labels, len(c.Classes))
		for k := range want {
			if got[k] != want[k] && !(math.Abs(got[k]-want[k]) < 1e-15) {
				t.Fatalf("%s, %s: class %d has the threshold %v, want %v", name, l.Kind, k, got[k], want[k])
			}
			switch {
			case math.IsInf(got[k], 1):
				never++
			case naive.CutF1(scores, labels, k, want[k]) < .1:
				highest++
			default:
				finite++
			}
		}
		compareAssigned(t, name, model, rows)
	})
	if finite < shortened(1000) || never < shortened(100) || highest < shortened(100) {
		t.Errorf("%d thresholds, %d highest scores, %d classes without", finite, highest, never)
	}
}

// compareAssigned demands the classes at or above their thresholds, and everything else
// from the model that scores.
func compareAssigned(t *testing.T, name string, model learn.Model, rows [][]float64) {
	t.Helper()
	x := model.(*learn.Thresholds)
	said := testkit.Must(learn.Predict(t.Context(), x, unlabelled(rows), learn.PredictOptions{Scores: true, Sets: true}))
	plain := testkit.Must(learn.Predict(t.Context(), x.Model(), unlabelled(rows), learn.PredictOptions{Scores: true}))
	for i := range rows {
		var want []uint32
		for c, s := range plain.Row(i) {
			if plain.Evidence[i] && s >= x.Threshold(c) {
				want = append(want, uint32(c))
			}
		}
		if !slices.Equal(said.Sets[i], want) || said.Best[i] != plain.Best[i] || !slices.Equal(said.Row(i), plain.Row(i)) {
			t.Fatalf("%s: row %d is given %v, want %v", name, i, said.Sets[i], want)
		}
	}
}

func unlabelled(rows [][]float64) *learn.Matrix {
	m := matrixOf(rows, make([][]int, len(rows)), 0)
	m.Classes = nil
	return m
}

func TestThresholdsSameOnAnyThreads(t *testing.T) {
	m, rows := large(700)
	for _, kind := range []string{"knn", "centroid"} {
		var first []byte
		for _, threads := range []int{1, 2, 3, 8} {
			model := testkit.Must(learn.Learner{Kind: kind}.Train(t.Context(), m, learn.TrainOptions{Sets: true, Threads: threads, Seed: 9}))
			var b bytes.Buffer
			testkit.OK(learn.Save(&b, model))
			if threads == 1 {
				first = b.Bytes()
				compareAssigned(t, kind, model, rows)
			} else if !bytes.Equal(b.Bytes(), first) {
				t.Errorf("%s: %d threads make another model", kind, threads)
			}
		}
		other := testkit.Must(learn.Learner{Kind: kind}.Train(t.Context(), m, learn.TrainOptions{Sets: true, Seed: 10}))
		var b bytes.Buffer
		if err := learn.Save(&b, other); err != nil || bytes.Equal(b.Bytes(), first) {
			t.Errorf("%s: the seed changes nothing, %v", kind, err)
		}
	}
}

// TestThresholdsStop interrupts before every call of the learner.
func TestThresholdsStop(t *testing.T) {
	m, _ := large(100)
	stop := errors.New("enough")
	for at := range 6 {
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		_, err := learn.TrainThresholds(ctx, m, 0, learn.TrainOptions{}, func(ctx context.Context, m *learn.Matrix) (learn.Model, error) {
			if calls == at {
				cancel(stop)
			}
			calls++
			return learn.Learner{Kind: "knn"}.Train(context.WithoutCancel(ctx), m, learn.TrainOptions{})
		})
		testkit.Is(t, err, stop, "interrupted at call", at)
		if calls > at+2 {
			t.Errorf("interrupted at call %d, it made %d", at, calls)
		}
		cancel(nil)
	}
	broken, calls := errors.New("broken"), 0
	_, err := learn.TrainThresholds(t.Context(), m, 0, learn.TrainOptions{}, func(ctx context.Context, m *learn.Matrix) (learn.Model, error) {
		if calls++; calls == 3 {
			return nil, broken
		}
		return learn.TrainCentroid(ctx, m)
	})
	if !errors.Is(err, broken) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// The thresholds of a few rows, by hand.
func TestThresholdsOfFewRows(t *testing.T) {
	inf := math.Inf(1)
	for _, x := range []struct {
		name   string
		rows   [][]float64
		labels [][]int
		folds  int
		want   []float64
	}{
		{"one row", [][]float64{{1, 0}}, [][]int{{0, 1}}, 0, []float64{inf, inf}},
		// Each of two rows is alone with the other: both have the class 0, by a cosine of
		// 1, which a threshold midway to 0 keeps. The class 1 is that of one row, and the
		// other has the highest score.
		{"two equal rows", [][]float64{{1, 0}, {1, 0}}, [][]int{{0}, {0, 1}}, 5, []float64{.5, 1}},
		{"two foreign rows", [][]float64{{1, 0}, {0, 1}}, [][]int{{0}, {0}}, 5, []float64{inf, inf}},
		{"one labelled row", [][]float64{{1, 0}, {1, 0}}, [][]int{{0}, {}}, 2, []float64{1, inf}},
		// Left out, the first two have 1 + cos 45°, the third twice that cosine: one
		// threshold keeps all three, the class is that of all rows with a score.
		{
			"three rows and a foreign one",
			[][]float64{{1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}},
			[][]int{{0}, {0}, {0}, {1}},
			4,
			[]float64{math.Sqrt2 / 2, inf},
		},
	} {
		l := learn.Learner{Kind: "knn", Folds: x.folds}
		model, err := l.Train(t.Context(), matrixOf(x.rows, x.labels, 2), learn.TrainOptions{Sets: true})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		got := thresholdsOf(t, model)
		for c, want := range x.want {
			if got[c] != want && !(math.Abs(got[c]-want) < 1e-6) {
				t.Errorf("%s: thresholds %v, want %v", x.name, got, x.want)
			}
		}
		never := 0
		for _, v := range got {
			if math.IsInf(v, 1) {
				never++
			}
		}
		if w := model.(*learn.Thresholds).Warnings(); len(w) != min(never, 1) || never > 0 && !strings.Contains(w[0], "classes are never predicted") {
			t.Errorf("%s: %q", x.name, w)
		}
	}
	if _, err := (learn.Learner{Kind: "knn"}).Train(t.Context(), matrixOf(nil, nil, 2), learn.TrainOptions{Sets: true}); !errors.Is(err, ingest.ErrEmpty) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := (learn.Learner{Kind: "knn"}).Train(t.Context(), matrixOf([][]float64{{1}}, [][]int{nil}, 2), learn.TrainOptions{Sets: true}); !errors.Is(err, ingest.ErrNoLabels) {
		t.Errorf("no labels: %v", err)
	}
	if _, err := (learn.Learner{Kind: "knn", Folds: 1}).Train(t.Context(), matrixOf([][]float64{{1}}, [][]int{{0}}, 2), learn.TrainOptions{Sets: true}); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("one fold: %v", err)
	}
}

// Rows of one label, and those who want the best class, get the model as it was.
func TestNoThresholds(t *testing.T) {
	m, _ := large(60)
	for _, x := range []struct {
		l    learn.Learner
		sets bool
	}{
		{learn.Learner{Kind: "knn"}, false},
		{learn.Learner{Kind: "centroid", Thresholds: "scut", Folds: 3}, false},
		{learn.Learner{Kind: "knn", Thresholds: "best"}, true},
		{learn.Learner{Kind: "centroid", Thresholds: "best"}, true},
		{learn.Learner{Kind: "svm"}, true},
		{learn.Learner{Kind: "nb"}, true},
		{learn.Learner{Kind: "bernoulli"}, true},
	} {
		model := testkit.Must(x.l.Train(t.Context(), m, learn.TrainOptions{Sets: x.sets}))
		if _, ok := model.(*learn.Thresholds); ok {
			t.Errorf("%+v has thresholds", x)
		}
	}
}

// A threshold is midway between two scores, and the higher one where no number is between them.
func TestThresholdsBetweenScores(t *testing.T) {
	testkit.Equal(t, learn.ThresholdOf(1, 3, 1), 2)
	next := math.Nextafter(1, 2) // half of 1 and of next add up to 1
	testkit.Equal(t, learn.ThresholdOf(1, next, 1), next)
}
