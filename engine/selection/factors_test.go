package selection_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// The factors are those of the reference, a features file keeps them, and rows are tf
// times them.
func TestSupervisedAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 12, Large: 3, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		corpus := enginetest.CorpusOf(t, c)
		tb := naive.Tabulate(c)
		plain := testkit.Must(selection.Select(t.Context(), corpus, selection.Options{By: rank.Options{Measure: "df"}, Keep: selection.Best(1 + r.IntN(corpus.Terms()))}))
		s := testkit.Must(plain.WithFactors(t.Context(), corpus, 1+r.IntN(3), "tf-rf", "ltc", "tf-chi-unit", "tf-ig", "delta-idf", "tf-ig-unit"))
		if plain.Factors != nil || len(s.Factors) != 4 {
			t.Fatalf("%d and %d factors", len(plain.Factors), len(s.Factors))
		}
		for name, list := range s.Factors {
			for i, f := range s.Features {
				want := tb.Factor(name, slices.Index(c.Terms, f.Term))
				testkit.Close(testkit.Stop(t), list[i], want, 0, 1e-12*math.Abs(want)+1e-15, name, "of", f.Term)
			}
		}
		var file bytes.Buffer
		testkit.OK(s.WriteTSV(&file))
		read := testkit.Must(selection.Read(&file, "f"))
		testkit.Same(testkit.Stop(t), read.Factors, s.Factors)
		testkit.Same(testkit.Stop(t), read.Features, s.Features, read.Factors, "want", s.Factors)
		for name, list := range read.Factors {
			rowsAreProducts(t, corpus, read, name, list)
		}
	})
}

// rowsAreProducts compares the rows of a weighting with those of tf.
func rowsAreProducts(t *testing.T, c *corpus.Corpus, s *selection.Selection, name string, factors []float64) {
	t.Helper()
	var rows [3][]map[uint32]float32
	for i, weight := range []string{"tf", name, name + "-unit"} {
		transformer := testkit.Must(vectors.New(s, table.Weighting(weight)))
		for r := range testkit.All(transformer.Corpus(t.Context(), c)) {
			row := map[uint32]float32{}
			for j, index := range r.Index {
				row[index] = r.Value[j]
			}
			rows[i] = append(rows[i], row)
		}
	}
	for d, tf := range rows[0] {
		square := 0.0
		for index, n := range tf {
			w := float64(n) * factors[index-1]
			square += w * w
			testkit.Equal(testkit.Stop(t), rows[1][d][index], float32(w), name, "want", w)
		}
		for index, n := range tf {
			want := float64(n) * factors[index-1]
			if square > 0 {
				want /= math.Sqrt(square)
			}
			testkit.Close(testkit.Stop(t), float64(rows[2][d][index]), want, 0, 1e-6*want, name, "unit length")
		}
	}
}

func TestSupervisedRefuses(t *testing.T) {
	build := func(docs ...naive.Doc) *corpus.Corpus {
		return enginetest.CorpusOf(t, naive.Corpus{Terms: []string{"x", "y"}, Classes: []string{"a", "b"}, Docs: docs})
	}
	corpus := build(naive.Doc{Labels: []int{0}, Counts: map[int]float64{0: 1}}, naive.Doc{Labels: []int{1}, Counts: map[int]float64{1: 2}})
	other := build(naive.Doc{Labels: []int{0}, Counts: map[int]float64{0: 1}}, naive.Doc{Labels: []int{1}, Counts: map[int]float64{0: 2}})
	s := testkit.Must(selection.Select(t.Context(), corpus, selection.Options{Keep: selection.Best(2)}))
	testkit.Refused(t, testkit.Err(vectors.New(s, "tf-rf-unit")), selection.ErrBadFeatures, "--factors tf-rf")
	testkit.Is(t, testkit.Err(s.WithFactors(t.Context(), other, 0, "tf-rf")), usage.ErrContradiction)
	testkit.Refused(t, testkit.Err(s.WithFactors(t.Context(), corpus, 0, "tf-rg")), usage.ErrUsage,
		"did you mean tf-rf")
	testkit.Is(t, testkit.Err(rank.Several(t.Context(), corpus, rank.Options{Measure: "ocfs", Weight: "tf-rf"})),
		usage.ErrUsage)
	s = testkit.Must(s.WithFactors(t.Context(), corpus, 0, "tf-rf"))
	short := *s
	short.Factors = map[string][]float64{"tf-rf": {1}}
	if _, _, err := short.FactorsFor("tf-rf"); !errors.Is(err, selection.ErrBadFeatures) {
		t.Errorf("one factor of two: %v", err)
	}
	if _, _, err := new(selection.Selection).FactorsFor("tf-rf"); !errors.Is(err, selection.ErrBadFeatures) {
		t.Errorf("neither features nor factors: %v", err)
	}
	var b bytes.Buffer
	testkit.OK(s.WriteTSV(&b))
	for _, bad := range [][2]string{{"\ttf-rf\n", "\ttf-rg\n"}, {"\ttf-rf\n", "\ttf-rf\ttf-ig\n"}, {"\t0\t1.58496", "\t0\t-1.58496"}, {"\t0\t1.58496", "\t0\tinf"}, {"\t0\t1.58496", "\t0\tNaN"}} {
		text := strings.Replace(unsealed(b.String()), bad[0], bad[1], 1)
		if text == unsealed(b.String()) {
			t.Fatalf("%q is not in %s", bad[0], text)
		}
		testkit.Is(t, testkit.Err(selection.Read(strings.NewReader(text), "f")), selection.ErrBadFeatures, bad[1])
	}
}

// Factors are computed once: those that a selection has are kept beside new ones, and not compared with a
// corpus again. A features file keeps them beside p-values.
func TestFactorsThatAreThere(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy", "a:xx", "b:zz", "b:xx zz")
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{By: rank.Options{PValues: true}, Keep: selection.Best(3)}))
	one := testkit.Must(s.WithFactors(t.Context(), c, 1, "tf-rf"))
	if again, err := one.WithFactors(t.Context(), enginetest.Build(t, "a:xx", "b:other"), 1, "tf-rf", "ltc", "tf-rf-unit"); err != nil || again != one {
		t.Errorf("factors that are there: %v", err)
	}
	two := testkit.Must(one.WithFactors(t.Context(), c, 1, "tf-chi", "tf-chi-unit"))
	both := testkit.Must(s.WithFactors(t.Context(), c, 1, "tf-chi", "tf-rf"))
	if len(one.Factors) != 1 || len(both.Factors) != 2 || !reflect.DeepEqual(two.Factors, both.Factors) {
		t.Errorf("one after the other %v, at once %v", two.Factors, both.Factors)
	}
	if read := testkit.Must(selection.Read(strings.NewReader(written(t, two)), "f")); !reflect.DeepEqual(read.Factors, two.Factors) || !reflect.DeepEqual(read.Features, two.Features) {
		t.Errorf("read %+v, want %+v", read, two)
	}
}

// written returns the features file of a selection.
func written(t *testing.T, s *selection.Selection) string {
	t.Helper()
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	return file.String()
}

// What was selected from a part of the terms is refused.
func TestFeaturesOfParts(t *testing.T) {
	all := testkit.Must(selection.Select(t.Context(), enginetest.Build(t, "a:xx yy", "b:zz"), selection.Options{Keep: selection.Best(2)}))
	old := strings.Replace(written(t, all), "#provenance {", `#provenance {"part":{"numbers":[0],"of":2},`, 1)
	old = regexp.MustCompile("(?m)^#seal.*\n").ReplaceAllString(old, "") // of the bytes as they were
	testkit.Refused(t, testkit.Err(selection.Read(strings.NewReader(old), "f")), usage.ErrData,
		"a part of the terms, which version 0.1 split")
}
