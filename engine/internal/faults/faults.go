// Package faults makes a chosen call of a file system fail, and ends a context at a chosen
// check, for tests of what such ends leave behind.
//
// [System] takes the place of [files.System], [Temporary] that of [files.TemporarySystem].
// Both count the calls, so that a test can let each of them fail in turn; a [countdown]
// does so for the checks of a context. [NoneLeft] looks for goroutines that remain. [Edit] and
// [Seal] change files so that only their contents are wrong. Begin reading with System. Only tests
// import the package.
package faults

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/termsift/termsift/engine/files"
)

// A System fails at one call: creating a file, writing, syncing, naming, closing or renaming it,
// or syncing its directory. It passes all other calls on.
type System struct {
	Of    files.System
	At    int   // number of the call that fails, from 1
	Err   error // the error of that call
	Short bool  // a write that fails writes half and returns io.ErrShortWrite

	calls int
}

// Calls returns the number of calls so far.
func (s *System) Calls() int { return s.calls }

// countCall counts a call and reports whether it must fail.
func (s *System) countCall() bool { s.calls++; return s.calls == s.At }

// call calls f, or fails.
func (s *System) call(f func() error) error {
	if s.countCall() {
		return s.Err
	}
	return f()
}

// Create implements [files.System].
func (s *System) Create(path string) (files.File, error) {
	if s.countCall() {
		return nil, s.Err
	}
	f, err := s.Of.Create(path)
	return file{f, s}, err
}

// SyncDir implements [files.System].
func (s *System) SyncDir(dir string) error {
	return s.call(func() error { return s.Of.SyncDir(dir) })
}

// Rename implements [files.System].
func (s *System) Rename(from, to string) error {
	return s.call(func() error { return s.Of.Rename(from, to) })
}

// A file is a file of a System.
type file struct {
	files.File
	system *System
}

// Write implements [io.Writer].
func (f file) Write(p []byte) (int, error) {
	if !f.system.countCall() {
		return f.File.Write(p)
	}
	return failedWrite(f.File, p, f.system.Short, f.system.Err)
}

// failedWrite returns cause or, if short, writes half of p and returns io.ErrShortWrite.
func failedWrite(w io.Writer, p []byte, short bool, cause error) (int, error) {
	if !short {
		return 0, cause
	}
	n, err := w.Write(p[:len(p)/2])
	return n, errors.Join(io.ErrShortWrite, err)
}

// Sync implements [files.File].
func (f file) Sync() error { return f.system.call(f.File.Sync) }

// Commit implements [files.File].
func (f file) Commit(path string) error {
	return f.system.call(func() error { return f.File.Commit(path) })
}

// Discard implements [files.File]. The file is gone even if it fails, as when closing a
// file returns that its bytes could not be written.
func (f file) Discard() error {
	return closed(f.system.countCall(), f.system.Err, f.File.Discard())
}

// closed is the error of closing a file, which is gone even if that must fail.
func closed(failed bool, cause, err error) error {
	if !failed || err != nil {
		return err
	}
	return cause
}

// A Temporary makes temporary files and fails at one call: creating a file, writing,
// reading, mapping or closing it, or asking for its size. It is safe for concurrent use.
type Temporary struct {
	At    int64 // number of the call that fails, from 1
	Err   error // the error of that call
	Short bool  // a write that fails writes half and returns io.ErrShortWrite

	calls, open atomic.Int64
}

// Calls returns the number of calls so far.
func (s *Temporary) Calls() int64 { return s.calls.Load() }

// Open returns the number of open files.
func (s *Temporary) Open() int64 { return s.open.Load() }

// countCall counts a call and reports whether it must fail.
func (s *Temporary) countCall() bool { return s.calls.Add(1) == s.At }

// Create implements [files.TemporarySystem].
func (s *Temporary) Create(dir string) (files.Temporary, error) {
	if s.countCall() {
		return nil, s.Err
	}
	f, err := files.CreateTemporary(nil, dir)
	if err != nil {
		return nil, err
	}
	s.open.Add(1)
	return temporary{f, s}, nil
}

// A temporary is a file of a Temporary.
type temporary struct {
	files.Temporary
	system *Temporary
}

// Write implements [io.Writer].
func (f temporary) Write(p []byte) (int, error) {
	if !f.system.countCall() {
		return f.Temporary.Write(p)
	}
	return failedWrite(f.Temporary, p, f.system.Short, f.system.Err)
}

// call calls f, unless the call must fail.
func call[T any](f temporary, of func() (T, error)) (v T, err error) {
	if f.system.countCall() {
		return v, f.system.Err
	}
	return of()
}

// Read implements [io.Reader].
func (f temporary) Read(p []byte) (int, error) {
	return call(f, func() (int, error) { return f.Temporary.Read(p) })
}

// ReadAt implements [io.ReaderAt].
func (f temporary) ReadAt(p []byte, at int64) (int, error) {
	return call(f, func() (int, error) { return f.Temporary.ReadAt(p, at) })
}

// Stat implements [files.Temporary].
func (f temporary) Stat() (fs.FileInfo, error) { return call(f, f.Temporary.Stat) }

// Map implements [files.Temporary].
func (f temporary) Map(size int, write bool) ([]byte, error) {
	return call(f, func() ([]byte, error) { return f.Temporary.Map(size, write) })
}

// Close implements [files.Temporary]. The file is gone even if it fails.
func (f temporary) Close() error {
	failed := f.system.countCall()
	f.system.open.Add(-1)
	return closed(failed, f.system.Err, f.Temporary.Close())
}

// ErrStop is the cause of the end of a context of [NewCountdown].
var ErrStop = errors.New("enough")

// A countdown is a context that ends after a number of calls of its Err, from any goroutines.
type countdown struct {
	context.Context
	left atomic.Int64
	end  func()
}

// NewCountdown returns a context whose Err returns nil n times and then an error.
func NewCountdown(t testing.TB, n int) *countdown {
	t.Helper()
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	c := &countdown{Context: ctx, end: func() { end(ErrStop) }}
	c.left.Store(int64(n))
	return c
}

// Err implements [context.Context].
func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

// NoneLeft fails the test unless the number of goroutines falls to before. It is patient,
// because goroutines that are about to end may wait for a busy processor.
func NoneLeft(t testing.TB, before int) {
	t.Helper()
	for range 60_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Locked runs f on a goroutine that is locked to its thread.
func Locked(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		f()
	}()
	<-done
}

// NothingIn fails the test if dir has a file.
func NothingIn(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// EachTemporaryFault calls f again and again, each time with another call of its temporary
// files that fails: from the first on in steps, until f makes no more. It checks that f returns the
// error of the fault or writes the bytes wanted, and leaves no file and no goroutine.
func EachTemporaryFault(t *testing.T, first, step int64, want []byte, f func(sys *Temporary, dir string, w io.Writer) error) {
	t.Helper()
	goroutines, points := runtime.NumGoroutine(), 0
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC, io.ErrShortWrite} {
		for at := first; ; at += step {
			system, dir := Temporary{At: at, Err: fault, Short: fault == io.ErrShortWrite}, t.TempDir()
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
	NoneLeft(t, goroutines)
	if points < 10 {
		t.Errorf("only %d faults", points)
	}
	t.Logf("%d of %d cases", points, points)
}
