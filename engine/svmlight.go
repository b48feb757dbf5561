package engine

import (
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"strconv"
)

// An SVMLightWriter writes rows as svmlight text: the labels as places of their
// classes, several joined by commas, then index:value pairs. An unlabelled row
// begins with a space. It belongs to one goroutine.
type SVMLightWriter struct {
	w     io.Writer
	buf   []byte
	texts []uint64 // by index: its text in a line, or 0
	err   error    // of the first write that failed
}

const (
	svmlightBuffer = 1 << 18
	mostTexts      = 1 << 17 // a megabyte; pairText takes indices below a million
	longestLabel   = len(",-9223372036854775808")
	longestPair    = len(" 4294967295:-1.1754944e-38") + 8 // stores of eight bytes may reach beyond
)

// NewSVMLightWriter returns a writer that buffers; call Flush at the end.
func NewSVMLightWriter(w io.Writer) *SVMLightWriter { return &SVMLightWriter{w: w} }

// Write adds a line. Values are in their shortest form that gives the float32
// back. The error is that of the writer below, and stays.
func (s *SVMLightWriter) Write(r Row) error {
	if s.err != nil {
		return s.err
	}
	s.buf = slices.Grow(s.buf, len(r.Labels)*longestLabel+len(r.Index)*longestPair+1)
	for i, l := range r.Labels {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = strconv.AppendInt(s.buf, int64(l), 10)
	}
	s.growTexts(r.Index)
	n := s.putPairs(s.buf[:cap(s.buf)], len(s.buf), r)
	s.buf = append(s.buf[:n], '\n')
	if len(s.buf) >= svmlightBuffer {
		return s.Flush()
	}
	return nil
}

// growTexts makes room for the texts of a row's indices.
func (s *SVMLightWriter) growTexts(indices []uint32) {
	if len(indices) == 0 {
		return
	}
	if last := int(min(indices[len(indices)-1], mostTexts-1)); last >= len(s.texts) {
		texts := make([]uint64, min(2*(last+1), mostTexts))
		copy(texts, s.texts)
		s.texts = texts
	}
}

// putPairs writes the pairs of a row, each with a space before it, and gives
// their end. The room is there. What is most frequent by far, a count below 10 of a
// term whose text is in the table, is two stores: 1.35 GB/s, where making the digits
// each time gives 0.97.
func (s *SVMLightWriter) putPairs(b []byte, n int, r Row) int {
	for i, index := range r.Index {
		value := r.Value[i]
		if count := int32(value); uint64(index) < uint64(len(s.texts)) && uint32(count) < 10 && float32(count) == value {
			text := s.texts[index]
			if text == 0 {
				text = pairText(index)
				s.texts[index] = text
			}
			pair := (*[16]byte)(b[n:])
			size := uint(bits.Len64(text)+7) / 8
			binary.LittleEndian.PutUint64(pair[:8], text)
			pair[size%16] = '0' + byte(count)
			n += int(size) + 1
			continue
		}
		b[n] = ' '
		n = putNumber(b, n+1, index)
		b[n] = ':'
		n = putValue(b, n+1, value)
	}
	return n
}

// pairText is an index below a million with what is around it, the first byte
// lowest.
func pairText(index uint32) uint64 {
	text, size := decimal(index)
	return ' ' | text<<8 | ':'<<(size+8)
}

// putValue writes whole numbers, which counts are, without the general formatting.
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

// putNumber writes a whole number and gives its end.
func putNumber(b []byte, n int, number uint32) int {
	if number >= 100_000_000 {
		return len(strconv.AppendUint(b[:n], uint64(number), 10))
	}
	text, size := decimal(number)
	binary.LittleEndian.PutUint64(b[n:], text)
	return n + int(size/8)
}

// decimal gives a number below 10^8 as text, the first byte lowest, and its size in
// bits. It has no loop over the digits, of which nobody can foresee how many there
// are.
func decimal(number uint32) (text uint64, size uint) {
	digits := eightDigits(number)
	zeros := uint(bits.TrailingZeros64(digits|1<<56)) &^ 7 // the last digit stays
	return (digits | 0x3030303030303030) >> (zeros & 63), 64 - zeros
}

// eightDigits gives the digits of a number below 10^8, the first in the lowest
// byte. Each step divides all parts of the number at once, by multiplication.
func eightDigits(number uint32) uint64 {
	n := uint64(number)
	high := n / 10_000
	n = high | (n-high*10_000)<<32 // two parts of four digits
	high = n * 10_486 >> 20 & 0x0000007f_0000007f
	n = high | (n-high*100)<<16 // four of two
	high = n * 103 >> 10 & 0x000f_000f_000f_000f
	return high | (n-high*10)<<8
}

// Flush writes what is buffered.
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
