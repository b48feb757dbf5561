package store

import (
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/files"
)

// OpenStatistics opens a file of statistics to be read block by block.
func OpenStatistics(path string) (*StatisticsFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f, err := OpenStatisticsFile(file, info.Size())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.Name, f.closer = path, file
	return f, nil
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
