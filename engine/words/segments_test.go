package words_test

import (
	"math"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/words"
)

// Zeta over segments of five tokens has the golden values, and any other measure takes segments as
// documents.
func TestGoldenZetaOfSegments(t *testing.T) {
	g := readGoldenMethods(t)
	target, reference := g.sides()
	o := corpus.Options{Segment: 5}
	x, y := corpusOf(t, o, target...), corpusOf(t, o, reference...)
	for m, leaf := range map[words.Measure]string{words.Zeta: "zeta", words.ZetaCraig: "zeta_craig", words.ZetaEder: "zeta_eder", words.ZetaLog: "zeta_log2"} {
		c := testkit.Must(words.Keyness(t.Context(), x, y, words.KeynessOptions{Measure: m}))
		testkit.Equal(t, c.Target.Documents, 19)
		testkit.Equal(t, c.Reference.Documents, 15)
		for term, leaves := range g.Keyness.Terms {
			want := goldenNumber(t, leaves["zeta_segments_5"].(map[string]any)[leaf])
			testkit.Close(t, testkit.Must(c.Of(t.Context(), term)).Value, want, 0, max(1e-15, 1e-12*math.Abs(want)), m,
				"of", term)
		}
	}
	target5, reference5 := tokensOf(target).Segments(5), tokensOf(reference).Segments(5)
	for _, o := range byDocuments {
		c := testkit.Must(words.Keyness(t.Context(), x, y, o))
		for term := range c.Counts() {
			key, want := testkit.Must(c.Of(t.Context(), term)), judge(target5, reference5, term, o)
			if !near(key.Value, want.value) || key.Sign != want.sign {
				t.Errorf("%+v of %s: %v, want %v", o, term, key.Value, want.value)
			}
		}
	}
}
