package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

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
