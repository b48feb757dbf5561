package learn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/learn"
)

func TestFolds(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 2 + r.IntN(100)
		k := 2 + r.IntN(min(n-1, 12))
		o := learn.Dividing{Seed: seed}
		if seed%2 == 0 {
			o.Strata = strata(r, n)
		}
		splits := testkit.Must(learn.Folds(n, k, o))
		testkit.Equal(testkit.Stop(t), len(splits), k, "folds")
		tested := make([]int, n)
		for f, s := range splits {
			name := fmt.Sprintf("seed %d, fold %d", seed, f)
			checkSplit(t, name, s, n, float64(n)/float64(k), o.Strata)
			for _, d := range s.Test {
				tested[d]++
			}
		}
		testkit.Equal(testkit.Stop(t), slices.Min(tested), 1, "seed", seed, "documents are tested", tested, "times")
		testkit.Equal(testkit.Stop(t), slices.Max(tested), 1, "seed", seed, "documents are tested", tested, "times")
		if again, _ := learn.Folds(n, k, o); !reflect.DeepEqual(again, splits) {
			t.Fatalf("seed %d: other folds the second time", seed)
		}
	}
}

func TestRepeated(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, share := 2+r.IntN(100), .05+.9*r.Float64()
		o := learn.Dividing{Seed: seed}
		if seed%2 == 0 {
			o.Strata = strata(r, n)
		}
		splits := testkit.Must(learn.Repeated(n, 3, share, o))
		testkit.Equal(testkit.Stop(t), len(splits), 3, "splits")
		size := min(max(math.Round(share*float64(n)), 1), float64(n-1))
		for i, s := range splits {
			checkSplit(t, fmt.Sprintf("seed %d, split %d", seed, i), s, n, size, o.Strata)
			testkit.Equal(testkit.Stop(t), float64(len(s.Test)), size, "seed", seed, len(s.Test),
				"documents to test on")
		}
		if again, _ := learn.Repeated(n, 3, share, o); !reflect.DeepEqual(again, splits) {
			t.Fatalf("seed %d: other splits the second time", seed)
		}
		if n > 40 && share > .2 && share < .8 && reflect.DeepEqual(splits[0], splits[1]) {
			t.Fatalf("seed %d: the second split is the first", seed)
		}
	}
}

func strata(r *rand.Rand, n int) (s []int) {
	for range n {
		s = append(s, r.IntN(1+r.IntN(6))-1)
	}
	return s
}

// checkSplit demands two ascending lists of all documents, of the right size in all and,
// but for one document, of each stratum.
func checkSplit(t *testing.T, name string, s learn.Split, n int, size float64, strata []int) {
	t.Helper()
	if !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
		t.Fatalf("%s: %v is not in order", name, s)
	}
	all := slices.Sorted(slices.Values(slices.Concat(s.Train, s.Test)))
	for d := range n {
		if len(all) != n || all[d] != d {
			t.Fatalf("%s: %v are not %d documents", name, s, n)
		}
	}
	if math.Abs(float64(len(s.Test))-size) >= 1 {
		t.Fatalf("%s: %d documents to test on, want %v", name, len(s.Test), size)
	}
	have, test := map[int]float64{}, map[int]float64{}
	for d, c := range strata {
		have[c]++
		if slices.Contains(s.Test, d) {
			test[c]++
		}
	}
	for c, m := range have {
		if math.Abs(test[c]-m*size/float64(n)) >= 1+1e-9 {
			t.Fatalf("%s: %v of the %v documents of class %d", name, test[c], m, c)
		}
	}
}

// TestSeed pins the parts: they must be the same on every machine and for ever.
func TestSeed(t *testing.T) {
	for _, x := range []struct {
		k      int
		strata []int
		want   [][]int
	}{
		{3, nil, [][]int{{0, 1, 5, 7}, {3, 4, 8}, {2, 6, 9}}},
		{3, []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, [][]int{{1, 2, 7, 8}, {0, 5, 6}, {3, 4, 9}}},
		{4, []int{0, 1, 0, 0, 2, 2, 0, 0, 0, 1}, [][]int{{3, 5, 8}, {4, 6, 7}, {1, 2}, {0, 9}}}, // 6, 2 and 2 documents
	} {
		var got [][]int
		for _, s := range testkit.Must(learn.Folds(10, x.k, learn.Dividing{Seed: 1, Strata: x.strata})) {
			got = append(got, s.Test)
		}
		testkit.Same(t, got, x.want, x.strata)
	}
}

// TestSmallClasses are not always on the same side.
func TestSmallClasses(t *testing.T) {
	strata := append(make([]int, 9), 1)
	splits := testkit.Must(learn.Repeated(10, 100, .3, learn.Dividing{Strata: strata}))
	tested := 0
	for _, s := range splits {
		if slices.Contains(s.Test, 9) {
			tested++
		}
	}
	if tested < 15 || tested > 45 {
		t.Errorf("the only document of a class is tested %d times of 100, expected 30", tested)
	}
}

func TestDividingRefuses(t *testing.T) {
	for _, err := range []error{
		second(learn.Folds(10, 1, learn.Dividing{})),
		second(learn.Folds(3, 4, learn.Dividing{})),
		second(learn.Folds(0, 2, learn.Dividing{})),
		second(learn.Folds(4, 2, learn.Dividing{Strata: []int{1}})),
		second(learn.Repeated(4, 2, .5, learn.Dividing{Strata: []int{1}})),
		second(learn.Repeated(10, 0, .5, learn.Dividing{})),
		second(learn.Repeated(1, 1, .5, learn.Dividing{})),
		second(learn.Repeated(10, 1, 0, learn.Dividing{})),
		second(learn.Repeated(10, 1, 1, learn.Dividing{})),
		second(learn.Repeated(10, 1, math.NaN(), learn.Dividing{})),
		second(learn.Repeated(10, 1_000_000_000, .5, learn.Dividing{})),
		second(learn.Repeated(10, math.MaxInt, .5, learn.Dividing{})),
		second(learn.Repeated(10_000_000, 1000, .5, learn.Dividing{})),
		second(learn.Folds(1_000_000, 1_000_000, learn.Dividing{})),
	} {
		testkit.Is(t, err, learn.ErrFolds)
	}
}

func second(_ []learn.Split, err error) error { return err }
