package reader

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file opens compressed inputs, counted by a meter.

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

// This file bounds what compressed inputs become. All levels of compression and all
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
	read     *atomic.Int64 // bytes of inputs, if settled and not nil
}

// take adds n bytes of an input. A nil meter counts nothing.
func (m *meter) take(n int) {
	switch {
	case m == nil:
	case !m.settled:
		m.packed += int64(n)
	case m.read != nil:
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

// Unpack decompresses the inputs that are compressed files and drops what comes out. It
// returns the number of bytes, 0 if no input is compressed. So it takes the part of the
// time of reading that is decompression. It leaves out directories, pipes and what is
// compressed within an archive.
func (s *Source) Unpack() (int64, error) {
	total := int64(0)
	for _, input := range s.inputs {
		n, err := s.unpack(input)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// unpack is Unpack for one input.
func (s *Source) unpack(input string) (int64, error) {
	if input == "-" {
		return 0, nil
	}
	if info, err := os.Stat(input); err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	file, err := os.Open(input)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	packed := buffered(inputReader{s.ctx, input, file, &s.meter})
	defer recycle(packed)
	pos := document.Position{File: input}
	in, closing, err := s.decompressed(pos, &s.meter, packed)
	if err != nil {
		return 0, err
	}
	defer closing()
	if in == packed {
		return 0, nil // it is not compressed
	}
	n, err := io.Copy(io.Discard, in)
	if err != nil {
		return 0, s.failure(pos, "the input breaks off", err)
	}
	return n, nil
}
