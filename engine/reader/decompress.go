package reader

import (
	"bufio"
	"errors"
	"io"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file opens compressed inputs, counted by a meter.

// decompressed returns a reader of what in holds decompressed, or in itself where it is
// not compressed. closing releases the reader. The meter, unless nil, bounds what comes
// out.
func (s *Source) decompressed(pos document.Position, m *meter, in *bufio.Reader) (inside *bufio.Reader, closing func(), err error) {
	return s.decompressedBeside(pos, m, in, nil)
}

// decompressedBeside is decompressed, and passes to out what can be decompressed side by side,
// unless out is nil.
func (s *Source) decompressedBeside(pos document.Position, m *meter, in *bufio.Reader, out func(frame) error) (inside *bufio.Reader, closing func(), err error) {
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return nil, nil, s.failure(pos, "the input cannot be read", err)
	}
	kind := compression.Of(prefix)
	if kind == nil {
		return in, func() {}, nil
	}
	z, end, err := s.openPacked(pos, m, in, kind, out)
	if err != nil {
		return nil, nil, s.failure(pos, "broken "+kind.Name, err)
	}
	inside = buffered(&expansionGuard{meter: m, pos: pos, out: z})
	return inside, func() {
		end()
		recycle(inside)
	}, nil
}

// openPacked opens what a compression made, side by side where out and the input allow it. Then
// the meter counts the blocks that are read, and not what was read of the input to find them.
func (s *Source) openPacked(pos document.Position, m *meter, in *bufio.Reader, kind *compression.Kind, out func(frame) error) (io.Reader, func(), error) {
	if out != nil {
		z, end, ok := kind.OpenBeside(s.ctx, in, s.opt.MaxWindow, &compression.Beside{
			Threads: pool.Threads(s.opt.Threads), Memory: &s.memory, Count: func(bytes int) { m.packed += int64(bytes) },
			Out: func(work func()) error {
				return out(frame{pos: pos, parse: func(*parser, *frame) error {
					work()
					return nil
				}})
			},
		})
		if ok {
			m.packed -= int64(in.Buffered())
			m.settled = true
			return z, func() {
				end()
				m.settled = false
			}, nil
		}
	}
	return kind.Open(in, s.opt.MaxWindow)
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
		err = &Error{Pos: g.pos, Kind: "large window", Problem: window.Error(), Remedy: "raise the limit with --max-window; so much memory is taken"}
	}
	return n, err
}
