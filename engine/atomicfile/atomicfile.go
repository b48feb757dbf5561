// Package atomicfile writes files that appear whole or not at all.
//
// What is written goes to a temporary file in the same directory, which is synced,
// renamed over the old one, and the directory synced. So whatever happens, a full
// disk, a kill, a power cut, the path has the old file or the new one, and who has
// the old one open keeps it. Where the system has files without a name (Linux), the
// temporary file has none until it is complete: a kill leaves nothing behind, but for
// the microseconds between naming and renaming.
package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// A File is a temporary file.
type File interface {
	io.Writer
	Sync() error
	// Commit gives the file the name path, in place of what had it.
	Commit(path string) error
	// Discard closes the file and removes what is left of it; after Commit that is
	// nothing.
	Discard() error
	// Temporary is the name that somebody must remove who does not let Write return;
	// "" where there is none.
	Temporary() string
}

// A System is where files are written. The zero value of OS is the operating
// system's.
type System interface {
	// Create makes a temporary file for what will be path.
	Create(path string) (File, error)
	// SyncDir makes the names in a directory last.
	SyncDir(dir string) error
}

// OS is the file system of the operating system.
type OS struct{}

// bufferSize is how much is written at once.
const bufferSize = 1 << 18

// Write calls fill with a writer, whose bytes are the file that path names when
// Write returns nil; otherwise path is what it was. A link stays a link. A device or
// pipe, which cannot be replaced, is written to.
//
// When ctx ends, the next write fails with its cause.
func Write(ctx context.Context, sys System, path string, fill func(w io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(ctx, path, fill)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return err // it names the directory, not the temporary file
	}
	file, err := sys.Create(path)
	if err != nil {
		return err
	}
	if err := finish(ctx, file, path, fill); err != nil {
		return errors.Join(err, file.Discard())
	}
	if err := file.Discard(); err != nil {
		return err
	}
	return sys.SyncDir(filepath.Dir(path))
}

func finish(ctx context.Context, file File, path string, fill func(w io.Writer) error) error {
	w := bufio.NewWriterSize(cancelled{ctx, file}, bufferSize)
	for _, step := range []func() error{
		func() error { return fill(w) },
		w.Flush,
		file.Sync,
		func() error { return file.Commit(path) },
	} {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// writeThrough writes to a device or pipe. To a directory it is an error.
func writeThrough(ctx context.Context, path string, fill func(w io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(cancelled{ctx, file}, bufferSize)
	if err = fill(w); err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// cancelled is a writer that fails when its context has ended.
type cancelled struct {
	ctx context.Context
	w   io.Writer
}

func (c cancelled) Write(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.w.Write(p)
}

// SyncDir implements [System].
func (OS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// A named file is a temporary file that has a name.
type named struct {
	*os.File
	closed, committed bool
}

func createNamed(path string) (File, error) {
	file, err := os.CreateTemp(filepath.Dir(path), temporary(path)+"*")
	if err != nil {
		return nil, err
	}
	return &named{File: file}, file.Chmod(0o644)
}

// temporary is how the names of temporary files for path begin.
func temporary(path string) string { return "." + filepath.Base(path) + ".tmp-" }

// Temporary implements [File].
func (f *named) Temporary() string { return f.Name() }

// Commit implements [File].
func (f *named) Commit(path string) error {
	f.closed = true
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	f.committed = true
	return nil
}

// Discard implements [File].
func (f *named) Discard() error {
	var err error
	if !f.closed {
		f.closed = true
		err = f.Close()
	}
	if !f.committed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
