package parquet

import (
	"math/bits"
	"sync"
)

// The memory of pages, of the ends of their texts, and of numbers.
var (
	byteMemory   memory[byte]
	endMemory    memory[uint32]
	numberMemory memory[int64]
)

// A memory keeps slices that nobody uses, by the logarithm of their capacity. New memory has to
// be cleared and comes into the caches anew, which took a twentieth of the time to read a page
// of 22 MB.
type memory[T any] struct{ free [32]sync.Pool }

// minKept is the logarithm of the least capacity that is kept.
const minKept = 8

// get returns an empty slice with a capacity of size or more.
func (m *memory[T]) get(size int) []T {
	class := bits.Len(uint(max(size, 1) - 1))
	if class < minKept {
		return make([]T, 0, size)
	}
	if s, ok := m.free[class].Get().(*[]T); ok {
		return (*s)[:0]
	}
	return make([]T, 0, 1<<class)
}

// put takes back what get returned. It keeps slices of a capacity of get's.
func (m *memory[T]) put(s []T) {
	class := bits.Len(uint(cap(s))) - 1
	if class < minKept || cap(s) != 1<<class {
		return
	}
	s = s[:0]
	m.free[class].Put(&s)
}
