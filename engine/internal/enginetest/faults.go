package enginetest

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"syscall"
	"testing"

	"github.com/termsift/termsift/engine/internal/faults"
)

// EachTemporaryFault calls f again and again, each time with another call of its temporary
// files that fails: every step-th call, until f makes no more. It checks that f returns the
// error of the fault or writes the bytes wanted, and leaves no file and no goroutine.
func EachTemporaryFault(t *testing.T, step int64, want []byte, f func(sys *faults.Temporary, dir string, w io.Writer) error) {
	t.Helper()
	if Heavy() {
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
			NothingIn(t, dir)
			if system.Open() != 0 {
				t.Fatalf("after a fault at call %d %d files are open", at, system.Open())
			}
			if done {
				break
			}
			points++
		}
	}
	faults.NoneLeft(t, goroutines)
	if points < 10 {
		t.Errorf("only %d faults", points)
	}
	t.Logf("%d faults", points)
}
