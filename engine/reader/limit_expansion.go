package reader

import (
	"fmt"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
)

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
