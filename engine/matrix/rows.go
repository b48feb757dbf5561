package matrix

import (
	"slices"

	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file reads matrices of counts by document.

// prefetched is the number of elements of a line that are asked for: the CPU foresees the ones
// behind them.
const prefetched = 64

// stored returns the number of elements of all lines.
func (t *task) stored() int64 {
	from, _ := t.bounds(0)
	_, to := t.bounds(t.lineCount() - 1)
	return int64(to - from)
}

// A lineReader reads lines of a matrix by rows, and checks them.
type lineReader struct {
	*task
	repeats repeats
	terms   []uint32 // of a document
}

func (r *lineReader) Add(c *table.Counter, doc uint32) (elements int, err error) {
	from, to := r.bounds(int(doc))
	ok, ascending := r.addRow(c, span{from, to})
	if !ok {
		return 0, errNoCounts
	}
	if !ascending {
		err = r.readTerms(doc, span{from, to})
	}
	return to - from, err
}

func (r *lineReader) Terms(doc uint32) []uint32 {
	from, to := r.bounds(int(doc))
	_ = r.readTerms(doc, span{from, to}) // which were read before
	return r.terms
}

// readTerms reads the terms of a document, each of which may be there once.
func (r *lineReader) readTerms(doc uint32, line span) error {
	n := line.to - line.from
	r.terms = slices.Grow(r.terms[:0], n)[:n]
	ok, ascending := r.read(r.terms, line, r.task.terms)
	if !ok {
		return errNoCounts
	}
	if !ascending && r.repeats.in(r.terms, r.task.terms) {
		return r.checkRepeats(int(doc))
	}
	return nil
}

func (r *lineReader) Prefetch(doc uint32) {
	from, to := r.bounds(int(doc))
	line := span{from, min(to, from+prefetched)}
	r.prefetch(line)
	if r.valued {
		r.prefetchValues(line)
	}
}

// A documentReader reads documents of counts.
type documentReader struct{ columns *postings.Columns }

func (r documentReader) Add(c *table.Counter, doc uint32) (elements int, err error) {
	from, to := r.columns.DocStart[doc], r.columns.DocStart[doc+1]
	c.Add(r.columns.Terms[from:to], r.columns.Counts[from:to])
	return int(to - from), nil
}

func (r documentReader) Terms(doc uint32) []uint32 {
	return r.columns.Terms[r.columns.DocStart[doc]:r.columns.DocStart[doc+1]]
}

func (r documentReader) Prefetch(doc uint32) {
	from := r.columns.DocStart[doc]
	to := min(r.columns.DocStart[doc+1], from+prefetched)
	kernels.Prefetch(r.columns.Terms[from:to])
	kernels.Prefetch(r.columns.Counts[from:to])
}

// repeats finds numbers that stand twice in a line which is not in order, without sorting it.
type repeats struct {
	line uint32   // the number of the line
	last []uint32 // by number, the last line that has it
}

// in reports whether a number stands twice in a line. All are below width.
func (r *repeats) in(line []uint32, width int) bool {
	r.line++
	if r.line == 0 || len(r.last) < width {
		r.last = slices.Grow(r.last[:0], width)[:width]
		clear(r.last)
		r.line = 1
	}
	for _, at := range line {
		if r.last[at] == r.line {
			return true
		}
		r.last[at] = r.line
	}
	return false
}
