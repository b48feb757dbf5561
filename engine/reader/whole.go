package reader

import (
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file leaves compressed inputs to one worker each, so that several are decompressed side
// by side: an input is one frame, whose documents come where its place is, and nothing of it
// is held back. What is not compressed is cut, which takes little time and keeps all workers
// busy to its end.

// sizesOf returns the sizes of the inputs in bytes, 0 for what is no regular file, and their sum, 0 if
// one of them is none. It is an error if one is missing.
func sizesOf(inputs []string) (sizes []int64, all int64, err error) {
	sizes = make([]int64, len(inputs))
	known := true
	for i, input := range inputs {
		if input == "-" {
			known = false
			continue
		}
		info, err := os.Stat(input)
		if err != nil {
			return nil, 0, err
		}
		if !info.Mode().IsRegular() {
			known = false
			continue
		}
		sizes[i] = info.Size()
		all += info.Size()
	}
	if !known {
		all = 0
	}
	return sizes, all, nil
}

// leftToOne reports whether an input is left to one worker. The inputs behind it, of so many bytes, must be as
// large, so that others have work in the meantime. Threads play no part: what is left to whom
// decides what the limit of expansion compares with what.
func (s *Source) leftToOne(i int, behind int64) bool {
	if own := s.sizes[i]; own == 0 || own > behind || own > s.opt.WholeFiles {
		return false
	}
	file, err := os.Open(s.inputs[i])
	if err != nil {
		return false // it is opened again
	}
	defer file.Close()
	prefix := make([]byte, prefixBytes)
	n, _ := io.ReadFull(file, prefix) // likewise
	return compression.Of(prefix[:n]) != nil
}

// leave passes an input to out as a frame that a worker opens.
func (s *Source) leave(i int, out func(frame) error) error {
	size := int(s.sizes[i])
	s.meter.take(size)
	s.left += int64(size)
	return out(frame{pos: document.Position{File: s.inputs[i]}, parse: func(p *parser, f *frame) error {
		p.meter.read = &s.readByWorkers
		defer func() { p.meter.read = nil }()
		return parseWhole(p, f)
	}})
}

// errEarlier ends what is read of an input when an earlier one has an error, which is
// reported.
var errEarlier = errors.New("an input before this one has an error")

// firstFailure is the number of the first frame that failed, if any.
type firstFailure struct{ number atomic.Int64 }

// failed records that a frame has failed.
func (f *firstFailure) failed(number int) {
	for n := int64(number) + 1; ; {
		first := f.number.Load()
		if first != 0 && first <= n || f.number.CompareAndSwap(first, n) {
			return
		}
	}
}

// before reports whether a frame before this one has failed.
func (f *firstFailure) before(number int) bool {
	first := f.number.Load()
	return first != 0 && first <= int64(number)
}
