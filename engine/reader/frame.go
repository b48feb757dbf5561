package reader

import (
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// frameBytes is the usual length of a frame: long enough that taking one costs a worker
// little, short enough for the caches that workers share.
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

	column  int // of the first byte of data, from 1 on
	records int // cut before, if the cutter counts them

	encoding string // of the texts in data; "" = each text decides for itself

	packed, unpacked int64 // of the meter when the frame was cut
}

// where returns the position of the first byte of a frame.
func (f *frame) where() document.Position {
	if len(f.items) > 0 {
		return f.items[0].pos
	}
	return f.pos
}

// An item is a file of a tree or an archive.
type item struct {
	name     string
	pos      document.Position
	from, to int         // in the data of the frame
	was      fs.FileInfo // of a file of a tree when it was met; nil = not known
}

// cut reads an input of one layout, counted by a meter, to its end and passes the frames that the cutter
// makes to out. encoding is that of its texts, "" if it is to be found out.
func (s *Source) cut(name string, m *meter, in io.Reader, l *layout, c cutter, encoding string, out func(frame) error) error {
	found := charset.NewInput(encoding)
	parse := func(p *parser, f *frame) error { return p.decided(l, c, f) }
	pos := document.Position{File: name, Line: 1}
	column := 1 // of data
	data := s.memory.get()
	for end := false; ; {
		var err error
		if data, err = fill(in, data); err != nil {
			end = true
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		if !s.decide(found, data, end, pos, m.frame) {
			data = twice(data)
			continue
		}
		n, cutErr := c.cut(data, end && err == nil, found.Encoding())
		switch {
		case cutErr != nil:
			return placed(cutErr, pos, column)
		case n > 0:
			rest := append(s.memory.get(), data[n:]...)
			next := placeIn(data, n, document.Position{Line: pos.Line, Column: column})
			if err := out(frame{pos: pos, data: data[:n], parse: parse, column: column, records: recordsOf(c), encoding: found.Encoding()}); err != nil {
				return err
			}
			pos.Line, column = next.Line, next.Column
			data = rest
			found.Moved(n)
		case int64(len(data)) > s.opt.MaxDocument+s.opt.MaxLine:
			return s.tooLarge(pos, "document has")
		case !end:
			data = twice(data)
		}
		if err != nil {
			return s.failure(pos, "the input breaks off", err)
		}
		if end && (n == 0 || len(data) == 0) {
			s.memory.put(data)
			return nil
		}
	}
}

// twice returns data with twice the room.
func twice(data []byte) []byte { return append(data, make([]byte, len(data))...)[:len(data)] }

// fill reads until data is as long as its capacity or an error occurs, such as io.EOF.
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

// recordsOf returns the number of records before the frame that was cut last, 0 if the
// cutter does not count them.
func recordsOf(c cutter) int {
	if counter, ok := c.(interface{ records() int }); ok {
		return counter.records()
	}
	return 0
}

// placed adds pos to the position of an Error without a file and returns the error. column is
// that of the beginning.
func placed(err error, pos document.Position, column int) error {
	var e *Error
	if errors.As(err, &e) && e.Pos.File == "" {
		if e.Pos.Line == 0 && e.Pos.Column > 0 {
			e.Pos.Column += column - 1
		}
		e.Pos.File = pos.File
		e.Pos.Line += pos.Line
	}
	return err
}

// A memory keeps the buffers of frames that nobody uses. Any goroutine may use it.
type memory struct {
	mu   sync.Mutex
	free [][]byte
}

// get returns an empty slice with room for a frame.
func (m *memory) get() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.free)
	if n == 0 {
		return make([]byte, 0, frameBytes)
	}
	b := m.free[n-1][:0]
	m.free = m.free[:n-1]
	return b
}

// put takes back what get returned, unless a long document has grown it.
func (m *memory) put(b []byte) {
	if cap(b) < frameBytes || cap(b) > 4*frameBytes {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free = append(m.free, b)
}
