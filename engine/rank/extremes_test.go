package rank_test

import (
	"testing"

	"github.com/termsift/termsift/bench/cases"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

// generated makes a corpus of a known shape without going through text.
func generated(t *testing.T, p workload.Params) *corpus.Corpus {
	t.Helper()
	src := testkit.Must(workload.Generate(t.Context(), p, 2))
	return enginetest.CorpusOfSource(t, src)
}

// A hundred thousand classes cost memory in proportion to what there is of
// postings, documents, terms and classes: nothing has a place for each term in
// each class, not even a bit, nor for each class in each chunk of terms.
func TestManyClassesTakeLittleMemory(t *testing.T) {
	for _, p := range []workload.Params{
		{Name: "one label", Documents: 200_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Seed: 3},
		{Name: "several labels", Documents: 60_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Labels: 1.9, Seed: 4},
	} {
		if !cases.All() {
			p.Documents /= 4
		}
		c := generated(t, p)
		info := testkit.Must(c.Info(t.Context()))
		bound := 64*(info.Postings+int64(info.Documents)+int64(info.Terms)) + 1024*int64(info.Classes)
		for _, o := range []rank.Options{{Measure: "chi"}, {Measure: "chi", Combine: "avg"}, {Measure: "ig"}, {Measure: "chitf"}, {Measure: "ttest"}} {
			o.Threads = 2
			bytes := enginetest.Allocated(func() { rankOnce(t, c, o) })
			if bytes > bound {
				t.Errorf("%s: %s %s takes %d bytes, more than %d", p.Name, o.Measure, o.Combine, bytes, bound)
			}
			t.Logf("%s: %s %s: %d MB; %d terms and %d classes", p.Name, o.Measure, o.Combine, bytes>>20, info.Terms, info.Classes)
		}
	}
}

// rankOnce scores the terms; the best one must be better than nothing.
func rankOnce(t *testing.T, c *corpus.Corpus, o rank.Options) {
	t.Helper()
	r := testkit.Must(rank.Several(t.Context(), c, o))
	if best := r[0].Top(1)[0]; !(best.Value > 0) {
		t.Errorf("%s: the best term is %+v", o.Measure, best)
	}
}
