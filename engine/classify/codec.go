package classify

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A coder writes the values of a file or reads them: the same calls, in the same order, do
// both. A list begins with its length, eight bytes.
//
// Reading keeps the first error, which wraps [ErrNoModel], and sets zeros and empty lists
// after it. A list that claims to be longer than the bytes that are left is an error, so
// that no file decides how much memory is taken.
type coder struct {
	data  []byte // what was written so far, or is left to be read
	reads bool
	err   error // the first
	depth int   // of models within models
}

var le = binary.LittleEndian

func (c *coder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrNoModel, fmt.Sprintf(format, args...))
	}
	if c.reads {
		c.data = nil
	}
}

// hasRead reports whether values were read, so that they must be checked.
func (c *coder) hasRead() bool { return c.reads && c.err == nil }

// bytes returns the next n bytes of the file: those to be read, or room for those to be
// written. It returns zeros if there are fewer to read.
func (c *coder) bytes(n int) []byte {
	if !c.reads {
		c.data = append(c.data, make([]byte, n)...)
		return c.data[len(c.data)-n:]
	}
	if n > len(c.data) {
		c.fail("%d bytes are missing", n-len(c.data))
		return make([]byte, min(n, 8))
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

func (c *coder) uint64(v *uint64) {
	if b := c.bytes(8); c.reads {
		*v = le.Uint64(b)
	} else {
		le.PutUint64(b, *v)
	}
}

func (c *coder) uint32(v *uint32) {
	if b := c.bytes(4); c.reads {
		*v = le.Uint32(b)
	} else {
		le.PutUint32(b, *v)
	}
}

func (c *coder) float(v *float64) {
	bits := math.Float64bits(*v)
	if c.uint64(&bits); c.reads {
		*v = math.Float64frombits(bits)
	}
}

// count codes a number that an int of any machine holds.
func (c *coder) count(v *int) {
	n := uint64(*v)
	c.uint64(&n)
	if !c.reads {
		return
	}
	if n > math.MaxInt32 {
		c.fail("%d is too large a number", n)
		n = 0
	}
	*v = int(n)
}

func (c *coder) bool(v *bool) {
	b := c.bytes(1)
	switch {
	case !c.reads && *v:
		b[0] = 1
	case c.reads:
		if *v = b[0] == 1; b[0] > 1 {
			c.fail("%d is neither 0 nor 1", b[0])
		}
	}
}

// length codes the length of a list whose elements have at least size bytes.
func (c *coder) length(n, size int) int {
	of := uint64(n)
	if c.uint64(&of); c.reads && of > uint64(len(c.data)/size) {
		c.fail("a list of %d elements in %d bytes", of, len(c.data))
		return 0
	}
	return int(of)
}

func (c *coder) string(s *string) {
	b := c.bytes(c.length(len(*s), 1))
	if c.reads {
		*s = string(b)
	} else {
		copy(b, *s)
	}
}

// list codes a list whose elements have at least size bytes.
func list[T any](c *coder, v *[]T, size int, element func(*T)) {
	if n := c.length(len(*v), size); c.reads {
		*v = make([]T, n)
	}
	for i := range *v {
		element(&(*v)[i])
	}
}

func (c *coder) strings(v *[]string) { list(c, v, 8, c.string) }
func (c *coder) uint32s(v *[]uint32) { list(c, v, 4, c.uint32) }
func (c *coder) floats(v *[]float64) { list(c, v, 8, c.float) }
