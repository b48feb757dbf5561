package engine

import (
	"bufio"
	"io"
	"strconv"
)

// An SVMLightWriter writes rows as svmlight text: the labels as places of their
// classes, several joined by commas, then index:value pairs. An unlabelled row
// begins with a space. It belongs to one goroutine.
type SVMLightWriter struct {
	w    *bufio.Writer
	line []byte
}

// NewSVMLightWriter returns a writer that buffers; call Flush at the end.
func NewSVMLightWriter(w io.Writer) *SVMLightWriter {
	return &SVMLightWriter{w: bufio.NewWriterSize(w, 1<<18)}
}

// Write adds a line. Values are in their shortest form that gives the float32
// back.
func (s *SVMLightWriter) Write(r Row) error {
	b := s.line[:0]
	for i, l := range r.Labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(l), 10)
	}
	for i, index := range r.Index {
		b = append(b, ' ')
		b = strconv.AppendUint(b, uint64(index), 10)
		b = append(b, ':')
		b = appendValue(b, r.Value[i])
	}
	s.line = append(b, '\n')
	_, err := s.w.Write(s.line)
	return err
}

// appendValue writes small whole numbers, which counts are, without the general
// formatting: a quarter of its time.
func appendValue(b []byte, v float32) []byte {
	if n := int64(v); float32(n) == v && n < 1<<24 && n > -1<<24 {
		return strconv.AppendInt(b, n, 10)
	}
	return strconv.AppendFloat(b, float64(v), 'g', -1, 32)
}

// Flush writes what is buffered.
func (s *SVMLightWriter) Flush() error { return s.w.Flush() }
