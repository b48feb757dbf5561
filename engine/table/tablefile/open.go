package tablefile

import (
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/files"
)

// Open opens a file of statistics to be read block by block.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f, err := newFile(file, info.Size())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.Name, f.closer = path, file
	return f, nil
}

// Temporary opens a temporary file that fill writes. A nil system is the operating system.
func Temporary(sys files.TemporarySystem, dir string, fill func(w io.Writer) error) (*File, error) {
	t, err := files.CreateTemporary(sys, dir)
	if err != nil {
		return nil, err
	}
	if err := fill(t); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	info, err := t.Stat()
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	f, err := newFile(t, info.Size())
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	f.closer = t
	return f, nil
}

// Close closes the file if [Open] has opened it.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}
