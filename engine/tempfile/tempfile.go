// Package tempfile keeps what is too large for memory in temporary files, which nobody
// else sees. Their names are removed at once, so that nothing is left behind even by a
// process that is killed.
package tempfile

import (
	"io"
	"io/fs"
	"os"
)

// A File is a temporary file.
type File interface {
	io.ReadWriter
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	// Map gives the first size bytes, more than 0, as memory, which is written to the file
	// where that is asked for. The error is [errors.ErrUnsupported] where files are not
	// mapped.
	Map(size int, write bool) ([]byte, error)
	// Close gives the file back, but not what was mapped.
	Close() error
}

// A System is where temporary files are made.
type System interface {
	// Create makes a file in a directory; "" is that of the system.
	Create(dir string) (File, error)
}

// OS is the file system of the operating system.
type OS struct{}

// Create makes a file with a system, or with OS where that is nil.
func Create(sys System, dir string) (File, error) {
	if sys == nil {
		sys = OS{}
	}
	return sys.Create(dir)
}

// Create implements [System].
func (OS) Create(dir string) (File, error) {
	f, err := os.CreateTemp(dir, ".termsift-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where that is not possible, Close does it
	return file{f}, nil
}

type file struct{ *os.File }

// Map implements [File].
func (f file) Map(size int, write bool) ([]byte, error) { return Map(f.File, size, write) }

// Close implements [File].
func (f file) Close() error {
	err := f.File.Close()
	_ = os.Remove(f.Name()) // it is gone already where that was possible
	return err
}
