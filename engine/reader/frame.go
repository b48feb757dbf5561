package reader

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/document"
)

// frameBytes is the length of a frame as a rule. It is large beside what a worker
// pays for taking one, and small beside the caches that the workers share.
const frameBytes = 256 << 10

// A frame is a run of input that holds whole documents.
type frame struct {
	number int               // in the order of the input
	pos    document.Position // of the first byte of data
	data   []byte            // goes back to the Source when it is parsed
	// items are the files of a tree, to be opened, or the members of an archive, whose
	// contents are in data.
	items []item
	parse func(p *parser, f *frame) error
}

// An item is a file of a tree or an archive.
type item struct {
	name     string
	pos      document.Position
	from, to int // in the data of the frame
}

// cut hands out the frames of an input of one layout.
func (s *Source) cut(name string, in io.Reader, r records, out func(frame) error) error {
	pos := document.Position{File: name, Line: 1}
	data := s.buffer()
	for end := false; ; {
		var err error
		if data, err = fill(in, data); err != nil {
			end = true
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		n, cutErr := r.cut(data, end && err == nil)
		switch {
		case cutErr != nil:
			return placed(cutErr, pos)
		case n > 0:
			rest := append(s.buffer(), data[n:]...)
			lines := bytes.Count(data[:n], []byte{'\n'})
			if err := out(frame{pos: pos, data: data[:n], parse: r.parse}); err != nil {
				return err
			}
			pos.Line += lines
			data = rest
		case int64(len(data)) > s.opt.MaxDocument+s.opt.MaxLine:
			return &Error{
				Pos: pos, Problem: fmt.Sprintf("the document has more than %d bytes", s.opt.MaxDocument),
				Remedy: "raise the limit with --max-document",
			}
		case !end:
			data = append(data, make([]byte, len(data))...)[:len(data)] // twice the room
		}
		if err != nil {
			return s.failure(pos, "the input breaks off", err)
		}
		if end && (n == 0 || len(data) == 0) {
			s.release(data)
			return nil
		}
	}
}

// fill reads until data is as long as its capacity, or to an error, as io.EOF.
func fill(in io.Reader, data []byte) ([]byte, error) {
	for len(data) < cap(data) {
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			return data, err
		}
	}
	return data, nil
}

// placed gives an Error without a file its place.
func placed(err error, pos document.Position) error {
	var e *Error
	if errors.As(err, &e) && e.Pos.File == "" {
		e.Pos.File = pos.File
		e.Pos.Line += pos.Line
	}
	return err
}

// buffer gives an empty slice of frameBytes or more.
func (s *Source) buffer() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.buffers); n > 0 {
		b := s.buffers[n-1]
		s.buffers = s.buffers[:n-1]
		return b[:0]
	}
	return make([]byte, 0, frameBytes)
}

// release takes a buffer back. Those of unusual documents are not kept.
func (s *Source) release(b []byte) {
	if cap(b) < frameBytes || cap(b) > 4*frameBytes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffers = append(s.buffers, b)
}
