// Package faults makes a file system fail, for tests of what writes files.
package faults

import (
	"errors"
	"io"

	"github.com/termsift/termsift/engine/atomicfile"
)

// A System fails at one call: creating a file, writing, syncing or naming it, closing
// it, or syncing its directory. The others it passes on.
type System struct {
	Of    atomicfile.System
	At    int   // the call, from 1
	Err   error // that it gives
	Short bool  // a failing write writes half, and gives io.ErrShortWrite

	calls int
}

// Calls is how many calls there were.
func (s *System) Calls() int { return s.calls }

func (s *System) fails() bool { s.calls++; return s.calls == s.At }

// Create implements [atomicfile.System].
func (s *System) Create(path string) (atomicfile.File, error) {
	if s.fails() {
		return nil, s.Err
	}
	f, err := s.Of.Create(path)
	return file{f, s}, err
}

// SyncDir implements [atomicfile.System].
func (s *System) SyncDir(dir string) error {
	if s.fails() {
		return s.Err
	}
	return s.Of.SyncDir(dir)
}

type file struct {
	atomicfile.File
	of *System
}

// Write implements [io.Writer].
func (f file) Write(p []byte) (int, error) {
	if !f.of.fails() {
		return f.File.Write(p)
	}
	return failedWrite(f.File, p, f.of.Short, f.of.Err)
}

// failedWrite writes nothing, or half where that is asked for.
func failedWrite(w io.Writer, p []byte, short bool, cause error) (int, error) {
	if !short {
		return 0, cause
	}
	n, err := w.Write(p[:len(p)/2])
	return n, errors.Join(io.ErrShortWrite, err)
}

// Sync implements [atomicfile.File].
func (f file) Sync() error {
	if f.of.fails() {
		return f.of.Err
	}
	return f.File.Sync()
}

// Commit implements [atomicfile.File].
func (f file) Commit(path string) error {
	if f.of.fails() {
		return f.of.Err
	}
	return f.File.Commit(path)
}

// Discard implements [atomicfile.File]; where it fails, the file is gone all the same,
// as where closing one says that its bytes could not be written.
func (f file) Discard() error {
	failed := f.of.fails()
	if err := f.File.Discard(); !failed || err != nil {
		return err
	}
	return f.of.Err
}
