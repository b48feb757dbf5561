package main

import (
	"sync"
)

// savedBytes are the bytes of a model or of statistics between the call that asks for their
// size and the one that copies them.
type savedBytes struct {
	mu    sync.Mutex
	bytes []byte
}

// copyTo sets size to the number of bytes that make returns, and copies them to dst unless
// that is nil. They are made once for the two calls.
func (s *savedBytes) copyTo(dst []byte, size *int64, make func() []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes == nil {
		s.bytes = make()
	}
	*size = int64(len(s.bytes))
	switch {
	case dst == nil:
		return
	case len(dst) < len(s.bytes):
		panic(refused("there are %d bytes to copy, and the buffer has %d: size has the number now", len(s.bytes), len(dst)))
	}
	copy(dst, s.bytes)
	s.bytes = nil
}

// putNames copies texts one behind the other to dst and their offsets, one more than there
// are texts, to offsets; either may be nil.
func putNames(dst []byte, offsets []int64, n int, name func(i int) string) {
	at := 0
	for i := range n {
		if offsets != nil {
			offsets[i] = int64(at)
		}
		if dst != nil {
			copy(dst[at:], name(i))
		}
		at += len(name(i))
	}
	if offsets != nil {
		offsets[n] = int64(at)
	}
}

// bytesOf returns the bytes of all names together.
func bytesOf(n int, name func(i int) string) (sum int) {
	for i := range n {
		sum += len(name(i))
	}
	return sum
}
