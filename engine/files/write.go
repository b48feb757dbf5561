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
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"unicode/utf8"

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
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(ctx, path, fill)
	}
	file, path, err := create(sys, path)
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

// finish fills, syncs and commits the file.
func finish(ctx context.Context, file File, path string, fill func(w io.Writer) error) error {
	w := bufio.NewWriterSize(cancelled{ctx, file}, bufferSize)
	for _, step := range []func() error{
		func() error { return fill(w) },
		w.Flush,
		file.Sync,
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

// A Renaming gives a complete file its name. To is no symbolic link.
type Renaming struct{ From, To string }

// RenameAll renames files that belong together, in their order, and syncs their directories.
//
// If one of them cannot be renamed, those before it are taken back: To is again what it was, or is not
// there. Only where the file system cannot give an old file a second name does To stay the new file. A
// process that is killed between two renames leaves new files beside old ones.
func RenameAll(sys System, all []Renaming) error {
	var done []replacement
	for _, r := range all {
		kept := keepOld(r.To)
		if err := sys.Rename(r.From, r.To); err != nil {
			err = errors.Join(err, kept.forget())
			for _, d := range slices.Backward(done) {
				err = errors.Join(err, d.takeBack(sys))
			}
			return err
		}
		done = append(done, kept)
	}
	var err error
	for _, d := range done {
		err = errors.Join(err, d.forget())
	}
	return errors.Join(err, syncDirs(sys, done))
}

// syncDirs syncs the directory of each file, once.
func syncDirs(sys System, done []replacement) error {
	synced := map[string]bool{}
	for _, d := range done {
		dir := filepath.Dir(d.path)
		if synced[dir] {
			continue
		}
		if err := sys.SyncDir(dir); err != nil {
			return err
		}
		synced[dir] = true
	}
	return nil
}

// A replacement is a path that gets a new file.
type replacement struct {
	path string
	old  string // a second name of the file that was there, "" if there is none
	new  bool   // nothing was there
}

// keepOld gives the file at a path a second name.
func keepOld(path string) replacement {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return replacement{path: path, new: true}
	}
	old := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-old", temporary(path), os.Getpid()))
	_ = os.Remove(old) // of a killed process of the same number
	if os.Link(path, old) != nil {
		return replacement{path: path}
	}
	return replacement{path: path, old: old}
}

// forget removes the second name.
func (r replacement) forget() error {
	if r.old == "" {
		return nil
	}
	return os.Remove(r.old)
}

// takeBack undoes the renaming.
func (r replacement) takeBack(sys System) error {
	switch {
	case r.new:
		return os.Remove(r.path)
	case r.old != "":
		return sys.Rename(r.old, r.path)
	}
	return fmt.Errorf("%s is the new file already, and those that belong to it are not", r.path)
}

// newMode is the mode of a file that did not exist before, subject to the umask.
const newMode fs.FileMode = 0o666

// modeOf returns the permissions of the regular file at path, and whether there is one.
func modeOf(path string) (mode fs.FileMode, found bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return newMode, false
	}
	return info.Mode().Perm(), true
}

// keepMode gives a temporary file the permissions of the file that it will replace. It
// fails if it cannot: otherwise a file that only its owner may read would become readable
// by everybody.
func keepMode(file *os.File, path string) error {
	want, found := modeOf(path)
	if !found {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() == want {
		return err
	}
	return file.Chmod(want)
}

// createNamed creates a temporary file with a name.
func createNamed(path string) (File, error) {
	// The file has its mode from the beginning, so that nobody without permission opens it.
	mode, _ := modeOf(path)
	dir, name := filepath.Dir(path), temporary(path)
	for try := 0; ; try++ {
		file, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%d-%d", name, os.Getpid(), try)), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode|0o200)
		if os.IsExist(err) && try < mostTries {
			continue
		}
		if err != nil {
			return nil, err
		}
		f := &named{File: file}
		if err := keepMode(file, path); err != nil {
			_ = f.Discard() // the first error says what is wrong
			return nil, err
		}
		return f, nil
	}
}

// mostTries bounds how many names are tried for a temporary file. It must exceed the
// number of names that other writers of this process hold and killed processes have left.
const mostTries = 10_000

// longName is the length in bytes to which a name is cut for the temporary file, which
// appends some bytes to it. File systems allow names of 255 bytes, some only 143.
const longName = 80

// TemporaryName returns a name beside path for a file that will be renamed to path. If it is
// left behind, a later [Write] of path removes it.
func TemporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-whole", temporary(path), os.Getpid()))
}

// temporary returns the prefix of the names of temporary files for path. A name that is
// too long is cut and followed by its hash.
func temporary(path string) string {
	name := filepath.Base(path)
	if len(name) > longName {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // it cannot fail
		cut := longName
		for cut > longName-utf8.UTFMax && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = fmt.Sprintf("%s-%016x", name[:cut], h.Sum64())
	}
	return "." + name + ".tmp-"
}

// Try returns the error with which [Write] would begin: path is a directory, its directory
// is missing, or no file can be created there. It changes nothing. A device or pipe is not
// opened, because its reader would notice.
func Try(sys System, path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	file, _, err := create(sys, path)
	if err != nil {
		return err
	}
	return file.Discard()
}

// TryFolder returns the error for a directory that cannot be created with [os.MkdirAll], or
// in which no file can be created. It changes nothing.
func TryFolder(sys System, path string) error {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return &fs.PathError{Op: "mkdir", Path: at, Err: syscall.ENOTDIR}
		case err == nil:
			err := Try(sys, filepath.Join(at, temporary(path)))
			var failed *fs.PathError
			if errors.As(err, &failed) {
				return &fs.PathError{Op: "create files in", Path: at, Err: failed.Err}
			}
			return err
		case !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at):
			return err
		}
		if _, linkErr := os.Lstat(at); linkErr == nil {
			return err // a link to nowhere, which MkdirAll does not follow
		}
	}
}
