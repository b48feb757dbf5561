package faults

import (
	"io/fs"
	"sync/atomic"

	"github.com/termsift/termsift/engine/files"
)

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
