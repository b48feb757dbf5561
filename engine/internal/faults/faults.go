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
	"errors"
	"io"

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
