// Package document has the one type that readers produce and the engine consumes: a
// labelled [Document], as text or already counted, in a [Stream] or in [Batches].
//
// [Of] and [InBatches] make these of documents in memory; a [Fingerprinter] finds documents
// with the same contents. Begin reading with Document. The package imports nothing of this
// module and never reads a file.
package document

import (
	"iter"
	"strconv"
)

// A Document is one labelled unit of a corpus.
//
// If Features is nil, Text is analysed; else Text is not used. The producer may reuse the
// slices as soon as the loop body that received the document returns; a consumer that
// keeps them must copy them.
type Document struct {
	// ID names the document: the member path, or the field of the record.
	ID string
	// Labels are the classes of the document, a set; none means unlabelled. They must be
	// UTF-8.
	Labels []string
	// Split is the part of the collection: "train", "test", "unused", or "" if the input
	// does not tell.
	Split string
	// Text is UTF-8. A malformed byte separates tokens.
	Text []byte
	// Features are the terms of a document that is counted or weighted already, each once.
	Features []Feature
	// Source says where the document was read, for error messages.
	Source Position
}

// A Feature is a term, of any bytes, with its value: a count of 1 or more, or a real
// weight above 0.
type Feature struct {
	Term  string
	Value float64
}

// A Position is a place in an input.
type Position struct {
	// File is the path of the file. A member of an archive follows behind a "!":
	// "20news.tar.gz!20news/sci.space/60169".
	File string
	// Line and Column count from 1; 0 is unknown.
	Line, Column int
}

// String returns the position as file, file:line or file:line:column.
func (p Position) String() string {
	s := p.File
	for _, n := range []int{p.Line, p.Column} {
		if n == 0 {
			break
		}
		s += ":" + strconv.Itoa(n)
	}
	return s
}

// A Stream yields documents in order. A non-nil error ends it.
type Stream = iter.Seq2[Document, error]

// Batches yields documents in order, a stream of some at a time. Each stream may be run
// once, on any goroutine, at the same time as others. A non-nil error ends the batches.
type Batches = iter.Seq2[Stream, error]

// InBatches yields docs in batches. It copies nothing.
func InBatches(docs []Document) Batches {
	return func(yield func(Stream, error) bool) {
		for from := 0; from < len(docs); {
			to, bytes := from, 0
			for to < len(docs) && bytes < batchBytes {
				bytes += len(docs[to].Text) + featureBytes*len(docs[to].Features) + 1
				to++
			}
			if !yield(Of(docs[from:to]...), nil) {
				return
			}
			from = to
		}
	}
}

const (
	// batchBytes is the number of bytes that make a batch: enough to be worth waking a
	// worker for, and little beside the caches.
	batchBytes   = 256 << 10
	featureBytes = 24 // what a feature counts
)

// Of yields docs. It copies nothing.
func Of(docs ...Document) Stream {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}
