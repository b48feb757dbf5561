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

// Whichever call of the temporary files of a build within bounds fails, the error is the
// system's, or the file that of one build; no file and no goroutine is left.
func TestFaultsWhileSpilling(t *testing.T) {
	docs := manyTexts(40)
	want := bytesOf(t, must(engine.Build(t.Context(), each(docs), engine.Options{})))
	goroutines, points := runtime.NumGoroutine(), 0
	step := int64(7)
	if os.Getenv("TERMSIFT_HEAVY") != "" {
		step = 1
	}
	for _, inMemory := range []bool{false, true} {
		for _, fault := range []error{syscall.EIO, syscall.ENOSPC, io.ErrShortWrite} {
			for at := int64(1); ; at += step {
				system := faults.Temporary{At: at, Err: fault, Short: fault == io.ErrShortWrite}
				opt := engine.Options{Threads: 1, TempDir: t.TempDir()}
				var b bytes.Buffer
				err := engine.BuildFailing(t.Context(), &b, &system, inBatches(docs, 20), opt, 130<<10, inMemory)
				done := system.Calls() < at
				if err != nil && !errors.Is(err, fault) || done && err != nil {
					t.Fatalf("call %d of %d failed with %v, and it said %v", at, system.Calls(), fault, err)
				}
				if err == nil && !bytes.Equal(b.Bytes(), want) {
					t.Fatalf("after a fault at call %d another file", at)
				}
				nothingIn(t, opt.TempDir)
				if system.Open() != 0 {
					t.Fatalf("after a fault at call %d %d files are open", at, system.Open())
				}
				if done {
					break
				}
				points++
			}
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
