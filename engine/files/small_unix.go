//go:build unix

package files

import (
	"io"
	"io/fs"
	"syscall"
)

// A Small is a regular file that is open for one reader, without what os.File does for
// pipes, deadlines and several goroutines: five system calls and an object with a finalizer
// for each file, a fifth of what reading 20 Newsgroups from its 11,314 files takes beyond
// one file.
type Small struct {
	path string
	fd   int
}

// OpenSmall opens a regular file for reading. [Small.Close] must be called.
func OpenSmall(path string) (*Small, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err == nil {
			return &Small{path, fd}, nil
		}
		if err != syscall.EINTR {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// Read implements [io.Reader].
func (s *Small) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(s.fd, p)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, &fs.PathError{Op: "read", Path: s.path, Err: err}
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Close implements [io.Closer].
func (s *Small) Close() error {
	if err := syscall.Close(s.fd); err != nil {
		return &fs.PathError{Op: "close", Path: s.path, Err: err}
	}
	return nil
}
