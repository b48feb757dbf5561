package classify

import (
	"fmt"
	"math"
)

// An encoder appends values to the bytes of a file. A list begins with its length, eight
// bytes.
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

// A decoder reads values from the bytes of a file. It keeps the first error, which wraps
// [ErrNoModel], and returns zeros and empty lists after it. A list that claims to be longer
// than the bytes that are left is an error, so that no file decides how much memory is
// taken.
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

// take returns the next n bytes, nil if there are fewer.
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

// added returns the places of consecutive pieces with these sizes, and their end.
func added(sizes []uint32) []int {
	start := make([]int, len(sizes)+1)
	for i, n := range sizes {
		start[i+1] = start[i] + int(n)
	}
	return start
}

// starts returns the place of the first class of each column. sizes is the number of classes
// of each column; the classes of a column must ascend below classes.
func (d *decoder) starts(sizes, class []uint32, classes int) []int {
	start := make([]int, len(sizes)+1)
	for t, n := range sizes {
		from := start[t]
		if uint64(n) > uint64(len(class)-from) || !ascend(class[from:from+int(n)], classes) {
			d.fail("the classes of column %d are not in order", t)
			return nil
		}
		start[t+1] = from + int(n)
	}
	if start[len(sizes)] != len(class) {
		d.fail("%d classes of no column", len(class)-start[len(sizes)])
	}
	return start
}
