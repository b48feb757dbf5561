package enginetest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
)

// Allocated returns the number of bytes that f allocates.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// NothingIn fails the test if dir has a file.
func NothingIn(t *testing.T, dir string) {
	t.Helper()
	testkit.Equal(t, len(testkit.Must(os.ReadDir(dir))), 0, "left behind")
}

// gave says whether a call had a result.
func gave[T any](v *T, err error) (bool, error) { return v != nil, err }

// EachTemporaryFault calls f again and again, each time with another call of its temporary
// files that fails: one of each step calls, until f makes no more. It checks that f returns the
// error of the fault or writes the bytes wanted, and leaves no file and no goroutine.
func EachTemporaryFault(t *testing.T, step int, want []byte, f func(sys *faults.Temporary, dir string, w io.Writer) error) {
	t.Helper()
	goroutines, points := runtime.NumGoroutine(), 0
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC, io.ErrShortWrite} {
		for at, step := testkit.CaseSteps(t, step); ; at += step {
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
			testkit.Equal(testkit.Stop(t), system.Open(), 0, "after a fault at call", at)
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
