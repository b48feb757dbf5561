package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/document"
)

// A lineParser turns a line without its end into a document; ok is false for a
// line that holds none.
type lineParser func(line []byte, pos document.Position) (d document.Document, ok bool, err error)

// lines reads a format of one document a line.
func (s *Source) lines(name string, r *bufio.Reader, f emit, parse lineParser) error {
	var buffer []byte
	for number := 1; ; number++ {
		pos := document.Position{File: name, Line: number}
		line, err := s.line(r, &buffer, pos)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, utf8BOM)
		}
		d, ok, err := parse(line, pos)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		s.summary.Bytes += int64(len(line))
		d.Source = pos
		if d.ID == "" {
			d.ID = pos.String()
		}
		if err := f(d); err != nil {
			return err
		}
	}
}

// line reads up to a newline; io.EOF only where nothing is left.
func (s *Source) line(r *bufio.Reader, buffer *[]byte, pos document.Position) ([]byte, error) {
	*buffer = (*buffer)[:0]
	for {
		part, err := r.ReadSlice('\n')
		if int64(len(*buffer)+len(bytes.TrimSuffix(part, []byte("\n")))) > s.opt.MaxLine {
			return nil, &Error{
				Pos: pos, Problem: fmt.Sprintf("the line has more than %d bytes", s.opt.MaxLine),
				Remedy: "raise the limit with --max-line",
			}
		}
		if err == nil && len(*buffer) == 0 {
			return trimEnd(part), nil // the usual case: no copy
		}
		*buffer = append(*buffer, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(*buffer) == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, s.failure(pos, "the input breaks off", err)
		}
		return trimEnd(*buffer), nil
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
