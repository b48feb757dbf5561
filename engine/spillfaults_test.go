package engine_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/atomicfile/faults"
)

// eachTemporaryFault lets the calls of temporary files fail, every step-th, until f makes
// no more of them. The error is the system's, or what f writes is right; no file and no
// goroutine is left.
func eachTemporaryFault(t *testing.T, step int64, want []byte, f func(sys *faults.Temporary, dir string, w io.Writer) error) {
	t.Helper()
	if os.Getenv("TERMSIFT_HEAVY") != "" {
		step = 1
	}
	goroutines, points := runtime.NumGoroutine(), 0
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC, io.ErrShortWrite} {
		for at := int64(1); ; at += step {
			system, dir := faults.Temporary{At: at, Err: fault, Short: fault == io.ErrShortWrite}, t.TempDir()
			var b bytes.Buffer
			err := f(&system, dir, &b)
			done := system.Calls() < at
			if err != nil && !errors.Is(err, fault) || done && err != nil {
				t.Fatalf("call %d of %d failed with %v, and it said %v", at, system.Calls(), fault, err)
			}
			if err == nil && !bytes.Equal(b.Bytes(), want) {
				t.Fatalf("after a fault at call %d another file", at)
			}
			nothingIn(t, dir)
			if system.Open() != 0 {
				t.Fatalf("after a fault at call %d %d files are open", at, system.Open())
			}
			if done {
				break
			}
			points++
		}
	}
	for end := time.Now().Add(time.Second); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
	if points < 10 {
		t.Errorf("only %d faults", points)
	}
	t.Logf("%d faults", points)
}

// A build within bounds, to a file or to a corpus.
func TestFaultsWhileSpilling(t *testing.T) {
	docs := manyTexts(40)
	want := bytesOf(t, must(engine.Build(t.Context(), each(docs), engine.Options{})))
	for _, inMemory := range []bool{false, true} {
		eachTemporaryFault(t, 7, want, func(sys *faults.Temporary, dir string, w io.Writer) error {
			opt := engine.Options{Threads: 1, TempDir: dir}
			return engine.BuildFailing(t.Context(), w, sys, inBatches(docs, 20), opt, 130<<10, inMemory)
		})
	}
}

// A merge whose result holds more than an index needs, and so goes to a file first.
func TestFaultsWhileMerging(t *testing.T) {
	docs := manyTexts(60)
	first, second := must(engine.Build(t.Context(), each(docs[:30]), engine.Options{})), must(engine.Build(t.Context(), each(docs[30:]), engine.Options{}))
	more := engine.WriteOptions{Forward: true, Cells: true, Weights: "ltc"}
	var want bytes.Buffer
	if _, err := must(engine.Build(t.Context(), each(docs), engine.Options{})).Write(t.Context(), &want, more); err != nil {
		t.Fatal(err)
	}
	eachTemporaryFault(t, 3, want.Bytes(), func(sys *faults.Temporary, dir string, w io.Writer) error {
		opt := engine.MergeOptions{Store: more, Threads: 1, Dir: dir}
		return engine.MergeFailing(t.Context(), w, sys, opt, first, second)
	})
}
