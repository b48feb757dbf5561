// Package files writes files that appear whole or not at all, locks files that are to be
// replaced against other processes, and keeps data that does not fit into memory in
// temporary files.
//
// A file is written to a temporary file in the same directory, which is synced and renamed
// over the old one; then the directory is synced. So whatever happens, a full disk, a kill
// or a power cut, the path has either the old file or the new one, and a process that has
// the old one open keeps it. On systems with files without a name (Linux), the temporary
// file has none until it is complete: a killed process leaves nothing behind, except in
// the microseconds between naming and renaming.
package files

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/termsift/termsift/engine/usage"
)

// A File is a temporary file.
type File interface {
	io.Writer
	Sync() error
	// Commit gives the file the name path and replaces a file of that name.
	Commit(path string) error
	// Discard closes the file and removes it, unless it was committed.
	Discard() error
	// Temporary returns the name of the temporary file, for a caller that ends the process
	// while Write runs and must remove it; "" if it has no name.
	Temporary() string
}

// A System creates and syncs files. [OS] is that of the operating system.
type System interface {
	// Create creates a temporary file that will become path.
	Create(path string) (File, error)
	// SyncDir makes the names in a directory durable.
	SyncDir(dir string) error
	// Rename gives a file another name, and replaces a file of that name.
	Rename(from, to string) error
}

// OS is the file system of the operating system.
type OS struct{}

// bufferSize is the number of bytes that are written at once.
const bufferSize = 1 << 18

// Write calls fill with a writer. If Write returns nil, path is a file with the bytes that
// were written; otherwise path is as it was. A symbolic link stays, and its target is
// replaced. A device or pipe cannot be replaced; Write writes to it. The new file has the
// permissions of the one that it replaces, or 0666 less the umask if there was none.
//
// When ctx ends, the next write fails with its cause.
func Write(ctx context.Context, sys System, path string, fill func(w io.Writer) error) error {
	return write(ctx, sys, path, fill, func() error { return nil })
}

// write is Write with a check just before the file is renamed.
func write(ctx context.Context, sys System, path string, fill func(w io.Writer) error, check func() error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(ctx, path, fill)
	}
	file, path, err := create(sys, path)
	if err != nil {
		return err
	}
	if err := finish(ctx, file, path, fill, check); err != nil {
		return errors.Join(err, file.Discard())
	}
	if err := file.Discard(); err != nil {
		return err
	}
	return sys.SyncDir(filepath.Dir(path))
}

// create creates the temporary file that will become path, or the file to which path links.
func create(sys System, path string) (file File, target string, err error) {
	if _, err := os.Stat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	target = path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		target = linked
	}
	if _, err := os.Stat(filepath.Dir(target)); err != nil {
		return nil, "", err // it names the directory, not the temporary file
	}
	file, err = sys.Create(target)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = &fs.PathError{Op: "create", Path: path, Err: failed.Err} // likewise
	}
	return file, target, err
}

// finish fills, syncs, checks and commits the file.
func finish(ctx context.Context, file File, path string, fill func(w io.Writer) error, check func() error) error {
	w := bufio.NewWriterSize(cancelled{ctx, file}, bufferSize)
	for _, step := range []func() error{
		func() error { return fill(w) },
		w.Flush,
		file.Sync,
		check,
		func() error { return file.Commit(path) },
	} {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// writeThrough writes to an existing device or pipe. For a directory it returns an error.
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

// A cancelled writer fails once its context has ended.
type cancelled struct {
	ctx context.Context
	w   io.Writer
}

func (c cancelled) Write(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, usage.Cause(c.ctx)
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

// Rename implements [System].
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// A named file is a temporary file that has a name.
type named struct {
	*os.File
	closed, committed bool
}

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
