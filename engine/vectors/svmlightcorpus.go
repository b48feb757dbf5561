package vectors

import (
	"context"
	"io"
	"sync"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes the rows of a corpus as svmlight text on several threads: each makes the lines
// of some documents, and those that are ready are written in the order of the documents.

// WriteSVMLight writes the rows that [Transformer.Corpus] yields as [WriteSVMLight] does, made
// on several threads; 0 means GOMAXPROCS. w must not use c. Only one goroutine at a time writes.
func (t *Transformer) WriteSVMLight(ctx context.Context, w io.Writer, c *corpus.Corpus, threads int) error {
	if w == nil || c == nil {
		return usage.Errorf("a nil writer or a nil corpus was given")
	}
	if err := t.checkAnalysis(c); err != nil {
		return err
	}
	there, err := corpus.Rows(c, func(r *store.Rows) error {
		s, err := t.selectedOf(ctx, c, r, threads)
		if err != nil {
			return err
		}
		return t.writeLines(ctx, w, c, threads, func() elementReader {
			return &selectedReader{selectedRows: s, order: newFeatureOrder(s.features)}
		})
	})
	if there || err != nil {
		return err
	}
	elements, err := t.elementsOfLists(ctx, c, threads)
	if err != nil {
		return err
	}
	return t.writeLines(ctx, w, c, threads, func() elementReader { return elements })
}

// A lineMaker makes the lines of documents on one goroutine.
type lineMaker struct {
	rowMaker
	transformer Transformer // its own, for it counts
	text        SVMLightWriter
}

// writeLines writes the lines of all documents. newReader returns a reader for a goroutine.
func (t *Transformer) writeLines(ctx context.Context, w io.Writer, c *corpus.Corpus, threads int, newReader func() elementReader) error {
	docs, err := newInputDocuments(c)
	if err != nil {
		return err
	}
	makers := make([]*lineMaker, pool.Threads(threads))
	out := orderedWriter{w: w, waiting: map[int][]byte{}}
	n := len(docs.order)
	err = pool.Run(ctx, threads, (n+documentsAtOnce-1)/documentsAtOnce, func(worker, chunk int) error {
		m := makers[worker]
		if m == nil {
			m = &lineMaker{transformer: *t}
			m.transformer.unseenLabels = 0
			m.rowMaker = rowMaker{transformer: &m.transformer, documents: docs, elements: newReader(), features: uint32(len(t.selection.Features))}
			makers[worker] = m
		}
		for place := chunk * documentsAtOnce; place < min((chunk+1)*documentsAtOnce, n); place++ {
			if err := m.make(place); err != nil {
				return err
			}
			m.text.appendLine(m.row)
		}
		room, err := out.write(chunk, m.text.buf)
		m.text.buf = room
		return err
	})
	for _, m := range makers {
		if m != nil {
			t.unseenLabels += m.transformer.unseenLabels
		}
	}
	return err
}

// An orderedWriter writes numbered pieces of text, which come in any order, by their numbers.
type orderedWriter struct {
	mu      sync.Mutex
	w       io.Writer
	next    int            // the piece to write next
	waiting map[int][]byte // pieces behind it
	spare   [][]byte       // memory of pieces that were written
	err     error          // of the first write that failed
}

// write writes a piece and those that waited for it, or lets it wait for those before it. It takes
// the memory of text and returns other memory for the next piece. Goroutines that have a piece
// while another one is written wait, so that they do not run far ahead of the writer.
func (o *orderedWriter) write(number int, text []byte) (room []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[number] = text
	for text, ready := o.waiting[o.next]; ready && o.err == nil; text, ready = o.waiting[o.next] {
		delete(o.waiting, o.next)
		o.next++
		n, err := o.w.Write(text)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		o.err = err
		o.spare = append(o.spare, text[:0])
	}
	if last := len(o.spare) - 1; last >= 0 {
		room, o.spare = o.spare[last], o.spare[:last]
	}
	return room, o.err
}
