package vectors

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
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

// Rows become svmlight text on several threads: each makes the lines of some
// documents, and those that are ready are written in the order of the documents.

// WriteSVMLight writes the rows that [Transformer.Corpus] yields as [WriteSVMLight] does, made
// on several threads; 0 means GOMAXPROCS. Only one goroutine at a time writes.
func (t *Transformer) WriteSVMLight(ctx context.Context, w io.Writer, c *corpus.Corpus, threads int) error {
	if w == nil || c == nil {
		return usage.Errorf("a nil writer or a nil corpus was given")
	}
	return t.eachElements(ctx, c, threads, func(reader func() elementReader) error {
		docs, err := newInputDocuments(c)
		if err != nil {
			return err
		}
		return t.writeLines(ctx, w, docs, reader, threads)
	})
}

// writeLines writes the rows of documents, whose elements it reads by a reader for each goroutine.
func (t *Transformer) writeLines(ctx context.Context, w io.Writer, docs *inputDocuments, reader func() elementReader, threads int) error {
	l := t.newLineWriter(w, threads)
	makers := make([]*rowMaker, len(l.workers))
	n := len(docs.order)
	err := pool.Run(ctx, threads, (n+documentsAtOnce-1)/documentsAtOnce, func(worker, chunk int) error {
		return l.write(worker, chunk, func(t *Transformer, text *SVMLightWriter) error {
			m := makers[worker]
			if m == nil {
				m = &rowMaker{transformer: t, documents: docs, elements: reader(), features: uint32(len(t.selection.Features))}
				makers[worker] = m
			}
			for place := chunk * documentsAtOnce; place < min((chunk+1)*documentsAtOnce, n); place++ {
				if err := m.make(place); err != nil {
					return err
				}
				text.appendLine(m.row)
			}
			return nil
		})
	})
	l.addUnseen(t)
	return err
}

// WriteBatches writes the rows that [Transformer.Documents] yields as [WriteSVMLight] does, made
// on several threads; 0 means GOMAXPROCS. Only one goroutine at a time writes. It ends with the error of
// the first document that has one.
func (t *Transformer) WriteBatches(ctx context.Context, w io.Writer, batches document.Batches, threads int) error {
	if w == nil || batches == nil {
		return usage.Errorf("a nil writer or nil batches of documents were given")
	}
	a, err := analysis.New(t.selection.Provenance.Analysis)
	if err != nil {
		return fmt.Errorf("%w: %w", selection.ErrBadFeatures, err)
	}
	l := t.newLineWriter(w, threads)
	vectorizers := make([]*vectorizer, len(l.workers))
	err = pool.Feed(ctx, threads, batches, func(worker, number int, docs document.Stream) error {
		return l.write(worker, number, func(t *Transformer, text *SVMLightWriter) error {
			v := vectorizers[worker]
			if v == nil {
				v = t.newVectorizer(a)
				vectorizers[worker] = v
			}
			return v.rows(ctx, docs, func(r Row) bool {
				text.appendLine(r)
				return true
			})
		})
	})
	l.addUnseen(t)
	return err
}

// A lineWriter makes the lines of numbered groups of documents on several goroutines, and writes
// them in the order of the numbers.
type lineWriter struct {
	orderedWriter
	workers []lineWorker
}

// A lineWorker is what one goroutine makes lines with.
type lineWorker struct {
	transformer Transformer // its own, for it counts what it leaves out
	text        SVMLightWriter
}

func (t *Transformer) newLineWriter(w io.Writer, threads int) *lineWriter {
	l := &lineWriter{workers: make([]lineWorker, pool.Threads(threads))}
	l.orderedWriter = orderedWriter{w: w, most: piecesWaiting * len(l.workers), waiting: map[int][]byte{}}
	l.turn.L = &l.mu
	for i := range l.workers {
		l.workers[i].transformer = *t
		l.workers[i].transformer.unseenTerms, l.workers[i].transformer.unseenLabels = 0, 0
	}
	return l
}

// write writes the group of a number, whose lines f appends.
func (l *lineWriter) write(worker, number int, f func(t *Transformer, text *SVMLightWriter) error) error {
	written := false
	defer func() {
		if !written { // there may have been a panic, too
			l.stop()
		}
	}()
	own := &l.workers[worker]
	err := f(&own.transformer, &own.text)
	if err == nil {
		own.text.buf, err = l.writePiece(number, own.text.buf)
	}
	written = err == nil
	return err
}

// addUnseen adds what the goroutines left out to the counts of t.
func (l *lineWriter) addUnseen(t *Transformer) {
	for i := range l.workers {
		t.unseenTerms += l.workers[i].transformer.unseenTerms
		t.unseenLabels += l.workers[i].transformer.unseenLabels
	}
}

// piecesWaiting is the most pieces, for each goroutine, that wait for one before them: a document may be
// thousands of times as long as others.
const piecesWaiting = 4

// An orderedWriter writes numbered pieces of text, which come in any order, by their numbers. The
// numbers that are at work at a time must have those before them written or at work.
type orderedWriter struct {
	mu      sync.Mutex
	turn    sync.Cond // a piece was written, or no more are
	w       io.Writer
	next    int            // the piece to write next
	most    int            // pieces that may be behind it
	waiting map[int][]byte // pieces behind it
	spare   [][]byte       // memory of pieces that were written
	stopped bool           // no more pieces are written
}

// writePiece writes a piece and those that waited for it, or lets it wait for those before it. It takes
// the memory of text and returns other memory for the next piece. Goroutines that have a piece
// while another one is written wait, so that they do not run far ahead of the writer. The error is that
// of writing; after another goroutine's error there is none, and nothing is written.
func (o *orderedWriter) writePiece(number int, text []byte) (room []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for number-o.next > o.most && !o.stopped {
		o.turn.Wait()
	}
	o.waiting[number] = text
	for !o.stopped {
		text, ready := o.waiting[o.next]
		if !ready {
			break
		}
		delete(o.waiting, o.next)
		o.next++
		n, err := o.w.Write(text)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		if err != nil {
			o.stopped = true
			return nil, err
		}
		o.spare = append(o.spare, text[:0])
	}
	o.turn.Broadcast()
	if last := len(o.spare) - 1; last >= 0 {
		room, o.spare = o.spare[last], o.spare[:last]
	}
	return room, nil
}

// stop has nothing more written, and nobody wait.
func (o *orderedWriter) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopped = true
	o.turn.Broadcast()
}
