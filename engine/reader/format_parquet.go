package reader

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/reader/parquet"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads Parquet: a row is a document, columns are found as those of CSV and mean
// what the fields of JSON lines do, and the file's own format is read by the room parquet.
// Its footer stands behind the data, so what is no file that can be read from any place is
// copied to a temporary file first. Batches of rows are frames, whose pages the workers
// decompress.

// A parquetInput is an input with what its frame parsers know of it.
type parquetInput struct {
	s       *Source
	name    string
	columns parquetColumns
	frames  *layout
}

// parquet passes the frames of an input to out. file is the input itself if it is a file;
// otherwise in is read to its end.
func (s *Source) parquet(name string, m *meter, in *bufio.Reader, file *os.File, out func(frame) error) error {
	at, size, closing, err := s.seekable(name, m, in, file)
	if err != nil {
		return s.failure(document.Position{File: name}, "the input breaks off", err)
	}
	defer closing()
	input := &parquetInput{s: s, name: name, frames: layoutOf(Parquet)}
	if err = input.read(at, size, m, out); err != nil {
		return s.failure(document.Position{File: name}, "the input breaks off", input.placed(err))
	}
	return nil
}

// seekable returns what can be read at any place: the file, whose bytes the meter counts, or a
// copy of what in has.
func (s *Source) seekable(name string, m *meter, in *bufio.Reader, file *os.File) (at io.ReaderAt, size int64, closing func(), err error) {
	if file != nil {
		info, err := file.Stat()
		if err != nil {
			return nil, 0, nil, err
		}
		m.take(-in.Buffered()) // it is read again
		counted := &countedFile{s: s, file: file, meter: m, size: info.Size()}
		return counted, info.Size(), counted.end, nil
	}
	copied, err := files.CreateTemporary(nil, s.opt.TempDir)
	if err != nil {
		return nil, 0, nil, err
	}
	if size, err = io.Copy(copied, in); err != nil {
		return nil, 0, nil, errors.Join(err, copied.Close())
	}
	return copied, size, func() { _ = copied.Close() }, nil // it was only read since
}

// A countedFile reads a file until the context ends, and counts the bytes.
type countedFile struct {
	s     *Source
	file  *os.File
	meter *meter
	size  int64
	taken int64 // that are counted, size at most
}

func (c *countedFile) ReadAt(p []byte, offset int64) (int, error) {
	if c.s.ctx.Err() != nil {
		return 0, usage.Cause(c.s.ctx)
	}
	n, err := c.file.ReadAt(p, offset)
	c.take(int64(n))
	return n, err
}

// end counts the bytes that were not needed.
func (c *countedFile) end() { c.take(c.size) }

func (c *countedFile) take(n int64) {
	n = min(n, c.size-c.taken)
	c.taken += n
	c.meter.take(int(n))
}

// read cuts the rows into frames.
func (in *parquetInput) read(at io.ReaderAt, size int64, m *meter, out func(frame) error) error {
	opt := &in.s.opt
	pos := document.Position{File: in.name}
	file, err := parquet.Open(at, size, parquet.Limits{
		Page: max(opt.MaxDocument, 64<<20), Columns: opt.MaxFields,
		Grow: func(bytes int64) error {
			if m.unpacked += bytes; m.exceeded() {
				return m.error(pos)
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	if err := in.columns.find(opt, file); err != nil {
		return placed(err, pos, 1)
	}
	rows, err := file.Rows(in.columns.read...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		batch, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := out(in.frame(batch)); err != nil {
			return err
		}
	}
}

// frame returns the frame of a batch.
func (in *parquetInput) frame(batch *parquet.Batch) frame {
	return frame{
		pos: document.Position{File: in.name, Line: int(batch.First) + 1},
		parse: func(p *parser, _ *frame) error {
			defer batch.Release()
			return in.placed(p.of(in.frames).(*parquetParser).batch(in, batch))
		},
	}
}

// placed makes an Error of one of the room parquet.
func (in *parquetInput) placed(err error) error {
	e, ok := errors.AsType[*parquet.Error](err)
	if !ok {
		return err
	}
	return &Error{Pos: document.Position{File: in.name}, Problem: e.Problem, Err: e.Err, Remedy: e.Remedy, fatal: true}
}

func looksLikeParquet(prefix []byte, _ bool) bool { return parquet.Begins(prefix) }
