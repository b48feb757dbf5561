package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Create implements [System].
func (OS) Create(path string) (File, error) {
	fd, err := unix.Open(filepath.Dir(path), unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, uint32(newMode))
	if err != nil { // the file system does not support O_TMPFILE
		return createNamed(path)
	}
	removeStale(path)
	file := &nameless{File: os.NewFile(uintptr(fd), path)}
	if err := keepMode(file.File, path); err != nil {
		return nil, errors.Join(err, file.Discard())
	}
	return file, nil
}

// A nameless file is a temporary file without a name.
type nameless struct {
	*os.File
	closed bool
}

// Temporary implements [File].
func (f *nameless) Temporary() string { return "" }

// Commit implements [File]. A link cannot replace an existing file, so Commit links the
// file to a temporary name and renames that.
func (f *nameless) Commit(path string) error {
	name, err := f.link(filepath.Join(filepath.Dir(path), temporary(path)))
	if err != nil {
		return err
	}
	if err := os.Rename(name, path); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// link links the file to an unused name with the given prefix, and returns that name.
func (f *nameless) link(prefix string) (name string, err error) {
	self := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	for try := range mostTries {
		name = fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), int(f.Fd())+try)
		err = unix.Linkat(unix.AT_FDCWD, self, unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, unix.EEXIST) {
			break
		}
	}
	return "", &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
}

// Discard implements [File].
func (f *nameless) Discard() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.Close()
}

// staleAfter is the age from which on a temporary file with a name must have been left
// behind by a killed process: a complete file has such a name for microseconds.
const staleAfter = time.Hour

// removeStale removes temporary files that killed writers of path have left behind. It
// ignores errors, as nothing depends on them.
func removeStale(path string) {
	dir := filepath.Dir(path)
	found, _ := os.ReadDir(dir)
	for _, f := range found {
		if !strings.HasPrefix(f.Name(), temporary(path)) {
			continue
		}
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
