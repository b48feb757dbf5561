package ingest_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/usage"
)

// A build that spills writes the same file as a build in memory, whatever the bound.
func TestSpilledBuildIsOneBuild(t *testing.T) {
	all := enginetest.Variants()
	docs := enginetest.ManyTexts(600)
	all["bounds"] = enginetest.Variant{Docs: docs, Opt: ingest.Options{MinDF: 2, MaxDF: 0.5}}
	all["share"] = enginetest.Variant{Docs: docs, Opt: ingest.Options{MinDF: 0.004}}
	all["dedupe"] = enginetest.Variant{Docs: append(append(docs[:300:300], docs[100:250]...), relabelled(docs[200:260])...), Opt: ingest.Options{Dedupe: true}}
	all["nothing new"] = enginetest.Variant{Docs: append(docs[:50:50], docs[:50]...), Opt: ingest.Options{Dedupe: true}}
	for name, v := range all {
		corpus := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt))
		want := map[bool][]byte{false: enginetest.BytesOf(t, corpus), true: plainBytesOf(t, corpus)}
		info := testkit.Must(corpus.Info(t.Context()))
		for _, batch := range []int{1, 30} {
			for _, threads := range []int{1, 3} {
				if !testkit.AllCases() && (batch == 1) != (threads == 1) {
					continue
				}
				opt := v.Opt
				opt.Analysis.Tokens = cmp.Or(opt.Analysis.Tokens, "words") // deciding reads all of them beforehand
				opt.Threads, opt.TempDir, opt.NoCells = threads, t.TempDir(), name == "bounds"
				var b bytes.Buffer
				footprint := int64(130 << 10) // a counter begins with 98 KB
				if threads > 1 {
					footprint = 400 << 10
				}
				built, shards, err := ingest.BuildToWithin(t.Context(), &b, enginetest.InBatches(v.Docs, batch), opt, footprint)
				testkit.Is(testkit.Stop(t), err, nil, name)
				testkit.EqualSlices(testkit.Stop(t), b.Bytes(), want[opt.NoCells], name, "batches of", batch, threads,
					"threads", shards, "shards: another file")
				if shards < 2 && threads == 1 && name != "letters" { // which finds few terms
					t.Errorf("%s, batches of %d: only %d shards", name, batch, shards)
				}
				if built.Documents != info.Documents || built.Terms != info.Terms || built.Classes != info.Classes || built.EmptyDocuments != info.EmptyDocuments {
					t.Errorf("%s: %+v, in memory %+v", name, built, info)
				}
				faults.NothingIn(t, opt.TempDir)
			}
		}
	}
}

// relabelled returns copies of documents with one more label.
func relabelled(docs []document.Document) (others []document.Document) {
	for _, d := range docs {
		d.Labels = append(d.Labels[:len(d.Labels):len(d.Labels)], "more")
		others = append(others, d)
	}
	return others
}

// The index of a build that spills is in a file without a name.
func TestSpilledCorpus(t *testing.T) {
	docs := enginetest.ManyTexts(800)
	opt := ingest.Options{TempDir: t.TempDir()}
	index, shards, err := ingest.BuildWithin(t.Context(), enginetest.InBatches(docs, 10), opt, 400<<10)
	if err != nil || shards < 3 {
		t.Fatal(shards, err)
	}
	faults.NothingIn(t, opt.TempDir)
	if want := enginetest.BytesOf(t, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), ingest.Options{}))); !bytes.Equal(enginetest.BytesOf(t, testkit.Must(corpus.New(index))), want) {
		t.Fatal("another corpus")
	}
	testkit.OK(index.Close())
}

// A build that spills and is cancelled returns the cause and leaves no file behind.
func TestSpillStops(t *testing.T) {
	docs := enginetest.ManyTexts(400)
	why := errors.New("enough")
	for at := 0; at < len(docs); at += 37 {
		ctx, cancel := context.WithCancelCause(t.Context())
		opt := ingest.Options{TempDir: t.TempDir(), Threads: 1 + at%3}
		batches := func(yield func(document.Stream, error) bool) {
			n := 0
			for docs, err := range enginetest.InBatches(docs, 5) {
				if n += 5; n > at {
					cancel(why)
				}
				if !yield(docs, err) {
					return
				}
			}
		}
		if _, _, err := ingest.BuildToWithin(ctx, &bytes.Buffer{}, batches, opt, 400<<10); !errors.Is(err, why) {
			t.Fatalf("cancelled at %d: %v", at, err)
		}
		faults.NothingIn(t, opt.TempDir)
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
	docs := enginetest.ManyTexts(400)
	opt := ingest.Options{TempDir: filepath.Join(t.TempDir(), "missing")}
	if _, _, err := ingest.BuildToWithin(t.Context(), &bytes.Buffer{}, enginetest.InBatches(docs, 5), opt, 400<<10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a directory: %v", err)
	}
	opt.TempDir = t.TempDir()
	for room := 0; room < 100_000; room += 9_999 {
		if _, _, err := ingest.BuildToWithin(t.Context(), &fullDisk{room}, enginetest.InBatches(docs, 5), opt, 400<<10); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
	bad := append(docs[:300:300], document.Document{ID: "bad", Labels: []string{"c"}, Features: []document.Feature{{Term: "x", Value: -1}}})
	if _, _, err := ingest.BuildToWithin(t.Context(), &bytes.Buffer{}, enginetest.InBatches(bad, 5), opt, 400<<10); err == nil {
		t.Error("a negative value was taken")
	}
	unlabelled := make([]document.Document, len(docs))
	for i, d := range docs {
		d.Labels = nil
		unlabelled[i] = d
	}
	if _, _, err := ingest.BuildToWithin(t.Context(), &bytes.Buffer{}, enginetest.InBatches(unlabelled, 5), opt, 400<<10); !errors.Is(err, ingest.ErrNoLabels) {
		t.Errorf("without labels: %v", err)
	}
	opt.MinDF = 1e6
	if _, _, err := ingest.BuildToWithin(t.Context(), &bytes.Buffer{}, enginetest.InBatches(docs, 5), opt, 400<<10); !errors.Is(err, ingest.ErrEmpty) {
		t.Errorf("without terms: %v", err)
	}
	faults.NothingIn(t, opt.TempDir)
	testkit.Is(t, testkit.Err(corpus.Build(t.Context(), enginetest.Stream(docs), ingest.Options{MaxMemory: 1000})),
		usage.ErrUsage, "in 1000 bytes")
}

// Shares are exact: 29 % of 100 documents are 29, though 0.29 times 100 is less as a float64.
func TestSharesOfDocuments(t *testing.T) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = []string{"a", "b"}[i%2] + ":every"
		for df := i + 1; df <= 100; df++ { // the term df is in df documents
			texts[i] += " term" + strings.Repeat("x", df)
		}
	}
	docs := enginetest.Texts(texts...)
	for percent := 1; percent <= 100; percent++ {
		share := fmt.Sprintf("%d%%", percent)
		least := testkit.Must(usage.ParseBound("", share))
		c := testkit.Must(corpus.Build(t.Context(), docs, corpus.Options{MinDF: least}))
		testkit.Equal(t, c.Terms(), 100-percent+2, "at least", share, "terms")
		most := testkit.Must(usage.ParseBound("", share))
		c = testkit.Must(corpus.Build(t.Context(), docs, corpus.Options{MaxDF: most}))
		testkit.Equal(t, c.Terms(), percent+percent/100, "at most", share, "terms")
	}
}

// plainBytesOf returns the index file of a corpus without the cells.
func plainBytesOf(t *testing.T, c *corpus.Corpus) []byte {
	t.Helper()
	var b bytes.Buffer
	testkit.Must(c.Write(t.Context(), &b, corpus.SaveOptions{NoCells: true}))
	return b.Bytes()
}
