package classify

import (
	"fmt"
	"math"
)

// An encoder appends values to a file. Lists begin with their length in eight bytes.
type encoder struct {
	data []byte
	err  error // the first
}

func (e *encoder) count(n int)     { e.data = le.AppendUint64(e.data, uint64(n)) }
func (e *encoder) uint64(v uint64) { e.data = le.AppendUint64(e.data, v) }
func (e *encoder) float(v float64) { e.uint64(math.Float64bits(v)) }

func (e *encoder) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.data = append(e.data, b)
}

func (e *encoder) string(s string) {
	e.count(len(s))
	e.data = append(e.data, s...)
}

func (e *encoder) strings(list []string) {
	e.count(len(list))
	for _, s := range list {
		e.string(s)
	}
}

func (e *encoder) uint32s(list []uint32) {
	e.count(len(list))
	for _, v := range list {
		e.data = le.AppendUint32(e.data, v)
	}
}

func (e *encoder) floats(list []float64) {
	e.count(len(list))
	for _, v := range list {
		e.float(v)
	}
}

// A decoder takes values from a file. It keeps the first error, an [ErrNoModel], and
// gives zeros and empty lists behind it. No list is longer than the bytes that are
// left.
type decoder struct {
	data  []byte
	err   error
	depth int // of models within models
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrNoModel, fmt.Sprintf(format, args...))
	}
	d.data = nil
}

// take gives the next bytes, nil where there are not so many.
func (d *decoder) take(n int) []byte {
	if n > len(d.data) {
		d.fail("%d bytes are missing", n-len(d.data))
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) uint64() uint64 {
	b := d.take(8)
	if b == nil {
		return 0
	}
	return le.Uint64(b)
}

func (d *decoder) float() float64 { return math.Float64frombits(d.uint64()) }

// count reads a number that an int of any machine holds.
func (d *decoder) count() int {
	n := d.uint64()
	if n > math.MaxInt32 {
		d.fail("%d is too large a number", n)
		return 0
	}
	return int(n)
}

func (d *decoder) bool() bool {
	b := d.take(1)
	if b != nil && b[0] > 1 {
		d.fail("%d is neither 0 nor 1", b[0])
	}
	return b != nil && b[0] == 1
}

// length reads the length of a list whose elements have at least size bytes.
func (d *decoder) length(size int) int {
	n := d.uint64()
	if n > uint64(len(d.data)/size) {
		d.fail("a list of %d elements in %d bytes", n, len(d.data))
		return 0
	}
	return int(n)
}

func (d *decoder) string() string { return string(d.take(d.length(1))) }

func (d *decoder) strings() []string {
	list := make([]string, d.length(8))
	for i := range list {
		list[i] = d.string()
	}
	return list
}

func (d *decoder) uint32s() []uint32 {
	list := make([]uint32, d.length(4))
	for i := range list {
		list[i] = le.Uint32(d.take(4))
	}
	return list
}

func (d *decoder) floats() []float64 {
	list := make([]float64, d.length(8))
	for i := range list {
		list[i] = math.Float64frombits(le.Uint64(d.take(8)))
	}
	return list
}
