package indexfile

import (
	"errors"
	"io"

	"github.com/termsift/termsift/engine/files"
)

// spoolBuffer is the number of bytes of a spool that are kept in memory.
const spoolBuffer = 1 << 20

// A spool stores bytes, whose number need not be known, to be read once. What does not
// fit into its buffer is written to a temporary file.
type spool struct {
	system files.TemporarySystem
	dir    string
	most   int // bytes that are kept in memory
	buffer []byte
	file   files.Temporary
	n      int
}

// Write implements [io.Writer].
func (s *spool) Write(p []byte) (int, error) {
	if len(s.buffer)+len(p) > s.most && len(s.buffer) > 0 {
		if err := s.flush(); err != nil {
			return 0, err
		}
	}
	s.buffer = append(s.buffer, p...)
	s.n += len(p)
	return len(p), nil
}

func (s *spool) flush() error {
	if s.file == nil {
		file, err := files.CreateTemporary(s.system, s.dir)
		if err != nil {
			return err
		}
		s.file = file
	}
	_, err := s.file.Write(s.buffer)
	s.buffer = s.buffer[:0]
	return err
}

// each calls f with the stored bytes, part by part.
func (s *spool) each(f func(part []byte) error) error {
	if s.file != nil {
		if err := s.flush(); err != nil {
			return err
		}
		part := make([]byte, spoolBuffer)
		for at := int64(0); at < int64(s.n); {
			n, err := s.file.ReadAt(part[:min(len(part), s.n-int(at))], at)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if n == 0 {
				return io.ErrUnexpectedEOF
			}
			if err := f(part[:n]); err != nil {
				return err
			}
			at += int64(n)
		}
		return nil
	}
	if len(s.buffer) == 0 {
		return nil
	}
	return f(s.buffer)
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
