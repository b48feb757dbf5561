package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads the bytes of inputs: in order, ahead of pipes, and at any place.

// An input is what frames are cut from, in their order: a file, a stream, a member of an archive, or a directory.
type input struct {
	s     *Source
	name  string
	meter *meter // of what is read
	out   func(frame) error
}

// pos returns the position of an input as a whole.
func (in *input) pos() document.Position { return document.Position{File: in.name} }

// An inputReader reads an input until its context ends. Its errors are
// fs.PathErrors, so that they are known from those of a format.
type inputReader struct {
	ctx   context.Context
	name  string
	r     io.Reader
	meter *meter // counts what is read; nil = nothing does
}

func (i inputReader) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, usage.Cause(i.ctx)
	}
	n, err := i.r.Read(p)
	i.meter.take(n)
	var known *fs.PathError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &known) && !errors.Is(err, ErrBadInput) {
		err = &fs.PathError{Op: "read", Path: i.name, Err: err}
	}
	return n, err
}

// pumped reads an input that may block forever or have no end. One goroutine reads ahead, so that
// a read that waits for input returns when the context ends. The goroutine ends then, too, or when
// the read below, which cannot be interrupted, returns.
func (in *input) pumped(r io.Reader) error {
	s := in.s
	ahead, to := io.Pipe()
	defer ahead.Close()
	stop := context.AfterFunc(s.ctx, func() { _ = ahead.CloseWithError(usage.Cause(s.ctx)) })
	defer stop()
	pool.Start(func() {
		_, err := io.CopyBuffer(to, struct{ io.Reader }{r}, make([]byte, bufferBytes))
		_ = to.CloseWithError(err)
	})
	return in.stream(&boundedReader{r: ahead, name: in.name, flag: "--max-input", limit: s.opt.MaxInput})
}

// seekable returns what can be read at any place: the file, whose bytes the meter counts, or a
// copy of what r has.
func (in *input) seekable(r *bufio.Reader, file *os.File) (at io.ReaderAt, size int64, closing func(), err error) {
	if file != nil {
		info, err := file.Stat()
		if err != nil {
			return nil, 0, nil, err
		}
		in.meter.take(-r.Buffered()) // it is read again
		counted := &countedFile{in, file, info.Size()}
		return counted, info.Size(), counted.end, nil
	}
	copied, err := files.CreateTemporary(nil, in.s.opt.TempDir)
	if err != nil {
		return nil, 0, nil, err
	}
	if size, err = io.Copy(copied, r); err != nil {
		return nil, 0, nil, errors.Join(err, copied.Close())
	}
	return copied, size, func() { _ = copied.Close() }, nil // it was only read since
}

// A countedFile reads a file until the context ends, and counts the bytes.
type countedFile struct {
	in   *input
	file *os.File
	left int64 // bytes that are not counted
}

func (c *countedFile) ReadAt(p []byte, offset int64) (int, error) {
	if ctx := c.in.s.ctx; ctx.Err() != nil {
		return 0, usage.Cause(ctx)
	}
	n, err := c.file.ReadAt(p, offset)
	c.count(int64(n))
	return n, err
}

// end counts the bytes that were not needed.
func (c *countedFile) end() { c.count(c.left) }

func (c *countedFile) count(n int64) {
	n = min(n, c.left)
	c.left -= n
	c.in.meter.take(int(n))
}

// A boundedReader returns an [Error] instead of bytes after a limit.
type boundedReader struct {
	r     io.Reader
	name  string
	flag  string // that raises the limit
	limit int64
	size  int64 // so far
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.size += int64(n); b.size > b.limit {
		return 0, wrong(document.Position{File: b.name}, fmt.Sprintf("the input has more than %d bytes", b.limit), "",
			"if it has an end, raise the limit with "+b.flag)
	}
	return n, err
}

// ReadList reads a file of names to its end, without the mark of UTF-8 at its beginning. More
// bytes than the limit are an error that names flag as what raises the limit, since a device or
// a pipe may have no end. The mark of UTF-16 or a zero byte is an error too: no list of names
// has one.
func ReadList(r io.Reader, name, flag string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(&boundedReader{r: r, name: name, flag: flag, limit: limit})
	if err != nil {
		return nil, err
	}
	problem := ""
	if at := indexOrEnd(data, 0); charset.IsUTF16(data) {
		problem = "it is UTF-16"
	} else if at < len(data) {
		problem = fmt.Sprintf("byte %d is zero", at+1)
	}
	if problem != "" {
		return nil, wrong(document.Position{File: name}, "the list is no text: "+problem, "", "write one name a line, in UTF-8")
	}
	return bytes.TrimPrefix(data, charset.Mark), nil
}

// unchanged returns err, or that a file is not what it was when it was opened: what was read of it is then neither the
// old file nor the new one. One that only grew, as logs do, gets a note.
func unchanged(s *Source, name string, was, now fs.FileInfo, err error) error {
	switch {
	case errors.Is(err, errStop) || s.ctx.Err() != nil:
	case now.Size() > was.Size():
		noteGrown(s, name, was)
	case now.Size() < was.Size() || !now.ModTime().Equal(was.ModTime()):
		return changedFile(document.Position{File: name}, was.Size(), now.Size(), err)
	}
	return err
}

// changedFile returns the error for a file that had so many bytes when it was opened and has others now.
func changedFile(pos document.Position, had, has int64, err error) *Error {
	problem := fmt.Sprintf("the file changed while it was read: it had %d bytes, and has %d", had, has)
	if had == has {
		problem = "the file was written to while it was read"
	}
	return &Error{Pos: pos, Kind: "file that changed", Problem: problem, Err: err, Remedy: "read it again, or a copy that nobody changes", fatal: true}
}

// noteGrown notes once that a file has more bytes than it had.
func noteGrown(s *Source, name string, was fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("%s: it grew beyond its %d bytes while it was read, and what was added is read in part or not at all", name, was.Size())
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// What follows opens compressed inputs, counted by a meter.

// decompressed returns a reader of what in holds decompressed, or in itself where it is
// not compressed. closing releases the reader. The meter, unless nil, bounds what comes
// out.
func (s *Source) decompressed(pos document.Position, m *meter, in *bufio.Reader) (inside *bufio.Reader, closing func(), err error) {
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return nil, nil, s.failure(pos, "the input cannot be read", err)
	}
	kind := compression.Of(prefix)
	if kind == nil {
		return in, func() {}, nil
	}
	z, end, err := kind.Open(in, s.opt.MaxWindow)
	if err != nil {
		return nil, nil, s.failure(pos, "broken "+kind.Name, err)
	}
	inside = buffered(&expansionGuard{meter: m, pos: pos, out: z})
	return inside, func() {
		end()
		recycle(inside)
	}, nil
}

// An expansionGuard reads decompressed data, adds it to a meter and returns an error where
// the meter is exceeded.
type expansionGuard struct {
	meter *meter // nil = no limit
	pos   document.Position
	out   io.Reader
}

func (g *expansionGuard) Read(p []byte) (int, error) {
	n, err := g.out.Read(p)
	if g.meter != nil {
		if g.meter.unpacked += int64(n); g.meter.exceeded() {
			return 0, g.meter.error(g.pos)
		}
	}
	var window *compression.WindowError
	if errors.As(err, &window) {
		err = wrong(g.pos, window.Error(), "", "raise the limit with --max-window; so much memory is taken").of("large window")
	}
	return n, err
}

// What follows bounds what compressed inputs become. All levels of compression and all
// inputs of a Source count together: an archive of many small files that each become
// large is no less a bomb than one file.

// expansionFree is how many bytes may come out before the limit applies.
const expansionFree = 64 << 20

// A meter compares what came out of compressed data with what went in.
type meter struct {
	limit    int64         // Options.MaxExpansion
	packed   int64         // bytes of the inputs
	unpacked int64         // that came out of compressed data, of all levels
	settled  bool          // packed is known beforehand
	frame    int           // number of the frame that is parsed or cut
	read     *atomic.Int64 // bytes of the inputs of a Source; nil = they do not count
}

// take adds n bytes of an input. A nil meter counts nothing.
func (m *meter) take(n int) {
	if m == nil {
		return
	}
	if !m.settled {
		m.packed += int64(n)
	}
	if m.read != nil {
		m.read.Add(int64(n))
	}
}

// exceeded reports whether more came out than the limit allows.
func (m *meter) exceeded() bool {
	return m.unpacked > expansionFree && m.unpacked/m.limit > m.packed
}

// error returns the error for a limit exceeded at a position.
func (m *meter) error(pos document.Position) error {
	return &Error{
		Pos: pos, Kind: "too much compressed data",
		Problem: fmt.Sprintf("%d bytes have become more than %d, which is more than %d times as much", m.packed, m.unpacked, m.limit),
		Remedy:  "if that is meant, raise the limit with --max-expansion",
		fatal:   true,
	}
}

// A ledger adds up what the frames of a stream became, in their order whatever the
// order in which they are parsed: whether the limit is exceeded does not depend on
// the number of goroutines.
type ledger struct {
	next    int   // frame whose count is not known
	sum     int64 // of the frames before it
	waiting map[int]spent
}

// spent is how many bytes the compressed data of a frame became.
type spent struct {
	pos      document.Position
	own      int64 // while it was parsed
	packed   int64 // bytes of the inputs up to its end
	unpacked int64 // that came out until it was cut
}

// add takes the count of a frame. The error is that of the first frame at which the limit
// is exceeded; it comes as soon as the counts of all frames before it are known.
func (l *ledger) add(number int, s spent, limit int64) error {
	if l.waiting == nil {
		l.waiting = map[int]spent{}
	}
	l.waiting[number] = s
	for {
		s, known := l.waiting[l.next]
		if !known {
			return nil
		}
		delete(l.waiting, l.next)
		l.next++
		l.sum += s.own
		m := meter{limit: limit, packed: s.packed, unpacked: s.unpacked + l.sum}
		if s.own > 0 && m.exceeded() {
			return m.error(s.pos)
		}
	}
}
