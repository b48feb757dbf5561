package reader

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads the bytes of inputs: in order, ahead of pipes, and at any place.

// An inputReader reads an input until its context ends. Its errors are
// fs.PathErrors, so that they are known from those of a format.
type inputReader struct {
	ctx   context.Context
	name  string
	r     io.Reader
	meter *meter // counts what is read; nil = nothing does
}

func (i inputReader) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, usage.Cause(i.ctx)
	}
	n, err := i.r.Read(p)
	i.meter.take(n)
	var known *fs.PathError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &known) && !errors.Is(err, ErrBadInput) {
		err = &fs.PathError{Op: "read", Path: i.name, Err: err}
	}
	return n, err
}

// pumped reads an input that may block forever or have no end. One goroutine reads ahead, so that
// a read that waits for input returns when the context ends. The goroutine ends then, too, or when
// the read below, which cannot be interrupted, returns.
func (s *Source) pumped(name string, m *meter, r io.Reader, out func(frame) error) error {
	ahead, to := io.Pipe()
	defer ahead.Close()
	stop := context.AfterFunc(s.ctx, func() { _ = ahead.CloseWithError(usage.Cause(s.ctx)) })
	defer stop()
	pool.Start(func() {
		_, err := io.CopyBuffer(to, struct{ io.Reader }{r}, make([]byte, bufferBytes))
		_ = to.CloseWithError(err)
	})
	return s.stream(name, m, &boundedReader{r: ahead, name: name, flag: "--max-input", limit: s.opt.MaxInput}, out)
}

// seekable returns what can be read at any place: the file, whose bytes the meter counts, or a
// copy of what in has.
func (s *Source) seekable(name string, m *meter, in *bufio.Reader, file *os.File) (at io.ReaderAt, size int64, closing func(), err error) {
	if file != nil {
		info, err := file.Stat()
		if err != nil {
			return nil, 0, nil, err
		}
		m.take(-in.Buffered()) // it is read again
		counted := &countedFile{s: s, file: file, meter: m, size: info.Size()}
		return counted, info.Size(), counted.end, nil
	}
	copied, err := files.CreateTemporary(nil, s.opt.TempDir)
	if err != nil {
		return nil, 0, nil, err
	}
	if size, err = io.Copy(copied, in); err != nil {
		return nil, 0, nil, errors.Join(err, copied.Close())
	}
	return copied, size, func() { _ = copied.Close() }, nil // it was only read since
}

// A countedFile reads a file until the context ends, and counts the bytes.
type countedFile struct {
	s     *Source
	file  *os.File
	meter *meter
	size  int64
	taken int64 // that are counted, size at most
}

func (c *countedFile) ReadAt(p []byte, offset int64) (int, error) {
	if c.s.ctx.Err() != nil {
		return 0, usage.Cause(c.s.ctx)
	}
	n, err := c.file.ReadAt(p, offset)
	c.take(int64(n))
	return n, err
}

// end counts the bytes that were not needed.
func (c *countedFile) end() { c.take(c.size) }

func (c *countedFile) take(n int64) {
	n = min(n, c.size-c.taken)
	c.taken += n
	c.meter.take(int(n))
}

// unchanged returns err, or that a file is not what it was when it was opened: what was read of it is then neither the old
// file nor the new one. One that only grew, as logs do, gets a note.
func unchanged(s *Source, name string, file *os.File, was fs.FileInfo, err error) error {
	if errors.Is(err, errStop) || s.ctx.Err() != nil {
		return err
	}
	now, statErr := file.Stat()
	switch {
	case statErr != nil:
		return cmp.Or(err, statErr)
	case now.Size() > was.Size():
		noteGrown(s, name, was)
	case now.Size() < was.Size() || !now.ModTime().Equal(was.ModTime()):
		return changedFile(document.Position{File: name}, was.Size(), now.Size(), err)
	}
	return err
}

// changedFile returns the error for a file that had so many bytes when it was opened and has others now.
func changedFile(pos document.Position, had, has int64, err error) *Error {
	problem := fmt.Sprintf("the file changed while it was read: it had %d bytes, and has %d", had, has)
	if had == has {
		problem = "the file was written to while it was read"
	}
	return &Error{Pos: pos, Kind: "file that changed", Problem: problem, Err: err, Remedy: "read it again, or a copy that nobody changes", fatal: true}
}

// noteGrown notes once that a file has more bytes than it had.
func noteGrown(s *Source, name string, was fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("%s: it grew beyond its %d bytes while it was read, and what was added is read in part or not at all", name, was.Size())
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}
