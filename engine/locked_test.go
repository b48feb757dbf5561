package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/reader"
)

// builds are the calls that read documents.
func builds(t *testing.T, docs []document.Document, threads int) map[string]func(context.Context) error {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	lines := bytes.Repeat([]byte("{\"text\":\"one two\",\"label\":\"a\"}\n{\"text\":\"two three\",\"label\":\"b\"}\n"), 20_000)
	testkit.Write(path, lines)
	bounded := corpus.Options{Threads: threads, TempDir: t.TempDir(), MaxMemory: ingest.MinMemory}
	return map[string]func(context.Context) error{
		"build": func(ctx context.Context) error {
			_, err := corpus.Build(ctx, enginetest.Stream(docs), corpus.Options{Threads: threads})
			return err
		},
		"bounded build": func(ctx context.Context) error {
			c, err := corpus.Build(ctx, enginetest.Stream(docs), bounded)
			return errors.Join(err, c.Close())
		},
		"batches": func(ctx context.Context) error {
			_, err := corpus.BuildBatches(ctx, document.InBatches(docs), corpus.Options{Threads: threads})
			return err
		},
		"build to a writer": func(ctx context.Context) error {
			_, err := ingest.BuildTo(ctx, io.Discard, enginetest.InBatches(docs, 7), bounded)
			return err
		},
		"reader": func(ctx context.Context) error {
			s, err := reader.Read(ctx, []string{path}, reader.Options{})
			if err != nil {
				return err
			}
			_, err = corpus.BuildBatches(ctx, s.Batches(), corpus.Options{Threads: threads})
			return err
		},
		"reader of one document after the other": func(ctx context.Context) error {
			s, err := reader.Read(ctx, []string{path}, reader.Options{})
			if err != nil {
				return err
			}
			_, err = corpus.Build(ctx, s.Documents(), corpus.Options{Threads: threads})
			return err
		},
	}
}

// counts are the calls that need no corpus: a matrix of the caller's, which the C library counts.
func counts(threads int) map[string]func(context.Context) error {
	m := matrix.Matrix[int32, float64]{Documents: 2000, Terms: 50, Start: []int32{0}}
	y := &matrix.Labels{Classes: 3}
	for d := range int32(2000) {
		for i := range int32(10) {
			m.Index, m.Values = append(m.Index, (d+5*i)%50), append(m.Values, float64(1+i))
		}
		m.Start, y.Of = append(m.Start, int32(len(m.Index))), append(y.Of, d%3)
	}
	return map[string]func(context.Context) error{
		"matrix": func(ctx context.Context) error {
			_, err := m.Statistics(ctx, y, matrix.Options{Threads: threads})
			return err
		},
	}
}

// A caller whose goroutine is locked to a thread may call everything. Where it may not,
// the runtime ends the process.
func TestLockedThread(t *testing.T) {
	docs := enginetest.ManyTexts(300)
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{}))
	a := enginetest.AsideOf(t, docs)
	for threads := 1; threads <= 4; threads++ {
		before := runtime.NumGoroutine()
		for _, all := range []map[string]func(context.Context) error{builds(t, docs, threads), counts(threads), a.Calls(c, threads)} {
			for name, call := range all {
				faults.Locked(func() {
					testkit.Is(t, call(t.Context()), nil, name, threads, "threads")
				})
			}
		}
		faults.NoneLeft(t, before)
	}
}

// A stream may lock its own goroutine to a thread, as one does that comes out of a
// callback of C.
func TestStreamThatLocksItsThread(t *testing.T) {
	docs := enginetest.ManyTexts(300)
	stream := func(yield func(document.Document, error) bool) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		enginetest.Stream(docs)(yield)
	}
	batches := func(yield func(document.Stream, error) bool) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		enginetest.InBatches(docs, 10)(yield)
	}
	want := enginetest.BytesOf(t, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})))
	for threads := 1; threads <= 4; threads++ {
		opt := corpus.Options{Threads: threads}
		testkit.EqualSlices(t, enginetest.BytesOf(t, testkit.Must(corpus.Build(t.Context(), stream, opt))), want,
			threads, "threads: another corpus of a stream")
		testkit.EqualSlices(t, enginetest.BytesOf(t, testkit.Must(corpus.BuildBatches(t.Context(), batches, opt))),
			want, threads, "threads: another corpus of batches")
	}
}

// A stream that ends its goroutine, at any place of the reading, is an error: nothing
// hangs, no goroutine and no file is left, and no corpus lacks its documents.
func TestStreamThatEndsItsGoroutine(t *testing.T) {
	docs := enginetest.ManyTexts(200)
	exits := func(at int) document.Stream {
		return func(yield func(document.Document, error) bool) {
			enginetest.Stream(docs[:at])(yield)
			runtime.Goexit()
		}
	}
	before := runtime.NumGoroutine()
	for threads := 1; threads <= 4; threads++ {
		for _, bound := range []int64{0, ingest.MinMemory} {
			opt := corpus.Options{Threads: threads, MaxMemory: bound, TempDir: t.TempDir()}
			for _, at := range []int{0, 1, len(docs)} {
				if c, err := corpus.Build(t.Context(), exits(at), opt); !errors.Is(err, pool.ErrGoexit) || c != nil {
					t.Errorf("%d threads, after %d documents: %v", threads, at, err)
				}
				sequence := func(yield func(document.Stream, error) bool) {
					enginetest.InBatches(docs[:at], 10)(yield)
					runtime.Goexit()
				}
				within := func(yield func(document.Stream, error) bool) {
					if yield(enginetest.Stream(docs[:at]), nil) && yield(exits(at), nil) {
						yield(enginetest.Stream(docs), nil)
					}
				}
				for name, batches := range map[string]document.Batches{"the batches": sequence, "a batch": within} {
					if c, err := corpus.BuildBatches(t.Context(), batches, opt); !errors.Is(err, pool.ErrGoexit) || c != nil {
						t.Errorf("%d threads, %s after %d documents: %v", threads, name, at, err)
					}
					if built, err := ingest.BuildTo(t.Context(), io.Discard, batches, opt); !errors.Is(err, pool.ErrGoexit) || built != nil {
						t.Errorf("%d threads, %s after %d documents to a writer: %v", threads, name, at, err)
					}
				}
			}
			faults.NothingIn(t, opt.TempDir)
		}
	}
	faults.NoneLeft(t, before)
}
