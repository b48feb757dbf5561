package corpus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

func mergedBytes(t *testing.T, opt corpus.MergeOptions, corpora ...*corpus.Corpus) []byte {
	var b bytes.Buffer
	testkit.OK(corpus.Merge(t.Context(), &b, opt, corpora...))
	return b.Bytes()
}

// Merging corpora gives the file of one build of all their documents, provenance
// included, wherever they were cut.
func TestMergeIsOneBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	for name, v := range enginetest.Variants() {
		want := enginetest.BytesOf(t, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt)))
		for _, parts := range []int{1, 2, 5} {
			cuts := []int{0, len(v.Docs)}
			for range parts - 1 {
				cuts = append(cuts, 20+r.IntN(len(v.Docs)-40))
			}
			slices.Sort(cuts)
			cuts = slices.Compact(cuts)
			var corpora []*corpus.Corpus
			for i := range len(cuts) - 1 {
				corpora = append(corpora, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs[cuts[i]:cuts[i+1]]), v.Opt)))
			}
			for _, threads := range []int{1, 3} {
				testkit.EqualSlices(testkit.Stop(t), mergedBytes(t, corpus.MergeOptions{Threads: threads}, corpora...),
					want, name, "cut at", cuts, threads, "threads: another file")
			}
			if len(corpora) < 3 {
				continue
			}
			left := testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{}, corpora[:2]...)))
			if !bytes.Equal(mergedBytes(t, corpus.MergeOptions{}, append([]*corpus.Corpus{left}, corpora[2:]...)...), want) {
				t.Fatalf("%s: the grouping matters", name)
			}
		}
	}
}

// Bounds are those of the result.
func TestMergeWithBounds(t *testing.T) {
	docs := enginetest.ManyTexts(500)
	a, b := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[:200]), corpus.Options{})), testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[200:]), corpus.Options{}))
	for _, o := range []corpus.Options{{MinDF: 2}, {MinDF: 0.01, MaxDF: 0.3}, {MaxDF: 40}, {MinDF: 1}} {
		want := enginetest.BytesOf(t, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), o)))
		testkit.EqualSlices(t, mergedBytes(t, corpus.MergeOptions{MinDF: o.MinDF, MaxDF: o.MaxDF}, a, b), want,
			"bounds", o.MinDF, "to", o.MaxDF, "another file")
	}
}

// Bounds that no term keeps are the error of a build with them, and nothing is written.
func TestMergeThatLeavesNoTerm(t *testing.T) {
	docs := enginetest.ManyTexts(60)
	a, b := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[:20]), corpus.Options{})), testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[20:]), corpus.Options{}))
	_, want := corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{MinDF: 61})
	testkit.Is(testkit.Stop(t), want, ingest.ErrEmpty)
	for _, noCells := range []bool{true, false} {
		var out bytes.Buffer
		err := corpus.Merge(t.Context(), &out, corpus.MergeOptions{MinDF: 61, NoCells: noCells}, a, b)
		if !errors.Is(err, ingest.ErrEmpty) || err.Error() != want.Error() || out.Len() > 0 {
			t.Errorf("%v, built at once %v; %d bytes", err, want, out.Len())
		}
	}
	var out bytes.Buffer
	opt := corpus.Options{MinDF: 61, MaxMemory: ingest.MinMemory}
	if _, err := ingest.BuildTo(t.Context(), &out, document.InBatches(docs), opt); !errors.Is(err, ingest.ErrEmpty) || out.Len() > 0 {
		t.Errorf("within bounds: %v, %d bytes", err, out.Len())
	}
}

// The order of the documents, and each of them, matters to the hash.
func TestInputHash(t *testing.T) {
	docs := enginetest.ManyTexts(50)
	seen := map[string]int{}
	hash := func(docs []document.Document) string {
		return testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Provenance().InputHash
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
	docs := enginetest.ManyTexts(300)
	a := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(append(docs[:100:100], docs[:20]...)), corpus.Options{Dedupe: true}))
	b := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[90:]), corpus.Options{Dedupe: true}))
	p := testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{}, a, b))).Provenance()
	one := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(append(append(docs[:100:100], docs[:20]...), docs[90:]...)), corpus.Options{Dedupe: true})).Provenance()
	if len(p.Shards) != 2 || p.Shards[0].Documents != a.Documents() || p.InputHash != one.InputHash || p.Repeats != a.Provenance().Repeats+b.Provenance().Repeats || p.Repeats >= one.Repeats {
		t.Fatalf("deduped: %+v, in one go %+v", p, one)
	}
	whole := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{}))
	part := testkit.Must(whole.Subset(t.Context(), roaring.BitmapOf(1, 5, 9, 10, 11), corpus.SubsetOptions{Docs: "some"}))
	more := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs[:7]), corpus.Options{}))
	p = testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{AllowRepeats: true}, part, more, more))).Provenance()
	one = testkit.Must(corpus.Build(t.Context(), enginetest.Stream(slices.Concat(docs, docs[:7], docs[:7])), corpus.Options{})).Provenance()
	if len(p.Shards) != 3 || len(p.Shards[0].Subsets) != 1 || p.InputHash != one.InputHash {
		t.Fatalf("subset: %+v", p)
	}
	again := testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{}, testkit.Must(corpus.Decode(mergedBytes(t, corpus.MergeOptions{}, part, more))), more)))
	testkit.EqualSlices(testkit.Stop(t), testkit.Must(json.Marshal(again.Provenance())), testkit.Must(json.Marshal(p)),
		"in two steps", "in one")
}

func TestMergeRefuses(t *testing.T) {
	docs := enginetest.ManyTexts(100)
	counted := func(o corpus.Options) *corpus.Corpus {
		return testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), o))
	}
	plain := counted(corpus.Options{})
	against := testkit.Must(corpus.Contrast(t.Context(), plain, plain, corpus.ContrastOptions{Threads: 1}))
	for _, c := range []struct {
		other  *corpus.Corpus
		reason error
		text   string
	}{
		{counted(corpus.Options{Charset: "latin-1"}), usage.ErrContradiction, `A.idx and B.idx do not fit together: the charset of the first is "", that of the other "latin-1"`},
		{counted(corpus.Options{Analysis: analysis.Options{Stem: "porter"}}), usage.ErrContradiction, "stem"},
		{counted(corpus.Options{Dedupe: true}), usage.ErrContradiction, "dedupe"},
		{against, usage.ErrContradiction, "reference"},
		{counted(corpus.Options{MinDF: 3}), table.ErrPruned, "B.idx: "},
		{plain, corpus.ErrRepeated, "A.idx and B.idx are of the same 100 documents: leave one out, or allow repeats (--allow-repeats)"},
		{counted(corpus.Options{Threads: 2}), corpus.ErrRepeated, "A.idx and B.idx are of the same"},
	} {
		err := corpus.Merge(t.Context(), io.Discard, corpus.MergeOptions{Names: []string{"A.idx", "B.idx"}}, plain, c.other)
		testkit.Refused(t, err, c.reason, c.text)
	}
	testkit.Is(t, corpus.Merge(t.Context(), io.Discard, corpus.MergeOptions{}), usage.ErrUsage)
	testkit.Is(t, corpus.Merge(t.Context(), io.Discard, corpus.MergeOptions{MinDF: -1}, plain), usage.ErrUsage)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, corpus.Merge(ctx, io.Discard, corpus.MergeOptions{AllowRepeats: true}, plain, plain),
		context.Canceled)
}

// A merged index has cells if they are asked for, as one build would write it.
func TestMergeStores(t *testing.T) {
	for _, name := range []string{"stems", "real"} {
		v := enginetest.Variants()[name]
		first := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs[:150]), v.Opt))
		second := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs[150:]), v.Opt))
		whole := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt))
		for _, noCells := range []bool{false, true} {
			var want bytes.Buffer
			testkit.Must(whole.Write(t.Context(), &want, corpus.SaveOptions{NoCells: noCells}))
			dir := t.TempDir()
			for _, threads := range []int{1, 3} {
				got := mergedBytes(t, corpus.MergeOptions{NoCells: noCells, Threads: threads, Dir: dir}, first, second)
				testkit.EqualSlices(testkit.Stop(t), got, want.Bytes(), name, "without cells", noCells, "another file")
				if testkit.Must(corpus.Decode(got)).HasCells() == noCells {
					t.Fatalf("%s without cells %v: it says otherwise", name, noCells)
				}
			}
			faults.NothingIn(t, dir)
		}
	}
}
