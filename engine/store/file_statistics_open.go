package store

import (
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/files"
)

// OpenStatistics opens a file of statistics to be read block by block. One of an older
// version is first written anew to a temporary file in dir, "" for that of the system.
func OpenStatistics(path, dir string) (*StatisticsFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f, err := OpenStatisticsFile(file, info.Size())
	if err == nil && f == nil {
		f, err = renewStatistics(file, info.Size(), dir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.Name = path
	if f.closer == nil {
		f.closer = file
	} else if err := file.Close(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// renewStatistics writes a file of an older version to a temporary file of this one.
func renewStatistics(r io.ReaderAt, size int64, dir string) (*StatisticsFile, error) {
	data := make([]byte, size)
	if _, err := r.ReadAt(data, 0); err != nil {
		return nil, err
	}
	s, meta, err := DecodeStatistics(data)
	if err != nil {
		return nil, err
	}
	return temporaryStatistics(nil, dir, func(w io.Writer) error {
		_, err := WriteStatistics(w, s, meta)
		return err
	})
}

// temporaryStatistics opens a temporary file that fill writes.
func temporaryStatistics(sys files.TemporarySystem, dir string, fill func(w io.Writer) error) (*StatisticsFile, error) {
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
	f, err := OpenStatisticsFile(t, info.Size())
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	f.closer = t
	return f, nil
}

// Close closes the file if [OpenStatistics] has opened it.
func (f *StatisticsFile) Close() error {
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}
