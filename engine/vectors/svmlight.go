package vectors

import (
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"strconv"
)

// An SVMLightWriter writes rows as svmlight text: the target, or else the labels as places of
// their classes, joined by commas, then index:value pairs. A row without these begins with a space. It
// serves one goroutine.
type SVMLightWriter struct {
	w   io.Writer
	buf []byte
	err error // of the first write that failed
}

const (
	bufferSize    = 1 << 18
	maxLabelBytes = len(",-9223372036854775808")
	maxPairBytes  = len(" 4294967295:-1.1754944e-38") + 8 // a store of eight bytes may write behind the pair
)

// NewSVMLightWriter returns a writer that buffers; call Flush at the end.
func NewSVMLightWriter(w io.Writer) *SVMLightWriter { return &SVMLightWriter{w: w} }

// Write writes a line. Values have the shortest form that gives the float32 back. After an
// error of the underlying writer, Write and Flush return that error.
func (s *SVMLightWriter) Write(r Row) error {
	if s.err != nil {
		return s.err
	}
	s.appendLine(r)
	if len(s.buf) >= bufferSize {
		return s.Flush()
	}
	return nil
}

// appendLine appends the line of a row to the buffer.
func (s *SVMLightWriter) appendLine(r Row) {
	s.buf = slices.Grow(s.buf, len(r.Target)+len(r.Labels)*maxLabelBytes+len(r.Index)*maxPairBytes+1)
	labels := r.Labels
	if r.Target != "" {
		s.buf, labels = append(s.buf, r.Target...), nil
	}
	for i, l := range labels {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = strconv.AppendInt(s.buf, int64(l), 10)
	}
	n := putPairs(s.buf[:cap(s.buf)], len(s.buf), r)
	s.buf = append(s.buf[:n], '\n')
}

// putPairs writes the pairs of a row to b from n on, each with a space before it, and
// returns their end. b must be long enough.
func putPairs(b []byte, n int, r Row) int {
	for i, index := range r.Index {
		b[n] = ' '
		n = putNumber(b, n+1, index)
		b[n] = ':'
		value := r.Value[i]
		if count := uint32(value); count < 10 && float32(count) == value {
			b[n+1] = '0' + byte(count)
			n += 2
			continue
		}
		n = putValue(b, n+1, value)
	}
	return n
}

// putValue writes a value and returns its end. Whole numbers, such as counts, do not go
// through strconv.
func putValue(b []byte, n int, value float32) int {
	whole := int32(0)
	if value > -1<<24 && value < 1<<24 {
		whole = int32(value)
	}
	switch {
	case float32(whole) != value:
		return len(strconv.AppendFloat(b[:n], float64(value), 'g', -1, 32))
	case whole < 0:
		b[n] = '-'
		return putNumber(b, n+1, uint32(-whole))
	}
	return putNumber(b, n, uint32(whole))
}

// putNumber writes a whole number and returns its end.
func putNumber(b []byte, n int, number uint32) int {
	if number >= 100_000_000 {
		return len(strconv.AppendUint(b[:n], uint64(number), 10))
	}
	text, size := decimalText(number)
	binary.LittleEndian.PutUint64(b[n:], text)
	return n + int(size/8)
}

// decimalText returns a number below 10^8 as text, the first byte lowest, and its size in
// bits. It does not loop over the digits, whose number no branch can predict.
func decimalText(number uint32) (text uint64, size uint) {
	digits := eightDigits(number)
	zeros := uint(bits.TrailingZeros64(digits|1<<56)) &^ 7 // the last digit stays
	return (digits | 0x3030303030303030) >> (zeros & 63), 64 - zeros
}

// eightDigits returns the digits of a number below 10^8, the first in the lowest byte.
// Each step divides all parts of the number at once, by multiplication.
func eightDigits(number uint32) uint64 {
	n := uint64(number)
	high := n / 10_000
	n = high | (n-high*10_000)<<32 // two parts of four digits
	high = n * 10_486 >> 20 & 0x0000007f_0000007f
	n = high | (n-high*100)<<16 // four of two
	high = n * 103 >> 10 & 0x000f_000f_000f_000f
	return high | (n-high*10)<<8
}

// Flush writes the buffered text.
func (s *SVMLightWriter) Flush() error {
	if s.err != nil || len(s.buf) == 0 {
		return s.err
	}
	n, err := s.w.Write(s.buf)
	if err == nil && n < len(s.buf) {
		err = io.ErrShortWrite
	}
	s.buf, s.err = s.buf[:0], err
	return err
}
