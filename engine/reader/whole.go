package reader

import (
	"bufio"
	"errors"
	"os"
	"sync/atomic"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file leaves compressed inputs to one worker each, so that several are decompressed side
// by side: an input is one frame, whose documents come where its place is, and nothing of it
// is held back. What is not compressed is cut, which takes little time and keeps all workers
// busy to its end.

// inputSize is the size of an input, and of all behind it, in bytes; regular files only.
type inputSize struct{ own, behind int64 }

// sizesOf returns the sizes of the inputs, or an error if one is missing. all is the sum, 0 if
// one of them is no regular file.
func sizesOf(inputs []string) (sizes []inputSize, all int64, err error) {
	sizes = make([]inputSize, len(inputs))
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
		if info.Mode().IsRegular() {
			sizes[i].own = info.Size()
		}
		known = known && info.Mode().IsRegular()
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		sizes[i].behind = all
		all += sizes[i].own
	}
	if !known {
		return sizes, 0, nil
	}
	return sizes, all, nil
}

// leftToOne reports whether an input is left to one worker. The inputs behind it must be as
// large, so that others have work in the meantime. Threads play no part: what is left to whom
// decides what the limit of expansion compares with what.
func (s *Source) leftToOne(i int) bool {
	size := s.sizes[i]
	if size.own == 0 || size.own > size.behind || size.own > s.opt.WholeFiles {
		return false
	}
	file, err := os.Open(s.inputs[i])
	if err != nil {
		return false // it is opened again
	}
	defer file.Close()
	prefix, _ := peek(bufio.NewReaderSize(file, prefixBytes), prefixBytes)
	return compression.Of(prefix) != nil
}

// leave passes an input to out as a frame that a worker opens.
func (s *Source) leave(i int, out func(frame) error) error {
	size := int(s.sizes[i].own)
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
