package parquet

import (
	"math/bits"
	"sync"
)

// buffers has memory for pages that nobody uses, by the logarithm of its size. New memory has to
// be cleared, which took a twentieth of the time to read a page of 22 MB.
var buffers [32]sync.Pool

// minBuffer is the logarithm of the least size of a buffer that is kept.
const minBuffer = 12

// buffer returns an empty slice with a capacity of size or more.
func buffer(size int) []byte {
	class := bits.Len(uint(max(size, 1) - 1))
	if class < minBuffer {
		return make([]byte, 0, size)
	}
	if b, ok := buffers[class].Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, 1<<class)
}

// release takes back what buffer returned. It keeps slices of a size of buffer's.
func release(b []byte) {
	class := bits.Len(uint(cap(b))) - 1
	if class < minBuffer || cap(b) != 1<<class {
		return
	}
	b = b[:0]
	buffers[class].Put(&b)
}
