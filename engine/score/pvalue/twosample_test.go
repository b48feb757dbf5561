package pvalue

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A samples has the values of two samples.
type samples struct{ first, second []float64 }

// rankSum adds the values of both samples, group by group.
func (s samples) rankSum() *RankSum {
	var r RankSum
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.first, s.second))))
	count := func(values []float64, v float64) (n int) {
		for _, x := range values {
			if x == v {
				n++
			}
		}
		return n
	}
	for _, v := range all {
		r.Add(count(s.first, v), count(s.second, v))
	}
	return &r
}

// sample drops the zeros of values, which NewSample takes as a number.
func sample(values []float64) Sample {
	rest := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v == 0 })
	return NewSample(rest, len(values)-len(rest))
}

func (s samples) welch() (t, degrees, lnP float64) { return Welch(sample(s.first), sample(s.second)) }

// described are the samples of the corner cases that the golden file describes in words.
var described = map[string]samples{
	"large: 1..1500 against 2000 zeros":       {upTo(1500), make([]float64, 2000)},
	"all tied: 3 zeros against 2":             {make([]float64, 3), make([]float64, 2)},
	"one against one":                         {[]float64{1}, []float64{0}},
	"half a rank: 1,4 against 2,3,3":          {[]float64{1, 4}, []float64{2, 3, 3}},
	"equal: 1,2 against 1,2":                  {[]float64{1, 2}, []float64{1, 2}},
	"constant and equal: 1,1 against 1,1":     {[]float64{1, 1}, []float64{1, 1}},
	"constant and different: 1,1 against 0,0": {[]float64{1, 1}, []float64{0, 0}},
	"one constant: 1,1 against 0,1,3":         {[]float64{1, 1}, []float64{0, 1, 3}},
	"one document: 1 against 0,1":             {[]float64{1}, []float64{0, 1}},
}

func upTo(n int) (values []float64) {
	for i := range n {
		values = append(values, float64(i+1))
	}
	return values
}

// A golden has the parts of golden_methods.json that this package computes.
type golden struct {
	CornerCases struct {
		RankSum map[string]leaves `json:"rank_sum"`
		Welch   map[string]leaves
	} `json:"corner_cases"`
	Keyness struct {
		Target  []int
		Lengths []float64
		Terms   map[string]struct{ Wilcoxon, Welch leaves }
	}
	CorpusA struct{ Documents []string } `json:"corpus_a"`
}

// leaves are the values under a path.
type leaves map[string]any

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "golden_methods.json"))
	if err == nil {
		err = json.Unmarshal(data, &g)
	}
	testkit.OK(err)
	return g
}

// number returns a value, NaN for null.
func number(t *testing.T, v any) float64 {
	t.Helper()
	switch v := v.(type) {
	case nil:
		return math.NaN()
	case float64:
		return v
	case string:
		if f, err := strconv.ParseFloat(v, 64); err == nil {
			return f
		}
		if r, ok := new(big.Rat).SetString(v); ok {
			f, _ := r.Float64()
			return f
		}
	}
	t.Fatalf("%v is no number", v)
	return 0
}

// check compares the leaves with what the package gives, and fails for those it does not give.
func (want leaves) check(t *testing.T, got map[string]float64) {
	t.Helper()
	for key, v := range want {
		value, ok := got[key]
		if strings.HasSuffix(key, "_uncorrected") { // of other programs
			continue
		}
		if !ok {
			t.Errorf("nothing gives %s", key)
			continue
		}
		relative := 1e-12
		if strings.HasPrefix(key, "lnp") {
			relative = 1e-10
		}
		testkit.Equal(t, within(value, number(t, v), relative), true, key, "is", value)
	}
}

func within(got, want, relative float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= max(1e-15, relative*math.Abs(want))
}

func (r *RankSum) values() map[string]float64 {
	return map[string]float64{
		"U": float64(r.twiceU) / 2, "U_exact": float64(r.twiceU) / 2, "var_exact": r.variance(), "ps_exact": r.Superiority(), "rank_biserial": r.RankBiserial(),
		"z": r.Z(), "lnp": r.LnP(),
	}
}

func (s samples) welchValues() map[string]float64 {
	t, degrees, lnP := s.welch()
	return map[string]float64{
		"t": t, "t_squared_exact": t * t, "df": degrees, "lnp": lnP,
		"mean1_exact": sample(s.first).Mean, "mean2_exact": sample(s.second).Mean,
	}
}

func TestGolden(t *testing.T) {
	g := readGolden(t)
	if len(g.CornerCases.RankSum) == 0 || len(g.CornerCases.Welch) == 0 || len(g.Keyness.Terms) == 0 {
		t.Fatal("the golden file lacks a part")
	}
	for name, want := range g.CornerCases.RankSum {
		t.Run(name, func(t *testing.T) { want.check(t, described[name].rankSum().values()) })
	}
	for name, want := range g.CornerCases.Welch {
		t.Run(name, func(t *testing.T) { want.check(t, described[name].welchValues()) })
	}
	for term, want := range g.Keyness.Terms {
		var s samples
		for d, text := range g.CorpusA.Documents {
			share := 0.
			for _, word := range strings.Fields(text) {
				if word == term {
					share++
				}
			}
			share /= max(1, g.Keyness.Lengths[d])
			if slices.Contains(g.Keyness.Target, d) {
				s.first = append(s.first, share)
			} else {
				s.second = append(s.second, share)
			}
		}
		t.Run(term, func(t *testing.T) {
			want.Wilcoxon.check(t, s.rankSum().values())
			want.Welch.check(t, s.welchValues())
		})
	}
}

// The rank sum counts pairs: U is what comparing each value of the first sample with each of the
// second gives, and the variance is that of U over all divisions of the values.
func TestRankSumByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 39))
	for range 200 {
		values := make([]float64, 2+r.IntN(9))
		for i := range values {
			values[i] = float64(r.IntN(1 + r.IntN(5)))
		}
		n := 1 + r.IntN(len(values)-1)
		sum, squares, divisions := 0., 0., 0.
		for set := range 1 << len(values) {
			var s samples
			for i, v := range values {
				if set>>i&1 == 1 {
					s.first = append(s.first, v)
				} else {
					s.second = append(s.second, v)
				}
			}
			if len(s.first) != n {
				continue
			}
			u := 0.
			for _, x := range s.first {
				for _, y := range s.second {
					switch {
					case x > y:
						u++
					case x == y:
						u += .5
					}
				}
			}
			got := s.rankSum()
			if float64(got.twiceU)/2 != u || !within(got.Superiority(), u/float64(n*len(s.second)), 1e-15) {
				t.Fatalf("%+v: U is %v, want %v", s, float64(got.twiceU)/2, u)
			}
			if middle := float64(n*len(s.second)) / 2; float64(got.Sign())*math.Abs(u-middle) != u-middle || (got.Sign() == 0) != (u == middle) {
				t.Fatalf("%+v: sign %d of U %v about %v", s, got.Sign(), u, middle)
			}
			sum, squares, divisions = sum+u, squares+u*u, divisions+1
		}
		s := samples{values[:n], values[n:]}
		testkit.Close(testkit.Stop(t), s.rankSum().variance(), squares/divisions-sum/divisions*(sum/divisions), 0, 1e-9,
			s, "variance")
	}
}

// Sums are exact as far as documents are counted: samples of 2^31 values, all tied but few.
func TestRankSumOfManyValues(t *testing.T) {
	var r RankSum
	const half = 1<<31 - 1
	r.Add(half-1, half)
	r.Add(1, 0)
	m := big.NewInt(2 * half)
	cube := func(t *big.Int) *big.Int {
		c := new(big.Int).Exp(t, big.NewInt(3), nil)
		return c.Sub(c, t)
	}
	untied := new(big.Rat).SetInt(new(big.Int).Sub(cube(m), cube(new(big.Int).Sub(m, big.NewInt(1)))))
	untied.Mul(untied, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(half), big.NewInt(2), nil)))
	untied.Quo(untied, new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(12), new(big.Int).Mul(m, new(big.Int).Sub(m, big.NewInt(1))))))
	want, _ := untied.Float64()
	testkit.Equal(t, within(r.variance(), want, 1e-15), true, "variance", "want", want)
	testkit.Equal(t, r.twiceDeviation(), half, "twice the deviation")
	if z := r.Z(); !within(z, 1, 1e-9) { // one value of all: U deviates by σ
		t.Errorf("z %v, want 1", z)
	}
}

// A sample without values has no ranks to compare, and one value has no variance.
func TestUndefined(t *testing.T) {
	for _, s := range []samples{{}, {[]float64{1, 2}, nil}, {nil, []float64{1}}} {
		r := s.rankSum()
		for name, v := range map[string]float64{"z": r.Z(), "p": r.LnP(), "variance": r.variance(), "superiority": r.Superiority(), "correlation": r.RankBiserial()} {
			if r.defined() || !math.IsNaN(v) {
				t.Errorf("%+v: %s is %v", s, name, v)
			}
		}
		if stat, degrees, lnP := s.welch(); !math.IsNaN(stat) || !math.IsNaN(lnP) || !math.IsNaN(degrees) {
			t.Errorf("%+v: %v, %v, %v", s, stat, degrees, lnP)
		}
	}
}

// Values that are all equal have no variance, however their sum is rounded.
func TestSampleOfEqualValues(t *testing.T) {
	for n := 1; n < 200; n++ {
		for _, v := range []float64{1. / 3, .1, 7. / 11, 1e-9} {
			if s := NewSample(slices.Repeat([]float64{v}, n), 0); s.Squares != 0 || s.Mean != v || s.N != n {
				t.Fatalf("%d times %v: %+v", n, v, s)
			}
		}
	}
	testkit.Equal(t, NewSample(nil, 3), Sample{N: 3}, "three zeros")
}

// The squares are taken about the mean: a large common part does not cost digits.
func TestSampleNearAMean(t *testing.T) {
	s := NewSample([]float64{1e6 + 1, 1e6 + 2, 1e6 + 3}, 0)
	testkit.Equal(t, s.Mean, 1e6+2, s)
	testkit.Equal(t, s.Squares, 2, s)
}
