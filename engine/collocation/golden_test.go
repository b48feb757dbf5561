package collocation_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
)

// A goldenPair has the exact values of an n-gram.
type goldenPair struct {
	O, R1, C1, N                                              float64
	Marginals, Cells                                          []float64
	PMI, NPMI, MI2, MI3, T, Z, Dice, LogDice, MinSens, PS, LL float64
	Chi2                                                      float64
	Chi2Yates                                                 float64 `json:"chi2_yates"`
	DeltaP21                                                  float64 `json:"deltap_21"`
	DeltaP12                                                  float64 `json:"deltap_12"`
	Lambda                                                    float64
	LambdaZ                                                   float64 `json:"lambda_z"`
}

// value returns the exact value of a measure.
func (g *goldenPair) value(m collocation.Measure) float64 {
	return map[collocation.Measure]float64{
		collocation.PMI: g.PMI, collocation.NPMI: g.NPMI, collocation.MI2: g.MI2, collocation.MI3: g.MI3, collocation.T: g.T, collocation.Z: g.Z,
		collocation.LL: g.LL, collocation.Chi2: g.Chi2, collocation.Dice: g.Dice, collocation.LogDice: g.LogDice, collocation.MinSens: g.MinSens,
		collocation.DeltaP21: g.DeltaP21, collocation.DeltaP12: g.DeltaP12, collocation.PS: g.PS, collocation.Lambda: g.Lambda, collocation.LambdaZ: g.LambdaZ,
	}[m]
}

type goldenFile struct {
	CorpusA struct{ Documents []string } `json:"corpus_a"`
	Of      struct {
		Bigrams, Trigrams float64
		Pairs, Trigram    map[string]goldenPair
		PairsOfWords      map[string]goldenPair `json:"pairs_word_marginals"`
	} `json:"collocations"`
}

func readGolden() (g goldenFile) {
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_methods.json"), &g)
	return g
}

// documents returns documents of texts, in classes if there are any.
func documents(texts []string, classes ...string) (docs []document.Document) {
	for i, text := range texts {
		d := document.Document{Text: []byte(text)}
		if len(classes) > 0 && classes[i%len(classes)] != "" {
			d.Labels = []string{classes[i%len(classes)]}
		}
		docs = append(docs, d)
	}
	return docs
}

// count returns the n-grams of documents.
func count(t *testing.T, docs []document.Document, ngrams string) *table.Table {
	o := corpus.Options{Unlabelled: true, Analysis: analysis.Options{Tokens: "words", NGrams: ngrams}}
	return testkit.Must(corpus.CountBatches(t.Context(), enginetest.InBatches(docs, 3), o)).Table
}

// The values of the corpus in the file of exact values are those.
func TestGolden(t *testing.T) {
	g := readGolden()
	counted := collocation.OfTable(count(t, documents(g.CorpusA.Documents), "1-3"))
	for _, part := range []struct {
		name string
		want map[string]goldenPair
		o    collocation.Options
		n    float64
	}{
		{"pairs", g.Of.Pairs, collocation.Options{}, g.Of.Bigrams},
		{"pairs of words", g.Of.PairsOfWords, collocation.Options{Marginals: collocation.Words}, 196},
		{"trigrams", g.Of.Trigram, collocation.Options{Least: 3}, g.Of.Trigrams},
	} {
		part.o.MinFreq = 1
		lists := testkit.Must(collocation.Find(t.Context(), counted, part.o))
		part.o.Yates = true
		yates := testkit.Must(collocation.Find(t.Context(), counted, part.o))
		if len(lists) != 1 || float64(lists[0].N) != part.n || len(part.want) == 0 {
			t.Fatalf("%s: %d lists, %+v", part.name, len(lists), lists)
		}
		for term, want := range part.want {
			got, corrected := find(t, &lists[0], term), find(t, &yates[0], term)
			marginals := want.Marginals
			if marginals == nil {
				marginals = []float64{want.R1, want.C1}
			}
			for i, m := range marginals {
				if float64(got.Marginals[i]) != m || float64(got.Frequency) != want.O {
					t.Errorf("%s, %s: %+v", part.name, term, got)
				}
			}
			for _, m := range collocation.Measures() {
				exact := want.value(m)
				if part.o.Least == 3 && exact == 0 {
					exact = math.NaN()
				}
				same(t, part.name+", "+term+", "+string(m), got.Of(m), exact)
			}
			if part.o.Least < 3 {
				same(t, part.name+", "+term+", chi2 of Yates", corrected.Of(collocation.Chi2), want.Chi2Yates)
			}
		}
	}
}

// same compares a value with an exact one.
func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || !math.IsNaN(want) && !testkit.Near(got, want, 1e-12, 1e-14) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func find(t *testing.T, l *collocation.List, term string) *collocation.Collocation {
	t.Helper()
	i := slices.IndexFunc(l.Collocations, func(c collocation.Collocation) bool { return c.Term == term })
	if i < 0 {
		t.Fatalf("no %q", term)
	}
	return &l.Collocations[i]
}
