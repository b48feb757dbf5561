package files

import (
	"io"
	"io/fs"
	"os"
)

// A Temporary is a private file for data that does not fit into memory. Its name is
// removed at once, so that even a killed process leaves nothing behind.
type Temporary interface {
	io.ReadWriter
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	// Map maps the first size bytes, which must be more than 0, into memory; if write is
	// set, changes go to the file. The error is [errors.ErrUnsupported] on systems that
	// cannot map files.
	Map(size int, write bool) ([]byte, error)
	// Close closes the file. Mapped memory stays mapped.
	Close() error
}

// A TemporarySystem creates temporary files.
type TemporarySystem interface {
	// Create creates a file in a directory; "" is the directory of the system.
	Create(dir string) (Temporary, error)
}

// CreateTemporary creates a file by sys, or by the operating system if sys is nil.
func CreateTemporary(sys TemporarySystem, dir string) (Temporary, error) {
	if sys != nil {
		return sys.Create(dir)
	}
	f, err := os.CreateTemp(dir, ".termsift-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // a system that cannot remove an open file leaves that to Close
	return temporaryFile{f}, nil
}

type temporaryFile struct{ *os.File }

// Map implements [Temporary].
func (f temporaryFile) Map(size int, write bool) ([]byte, error) { return mapFile(f.File, size, write) }

// Close implements [Temporary].
func (f temporaryFile) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name()) // usually CreateTemporary has removed it already
	return err
}
