package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
)

type goldenPart struct {
	Gold, Pred [][]string
	F1         map[string]float64 `json:"per_class_f1"`
	MicroP     float64            `json:"micro_p"`
	MicroR     float64            `json:"micro_r"`
	MicroF1    float64            `json:"micro_f1"`
	MeanF1     float64            `json:"macro_f1_mean_of_f1"`
	OfMeans    float64            `json:"macro_f1_of_mean_pr"`
	MacroP     float64            `json:"macro_p"`
	MacroR     float64            `json:"macro_r"`
}

func TestGolden(t *testing.T) {
	var file struct {
		Evaluation struct{ Single, Multi goldenPart }
	}
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_small.json"), &file)
	classes := []string{"a", "b", "c"}
	for name, want := range map[string]goldenPart{"single": file.Evaluation.Single, "multi": file.Evaluation.Multi} {
		right, predicted := numbers(want.Gold, classes), numbers(want.Pred, classes)
		r := testkit.Must(learn.Multi(classes, right, predicted))
		checkGolden(t, name, r, want)
		if name == "single" {
			testkit.Equal(t, r.Accuracy(), want.MicroF1, "accuracy")
		}
	}
}

func numbers(sets [][]string, classes []string) (out [][]int) {
	for _, set := range sets {
		var n []int
		for _, c := range set {
			n = append(n, slices.Index(classes, c))
		}
		out = append(out, n)
	}
	return out
}

func checkGolden(t *testing.T, name string, r *learn.Result, want goldenPart) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), 3, len(want.F1), name)
	for _, c := range r.Classes {
		equal(t, name+" f1 of "+c.Name, c.F1(), want.F1[c.Name])
	}
	equal(t, name+" micro p", r.Micro.Precision(), want.MicroP)
	equal(t, name+" micro r", r.Micro.Recall(), want.MicroR)
	equal(t, name+" micro f1", r.Micro.F1(), want.MicroF1)
	equal(t, name+" macro f1", r.MacroF1, want.MeanF1)
	equal(t, name+" f1 of means", r.F1OfMeans, want.OfMeans)
	equal(t, name+" macro p", r.MacroPrecision, want.MacroP)
	equal(t, name+" macro r", r.MacroRecall, want.MacroR)
}

func equal(t *testing.T, what string, got, want float64) {
	t.Helper()
	testkit.Close(t, got, want, 0, 1e-12*math.Abs(want)+1e-15, what, "=")
}

func TestRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		k, n := 1+r.IntN(6), r.IntN(30)
		classes := make([]string, k)
		var right, predicted [][]int
		for range n {
			most := 1
			if seed%2 == 0 {
				most = k
			}
			right, predicted = append(right, sample(r, k, most)), append(predicted, sample(r, k, most))
		}
		want := naive.Evaluate(right, predicted, k)
		got := testkit.Must(learn.Multi(classes, right, predicted))
		compareResult(t, fmt.Sprintf("seed %d", seed), got, want)
		confused(t, got, right, predicted)
	}
}

func sample(r *rand.Rand, k, most int) []int {
	set := r.Perm(k)[:r.IntN(most+1)]
	if most == 1 {
		set = []int{r.IntN(k)}
		if r.IntN(8) == 0 {
			set = nil
		}
	}
	return set
}

func compareResult(t *testing.T, name string, got *learn.Result, want naive.Evaluation) {
	t.Helper()
	for c, x := range got.Classes {
		if float64(x.TP) != want.TP[c] || float64(x.FP) != want.FP[c] || float64(x.FN) != want.FN[c] {
			t.Errorf("%s: class %d: %+v", name, c, x)
		}
		equal(t, name+" p", x.Precision(), want.P[c])
		equal(t, name+" r", x.Recall(), want.R[c])
		equal(t, name+" f1", x.F1(), want.F1[c])
	}
	equal(t, name+" micro p", got.Micro.Precision(), want.MicroP)
	equal(t, name+" micro r", got.Micro.Recall(), want.MicroR)
	equal(t, name+" micro f1", got.Micro.F1(), want.MicroF1)
	equal(t, name+" macro p", got.MacroPrecision, want.MacroP)
	equal(t, name+" macro r", got.MacroRecall, want.MacroR)
	equal(t, name+" macro f1", got.MacroF1, want.MeanF1)
	equal(t, name+" f1 of means", got.F1OfMeans, want.F1OfMeans)
	equal(t, name+" exact", got.Accuracy(), want.Subset)
}

func confused(t *testing.T, got *learn.Result, right, predicted [][]int) {
	t.Helper()
	single := true
	for i := range right {
		single = single && len(right[i]) == 1 && len(predicted[i]) <= 1
	}
	testkit.Equal(t, got.Confusion != nil, single, "confusion")
	for is, row := range got.Confusion {
		for said, n := range row {
			want := 0
			for i := range right {
				if right[i][0] == is && slices.Contains(predicted[i], said) {
					want++
				}
			}
			testkit.Equal(t, n, want, "confusion of", is, "and", said)
		}
	}
}

// TestUnseen has a class of the test that the training did not have, and one that has
// no test documents.
func TestUnseen(t *testing.T) {
	classes := []string{"a", "b", "c"}
	r := must(learn.Multi(classes, [][]int{{0}, {0}, {1}, {-1}}, [][]int{{0}, {1}, {1}, {0}}))
	if want := (learn.Counts{TP: 2, FP: 2, FN: 2}); r.Micro != want || r.Accuracy() != .5 || r.Empty != 1 {
		t.Errorf("%+v", r)
	}
	equal(t, "macro f1", r.MacroF1, (.5+2./3+0)/3)
	if r := must(learn.Multi(nil, nil, nil)); r.Accuracy() != 0 || r.MacroF1 != 0 || r.Micro.F1() != 0 {
		t.Errorf("nothing: %+v", r)
	}
}

func must(r *learn.Result, err error) *learn.Result {
	if err != nil {
		panic(err)
	}
	return r
}

func TestRefuses(t *testing.T) {
	classes := []string{"a", "b"}
	_, errSets := learn.Multi(classes, [][]int{{0}}, nil)
	testkit.Is(t, errSets, learn.ErrMismatch)
	_, errClass := learn.Multi(classes, [][]int{{2}}, [][]int{{0}})
	_, errPredicted := learn.Multi(classes, [][]int{{0}}, [][]int{{-2}})
	_, errSet := learn.Multi(classes, [][]int{{0, 2}}, [][]int{{}})
	_, errNothing := learn.Multi(classes, [][]int{{0}}, [][]int{{-1}})
	for _, err := range []error{errClass, errPredicted, errSet, errNothing} {
		testkit.Is(t, err, learn.ErrNoClass)
	}
}

func TestManyClassesHaveNoConfusion(t *testing.T) {
	r := must(learn.Multi(make([]string, 100_000), [][]int{{70_000}}, [][]int{{70_000}}))
	if r.Confusion != nil || r.Accuracy() != 1 {
		t.Errorf("%d rows of confusion, accuracy %v", len(r.Confusion), r.Accuracy())
	}
}
