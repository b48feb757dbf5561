package vectors

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

const bufferSize = 1 << 18

// WriteSVMLight writes rows as svmlight text: the target, or else the labels as places of
// their classes, joined by commas, then index:value pairs. A row without these begins with a space. Values
// have the shortest form that gives the float32 back.
func WriteSVMLight(w io.Writer, rows iter.Seq2[Row, error]) error {
	if w == nil || rows == nil {
		return usage.Errorf("a nil writer or nil rows were given")
	}
	out := bufio.NewWriterSize(w, bufferSize)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if _, err := out.Write(appendLine(out.AvailableBuffer(), row)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendLine appends the line of a row.
func appendLine(line []byte, r Row) []byte {
	labels := r.Labels
	if r.Target != "" {
		line, labels = append(line, r.Target...), nil
	}
	for i, l := range labels {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendInt(line, int64(l), 10)
	}
	for i, index := range r.Index {
		line = strconv.AppendUint(append(line, ' '), uint64(index), 10)
		line = append(line, ':')
		if value := r.Value[i]; value > -1<<24 && value < 1<<24 && value == float32(int32(value)) {
			line = strconv.AppendInt(line, int64(value), 10)
		} else {
			line = strconv.AppendFloat(line, float64(value), 'g', -1, 32)
		}
	}
	return append(line, '\n')
}

// Rows become svmlight text on several threads: each makes the lines of some
// documents, and those that are ready are written in the order of the documents.

// WriteSVMLight writes the rows that [Transformer.Corpus] yields as [WriteSVMLight] does, made
// on several threads; 0 means GOMAXPROCS. Only one goroutine at a time writes.
func (t *Transformer) WriteSVMLight(ctx context.Context, w io.Writer, c *corpus.Corpus, threads int) error {
	if w == nil || c == nil {
		return usage.Errorf("a nil writer or a nil corpus was given")
	}
	out := newOrderedWriter(w, threads)
	return t.eachChunk(ctx, c, threads, func(chunk int, m *rowMaker, places pool.Range) error {
		return out.write(chunk, func(text []byte) ([]byte, error) {
			for place := places.From; place < places.To; place++ {
				if err := m.make(place); err != nil {
					return nil, err
				}
				text = appendLine(text, m.row)
			}
			return text, nil
		})
	})
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
	out := newOrderedWriter(w, threads)
	vectorizers := make([]*vectorizer, pool.Threads(threads))
	err = pool.Feed(ctx, threads, batches, func(worker, number int, docs document.Stream) error {
		if vectorizers[worker] == nil {
			vectorizers[worker] = t.fork().newVectorizer(a)
		}
		return out.write(number, func(text []byte) ([]byte, error) {
			err := vectorizers[worker].rows(ctx, docs, func(r Row) bool {
				text = appendLine(text, r)
				return true
			})
			return text, err
		})
	})
	for _, v := range vectorizers {
		if v != nil {
			t.addUnseen(v.transformer)
		}
	}
	return err
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

func newOrderedWriter(w io.Writer, threads int) *orderedWriter {
	o := &orderedWriter{w: w, most: piecesWaiting * pool.Threads(threads), waiting: map[int][]byte{}}
	o.turn.L = &o.mu
	return o
}

// memory returns that of a piece that was written, nil if there is none.
func (o *orderedWriter) memory() (text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if last := len(o.spare) - 1; last >= 0 {
		text, o.spare = o.spare[last], o.spare[:last]
	}
	return text
}

// write writes the piece of a number, which f appends to a text, and those that waited for it, or lets it wait for those
// before it. Goroutines that have a piece while another one is written wait, so that they do not run far ahead of the writer. The
// error is that of f or of writing; after another goroutine's error there is none, and nothing is written.
func (o *orderedWriter) write(number int, f func(text []byte) ([]byte, error)) error {
	text, err := o.memory(), pool.ErrGoexit // which stays if f panics
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.stopped = o.stopped || err != nil // nobody waits any more
		o.turn.Broadcast()
	}()
	if text, err = f(text); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for number-o.next > o.most && !o.stopped {
		o.turn.Wait()
	}
	o.waiting[number] = text
	for text, ready := o.waiting[o.next]; ready && !o.stopped; text, ready = o.waiting[o.next] {
		delete(o.waiting, o.next)
		o.next++
		var n int
		if n, err = o.w.Write(text); err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		o.stopped, o.spare = err != nil, append(o.spare, text[:0])
	}
	return err
}
