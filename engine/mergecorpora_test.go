package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/store"
)

func mergedBytes(t *testing.T, opt engine.MergeOptions, corpora ...*engine.Corpus) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := engine.Merge(t.Context(), &b, opt, corpora...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A variant is a way to analyse documents.
type variant struct {
	docs []document.Document
	opt  engine.Options
}

func variants() map[string]variant {
	docs := manyTexts(600)
	real := append(manyTexts(400), document.Document{ID: "r", Labels: []string{"c"}, Features: []document.Feature{{Term: "T4", Value: 0.1}}})
	all := map[string]variant{
		"stems":     {docs, engine.Options{Analysis: analysis.Options{Stem: "porter2", Stop: "smart"}, Charset: "latin-1"}},
		"n-grams":   {docs[:200], engine.Options{Analysis: analysis.Options{NGrams: "1-3", Stop: "glasgow"}}},
		"max-token": {docs, engine.Options{Analysis: analysis.Options{MaxToken: 5}}},
		"real":      {real, engine.Options{}},
	}
	for _, tokens := range analysis.Tokenizers() {
		all[tokens] = variant{docs, engine.Options{Analysis: analysis.Options{Tokens: tokens}}}
	}
	return all
}

// Merging corpora gives the file of one build of all their documents, provenance
// included, wherever they were cut.
func TestMergeIsOneBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	for name, v := range variants() {
		want := bytesOf(t, must(engine.Build(t.Context(), each(v.docs), v.opt)))
		for _, parts := range []int{1, 2, 5} {
			cuts := []int{0, len(v.docs)}
			for range parts - 1 {
				cuts = append(cuts, 20+r.IntN(len(v.docs)-40))
			}
			slices.Sort(cuts)
			cuts = slices.Compact(cuts)
			var corpora []*engine.Corpus
			for i := range len(cuts) - 1 {
				corpora = append(corpora, must(engine.Build(t.Context(), each(v.docs[cuts[i]:cuts[i+1]]), v.opt)))
			}
			for _, threads := range []int{1, 3} {
				if !bytes.Equal(mergedBytes(t, engine.MergeOptions{Threads: threads}, corpora...), want) {
					t.Fatalf("%s: cut at %v, %d threads: another file", name, cuts, threads)
				}
			}
			if len(corpora) < 3 {
				continue
			}
			left := must(engine.Decode(mergedBytes(t, engine.MergeOptions{}, corpora[:2]...)))
			if !bytes.Equal(mergedBytes(t, engine.MergeOptions{}, append([]*engine.Corpus{left}, corpora[2:]...)...), want) {
				t.Fatalf("%s: the grouping matters", name)
			}
		}
	}
}

// Bounds are those of the result.
func TestMergeWithBounds(t *testing.T) {
	docs := manyTexts(500)
	a, b := must(engine.Build(t.Context(), each(docs[:200]), engine.Options{})), must(engine.Build(t.Context(), each(docs[200:]), engine.Options{}))
	for _, o := range []engine.Options{{MinDF: 2}, {MinDF: 0.01, MaxDF: 0.3}, {MaxDF: 40}, {MinDF: 1}} {
		want := bytesOf(t, must(engine.Build(t.Context(), each(docs), o)))
		if !bytes.Equal(mergedBytes(t, engine.MergeOptions{MinDF: o.MinDF, MaxDF: o.MaxDF}, a, b), want) {
			t.Errorf("bounds %v to %v: another file", o.MinDF, o.MaxDF)
		}
	}
}

// The order of the documents, and each of them, matters to the hash.
func TestInputHash(t *testing.T) {
	docs := manyTexts(50)
	seen := map[string]int{}
	hash := func(docs []document.Document) string {
		return must(engine.Build(t.Context(), each(docs), engine.Options{})).Provenance().InputHash
	}
	seen[hash(docs)] = -1
	for i := range 49 {
		swapped := slices.Clone(docs)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		for k, other := range [][]document.Document{swapped, slices.Delete(slices.Clone(docs), i, i+1), append(slices.Clone(docs), docs[i])} {
			h := hash(other)
			if before, ok := seen[h]; ok {
				t.Fatalf("change %d at %d has the hash of %d", k, i, before)
			}
			seen[h] = i
		}
	}
}

func TestMergeTellsOfPartsThatAreNotWhole(t *testing.T) {
	docs := manyTexts(300)
	a := must(engine.Build(t.Context(), each(append(docs[:100:100], docs[:20]...)), engine.Options{Dedupe: true}))
	b := must(engine.Build(t.Context(), each(docs[90:]), engine.Options{Dedupe: true}))
	p := must(engine.Decode(mergedBytes(t, engine.MergeOptions{}, a, b))).Provenance()
	one := must(engine.Build(t.Context(), each(append(append(docs[:100:100], docs[:20]...), docs[90:]...)), engine.Options{Dedupe: true})).Provenance()
	if len(p.Shards) != 2 || p.Shards[0].Documents != a.Documents() || p.InputHash != one.InputHash || p.Repeats != a.Provenance().Repeats+b.Provenance().Repeats || p.Repeats >= one.Repeats {
		t.Fatalf("deduped: %+v, in one go %+v", p, one)
	}
	whole := must(engine.Build(t.Context(), each(docs), engine.Options{}))
	part := must(whole.Subset(t.Context(), roaring.BitmapOf(1, 5, 9, 10, 11), engine.SubsetOptions{Docs: "some"}))
	more := must(engine.Build(t.Context(), each(docs[:7]), engine.Options{}))
	p = must(engine.Decode(mergedBytes(t, engine.MergeOptions{}, part, more, more))).Provenance()
	one = must(engine.Build(t.Context(), each(slices.Concat(docs, docs[:7], docs[:7])), engine.Options{})).Provenance()
	if len(p.Shards) != 3 || len(p.Shards[0].Subsets) != 1 || p.InputHash != one.InputHash {
		t.Fatalf("subset: %+v", p)
	}
	again := must(engine.Decode(mergedBytes(t, engine.MergeOptions{}, must(engine.Decode(mergedBytes(t, engine.MergeOptions{}, part, more))), more)))
	if got, want := must(json.Marshal(again.Provenance())), must(json.Marshal(p)); !bytes.Equal(got, want) {
		t.Fatalf("in two steps %s, in one %s", got, want)
	}
}

func TestMergeRefuses(t *testing.T) {
	docs := manyTexts(100)
	corpus := func(o engine.Options) *engine.Corpus { return must(engine.Build(t.Context(), each(docs), o)) }
	plain := corpus(engine.Options{})
	against := must(engine.Against(t.Context(), plain, plain, 1))
	for _, c := range []struct {
		other  *engine.Corpus
		reason error
		text   string
	}{
		{corpus(engine.Options{Charset: "latin-1"}), engine.ErrContradiction, `A.idx and B.idx do not fit together: the charset of the first is "", that of the other "latin-1"`},
		{corpus(engine.Options{Analysis: analysis.Options{Stem: "porter"}}), engine.ErrContradiction, "stem"},
		{corpus(engine.Options{Dedupe: true}), engine.ErrContradiction, "dedupe"},
		{against, engine.ErrContradiction, "reference"},
		{corpus(engine.Options{MinDF: 3}), store.ErrPruned, "B.idx: "},
	} {
		err := engine.Merge(t.Context(), io.Discard, engine.MergeOptions{Names: []string{"A.idx", "B.idx"}}, plain, c.other)
		if !errors.Is(err, c.reason) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	if err := engine.Merge(t.Context(), io.Discard, engine.MergeOptions{}); !errors.Is(err, engine.ErrUsage) {
		t.Error(err)
	}
	if err := engine.Merge(t.Context(), io.Discard, engine.MergeOptions{MinDF: -1}, plain); !errors.Is(err, engine.ErrUsage) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := engine.Merge(ctx, io.Discard, engine.MergeOptions{}, plain, plain); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A merged index holds what is asked for, as one build would write it; without a
// directory for temporary files it cannot.
func TestMergeStores(t *testing.T) {
	for _, name := range []string{"stems", "real"} {
		v := variants()[name]
		first := must(engine.Build(t.Context(), each(v.docs[:150]), v.opt))
		second := must(engine.Build(t.Context(), each(v.docs[150:]), v.opt))
		whole := must(engine.Build(t.Context(), each(v.docs), v.opt))
		for _, o := range []engine.WriteOptions{{Forward: true}, {Cells: true}, {Weights: "ltc"}, {Forward: true, Cells: true, Weights: "tfidf"}} {
			var want bytes.Buffer
			if _, err := whole.Write(t.Context(), &want, o); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, threads := range []int{1, 3} {
				got := mergedBytes(t, engine.MergeOptions{Store: o, Threads: threads, Dir: dir}, first, second)
				if !bytes.Equal(got, want.Bytes()) {
					t.Fatalf("%s with %+v: another file", name, o)
				}
				if stored := must(engine.Decode(got)).Stored(); stored != o {
					t.Fatalf("%s with %+v: it says %+v", name, o, stored)
				}
			}
			nothingIn(t, dir)
		}
		err := engine.Merge(t.Context(), io.Discard, engine.MergeOptions{Store: engine.WriteOptions{Cells: true}, Dir: filepath.Join(t.TempDir(), "missing")}, first, second)
		if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := engine.Merge(t.Context(), io.Discard, engine.MergeOptions{Store: engine.WriteOptions{Weights: "heavy"}}, first); !errors.Is(err, engine.ErrUsage) {
			t.Fatal(err)
		}
	}
}
