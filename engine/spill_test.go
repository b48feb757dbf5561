package engine_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
)

// Whatever the bound, the file is that of a build in memory.
func TestSpilledBuildIsOneBuild(t *testing.T) {
	all := variants()
	docs := manyTexts(600)
	all["bounds"] = variant{docs, engine.Options{MinDF: 2, MaxDF: 0.5}}
	all["share"] = variant{docs, engine.Options{MinDF: 0.004}}
	all["dedupe"] = variant{append(append(docs[:300:300], docs[100:250]...), relabelled(docs[200:260])...), engine.Options{Dedupe: true}}
	all["nothing new"] = variant{append(docs[:50:50], docs[:50]...), engine.Options{Dedupe: true}}
	for name, v := range all {
		corpus := must(engine.Build(t.Context(), each(v.docs), v.opt))
		want, info := bytesOf(t, corpus), must(corpus.Info(t.Context()))
		for _, batch := range []int{1, 30} {
			for _, threads := range []int{1, 3} {
				opt := v.opt
				opt.Threads, opt.TempDir = threads, t.TempDir()
				var b bytes.Buffer
				footprint := int64(130 << 10) // a counter begins with 98 KB
				if threads > 1 {
					footprint = 400 << 10
				}
				built, shards, err := engine.BuildToWithin(t.Context(), &b, inBatches(v.docs, batch), opt, footprint)
				if err != nil {
					t.Fatal(name, err)
				}
				if !bytes.Equal(b.Bytes(), want) {
					t.Fatalf("%s, batches of %d, %d threads, %d shards: another file", name, batch, threads, shards)
				}
				if shards < 2 && threads == 1 && name != "letters" { // which finds few terms
					t.Errorf("%s, batches of %d: only %d shards", name, batch, shards)
				}
				if built.Documents != info.Documents || built.Terms != info.Terms || built.Classes != info.Classes || built.EmptyDocuments != info.EmptyDocuments {
					t.Errorf("%s: %+v, in memory %+v", name, built, info)
				}
				nothingIn(t, opt.TempDir)
			}
		}
	}
}

// relabelled gives the documents one label more.
func relabelled(docs []document.Document) (others []document.Document) {
	for _, d := range docs {
		d.Labels = append(d.Labels[:len(d.Labels):len(d.Labels)], "more")
		others = append(others, d)
	}
	return others
}

// inBatches cuts documents into batches of n.
func inBatches(docs []document.Document, n int) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for from := 0; from < len(docs); from += n {
			if !yield(each(docs[from:min(from+n, len(docs))]), nil) {
				return
			}
		}
	}
}

func nothingIn(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A corpus that was spilled lies in a file without a name.
func TestSpilledCorpus(t *testing.T) {
	docs := manyTexts(800)
	opt := engine.Options{TempDir: t.TempDir()}
	corpus, shards, err := engine.BuildWithin(t.Context(), inBatches(docs, 10), opt, 400<<10)
	if err != nil || shards < 3 {
		t.Fatal(shards, err)
	}
	nothingIn(t, opt.TempDir)
	if want := bytesOf(t, must(engine.Build(t.Context(), each(docs), engine.Options{}))); !bytes.Equal(bytesOf(t, corpus), want) {
		t.Fatal("another corpus")
	}
	if err := corpus.Close(); err != nil {
		t.Fatal(err)
	}
}

// Cancelled at any time, it ends with the cause and leaves nothing behind.
func TestSpillStops(t *testing.T) {
	docs := manyTexts(400)
	why := errors.New("enough")
	for at := 0; at < len(docs); at += 37 {
		ctx, cancel := context.WithCancelCause(t.Context())
		opt := engine.Options{TempDir: t.TempDir(), Threads: 1 + at%3}
		batches := func(yield func(document.Stream, error) bool) {
			n := 0
			for docs, err := range inBatches(docs, 5) {
				if n += 5; n > at {
					cancel(why)
				}
				if !yield(docs, err) {
					return
				}
			}
		}
		if _, _, err := engine.BuildToWithin(ctx, &bytes.Buffer{}, batches, opt, 400<<10); !errors.Is(err, why) {
			t.Fatalf("cancelled at %d: %v", at, err)
		}
		nothingIn(t, opt.TempDir)
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("no room")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestSpillErrors(t *testing.T) {
	docs := manyTexts(400)
	opt := engine.Options{TempDir: filepath.Join(t.TempDir(), "missing")}
	if _, _, err := engine.BuildToWithin(t.Context(), &bytes.Buffer{}, inBatches(docs, 5), opt, 400<<10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	opt.TempDir = t.TempDir()
	for room := 0; room < 100_000; room += 9_999 {
		if _, _, err := engine.BuildToWithin(t.Context(), &fullDisk{room}, inBatches(docs, 5), opt, 400<<10); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
	bad := append(docs[:300:300], document.Document{ID: "bad", Labels: []string{"c"}, Features: []document.Feature{{Term: "x", Value: -1}}})
	if _, _, err := engine.BuildToWithin(t.Context(), &bytes.Buffer{}, inBatches(bad, 5), opt, 400<<10); err == nil {
		t.Error("a negative value was taken")
	}
	unlabelled := make([]document.Document, len(docs))
	for i, d := range docs {
		d.Labels = nil
		unlabelled[i] = d
	}
	if _, _, err := engine.BuildToWithin(t.Context(), &bytes.Buffer{}, inBatches(unlabelled, 5), opt, 400<<10); !errors.Is(err, engine.ErrNoLabels) {
		t.Errorf("without labels: %v", err)
	}
	opt.MinDF = 1e6
	if _, _, err := engine.BuildToWithin(t.Context(), &bytes.Buffer{}, inBatches(docs, 5), opt, 400<<10); !errors.Is(err, engine.ErrEmpty) {
		t.Errorf("without terms: %v", err)
	}
	nothingIn(t, opt.TempDir)
	if _, err := engine.Build(t.Context(), each(docs), engine.Options{MaxMemory: 1000}); !errors.Is(err, engine.ErrUsage) {
		t.Errorf("in 1000 bytes: %v", err)
	}
	if _, err := engine.NewBuilder(engine.Options{MaxMemory: 1 << 30}); !errors.Is(err, engine.ErrUsage) {
		t.Errorf("a Builder: %v", err)
	}
}
