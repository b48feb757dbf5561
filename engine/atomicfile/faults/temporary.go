package faults

import (
	"io/fs"
	"sync/atomic"

	"github.com/termsift/termsift/engine/tempfile"
)

// A Temporary makes temporary files of which one call fails: creating a file, writing,
// reading, mapping or closing it, or asking for its size. It is safe for concurrent use.
type Temporary struct {
	At    int64 // the call, from 1
	Err   error // that it gives
	Short bool  // a failing write writes half, and gives io.ErrShortWrite

	calls, open atomic.Int64
}

// Calls is how many calls there were.
func (s *Temporary) Calls() int64 { return s.calls.Load() }

// Open is how many files are open.
func (s *Temporary) Open() int64 { return s.open.Load() }

func (s *Temporary) fails() bool { return s.calls.Add(1) == s.At }

// Create implements [tempfile.System].
func (s *Temporary) Create(dir string) (tempfile.File, error) {
	if s.fails() {
		return nil, s.Err
	}
	f, err := tempfile.Create(nil, dir)
	if err != nil {
		return nil, err
	}
	s.open.Add(1)
	return temporary{f, s}, nil
}

type temporary struct {
	tempfile.File
	of *Temporary
}

// Write implements [io.Writer].
func (f temporary) Write(p []byte) (int, error) {
	if !f.of.fails() {
		return f.File.Write(p)
	}
	return failedWrite(f.File, p, f.of.Short, f.of.Err)
}

// Read implements [io.Reader].
func (f temporary) Read(p []byte) (int, error) {
	if f.of.fails() {
		return 0, f.of.Err
	}
	return f.File.Read(p)
}

// ReadAt implements [io.ReaderAt].
func (f temporary) ReadAt(p []byte, at int64) (int, error) {
	if f.of.fails() {
		return 0, f.of.Err
	}
	return f.File.ReadAt(p, at)
}

// Stat implements [tempfile.File].
func (f temporary) Stat() (fs.FileInfo, error) {
	if f.of.fails() {
		return nil, f.of.Err
	}
	return f.File.Stat()
}

// Map implements [tempfile.File].
func (f temporary) Map(size int, write bool) ([]byte, error) {
	if f.of.fails() {
		return nil, f.of.Err
	}
	return f.File.Map(size, write)
}

// Close implements [tempfile.File]; where it fails, the file is gone all the same.
func (f temporary) Close() error {
	failed := f.of.fails()
	f.of.open.Add(-1)
	if err := f.File.Close(); !failed || err != nil {
		return err
	}
	return f.of.Err
}
