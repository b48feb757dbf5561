package engine_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/store"
)

// generated makes a corpus of a known shape without going through text.
func generated(t *testing.T, p workload.Params) *engine.Corpus {
	t.Helper()
	src, err := workload.Generate(t.Context(), p, 2)
	if err != nil {
		t.Fatal(err)
	}
	x, err := store.Build(t.Context(), src, store.BuildOptions{Meta: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := x.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	c, err := engine.Decode(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allocated is what f allocates, in bytes.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// A hundred thousand classes cost memory in proportion to what there is of
// postings, documents, terms and classes: nothing has a place for each term in
// each class, not even a bit, nor for each class in each chunk of terms.
func TestManyClassesTakeLittleMemory(t *testing.T) {
	for _, p := range []workload.Params{
		{Name: "one label", Documents: 200_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Seed: 3},
		{Name: "several labels", Documents: 60_000, Tokens: 12, Terms: 400_000, Classes: 100_000, Labels: 1.9, Seed: 4},
	} {
		if testing.Short() {
			p.Documents /= 4
		}
		c := generated(t, p)
		info := must(c.Info(t.Context()))
		bound := 64*(info.Postings+int64(info.Documents)+int64(info.Terms)) + 1024*int64(info.Classes)
		for _, o := range []engine.Scoring{{By: "chi"}, {By: "chi", Combine: "avg"}, {By: "ig"}, {By: "chitf"}, {By: "ttest"}} {
			o.Threads = 2
			bytes := allocated(func() { rankOnce(t, c, o) })
			if bytes > bound {
				t.Errorf("%s: %s %s takes %d bytes, more than %d", p.Name, o.By, o.Combine, bytes, bound)
			}
			t.Logf("%s: %s %s: %d MB; %d terms and %d classes", p.Name, o.By, o.Combine, bytes>>20, info.Terms, info.Classes)
		}
	}
}

// rankOnce scores the terms; the best one must be better than nothing.
func rankOnce(t *testing.T, c *engine.Corpus, o engine.Scoring) {
	t.Helper()
	r, err := c.Rank(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if best := r[0].Top(1)[0]; !(best.Value > 0) {
		t.Errorf("%s: the best term is %+v", o.By, best)
	}
}
