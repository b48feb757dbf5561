// Package document holds the one type that readers produce and the engine
// consumes: a labelled document, as text or already counted. It is a leaf; it
// imports nothing of this module.
package document

import (
	"iter"
	"strconv"
)

// A Document is one labelled unit of a corpus.
//
// Exactly one of Text and Features is used: a nil Features means that Text is
// to be analysed. The slices may be reused by the producer as soon as the loop
// body that received the document returns; a consumer that keeps them copies.
type Document struct {
	// ID names the document: the member path, or the field of the record.
	ID string
	// Labels are the classes of the document, a set; none means unlabelled.
	Labels []string
	// Split is the part of the collection: "train", "test", "unused", or "" where the
	// input does not say.
	Split string
	// Text is UTF-8, or mostly so: a malformed byte separates tokens.
	Text []byte
	// Features are the terms of a document that came counted or weighted.
	Features []Feature
	// Source says where the document was read, for error messages.
	Source Position
}

// A Feature is a term with its value: a count of 1 or more, or a real weight.
type Feature struct {
	Term  string
	Value float64
}

// A Position is a place in an input.
type Position struct {
	// File is the path of the file, with the archive member behind a "!"
	// where there is one: "20news.tar.gz!20news/sci.space/60169".
	File string
	// Line and Column count from 1; 0 means that they are not known.
	Line, Column int
}

// String gives the position as file, file:line or file:line:column.
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

// A Stream yields documents in their defined order. A non-nil error ends it.
type Stream = iter.Seq2[Document, error]

// Batches yields documents in their defined order, some at a time. Each stream
// may be run once, on any goroutine, beside those before and behind it. A non-nil
// error ends the batches.
type Batches = iter.Seq2[Stream, error]

// InBatches gives documents in memory as batches, nothing copied.
func InBatches(docs []Document) Batches {
	return func(yield func(Stream, error) bool) {
		for from := 0; from < len(docs); {
			to, bytes := from, 0
			for to < len(docs) && bytes < batchBytes {
				bytes += len(docs[to].Text) + featureBytes*len(docs[to].Features) + 1
				to++
			}
			if !yield(stream(docs[from:to]), nil) {
				return
			}
			from = to
		}
	}
}

const (
	// batchBytes of text make a batch: enough to be worth handing over, and little
	// beside the caches.
	batchBytes   = 256 << 10
	featureBytes = 24
)

func stream(docs []Document) Stream {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}
