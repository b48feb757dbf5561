package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// Create implements [System].
func (OS) Create(path string) (File, error) {
	dir := filepath.Dir(path)
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
	if err != nil { // a file system that has no files without a name
		return createNamed(path)
	}
	removeStale(path)
	return &nameless{File: os.NewFile(uintptr(fd), path)}, nil
}

// nameless is a temporary file without a name.
type nameless struct {
	*os.File
	closed bool
}

// Temporary implements [File].
func (f *nameless) Temporary() string { return "" }

// Commit implements [File]. A link does not replace what is there; so the file is
// linked under a temporary name, which is renamed.
func (f *nameless) Commit(path string) error {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-%d", temporary(path), os.Getpid(), f.Fd()))
	self := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if err := unix.Linkat(unix.AT_FDCWD, self, unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: path, New: name, Err: err}
	}
	if err := os.Rename(name, path); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// Discard implements [File].
func (f *nameless) Discard() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.Close()
}

// staleAfter is when a temporary file with a name has surely been left behind by a
// kill: complete files have it for microseconds.
const staleAfter = time.Hour

// removeStale removes what earlier writers of path have left behind. It does not
// matter where that fails.
func removeStale(path string) {
	found, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(path)), escapeGlob(temporary(path))+"*"))
	for _, name := range found {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(name)
		}
	}
}

// escapeGlob makes a pattern that only the name itself matches.
func escapeGlob(name string) string {
	var out []byte
	for _, b := range []byte(name) {
		if b == '*' || b == '?' || b == '[' || b == '\\' {
			out = append(out, '\\')
		}
		out = append(out, b)
	}
	return string(out)
}
