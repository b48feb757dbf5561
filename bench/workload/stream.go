package workload

import (
	"context"
	"fmt"
	"strconv"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// A Form is what the documents of a stream are made of. The corpus is the same.
type Form int

const (
	// Text has the words in the order in which they were drawn.
	Text Form = iota
	// Counts has the words with their counts, those frequent in the corpus first.
	Counts
	// Numbers has numbers with counts, ascending from 1, and classes numbered from
	// 0. A term's number says nothing about its frequency.
	Numbers
)

// Documents streams the corpus of these parameters. It holds one block of
// documents for each thread and no more, whatever their number; counting takes
// four bytes more for each term of the vocabulary and thread. threads is as in
// [pool.Threads]. An error is one of the parameters; in the stream, the end of the
// context.
func Documents(ctx context.Context, p Params, form Form, threads int) (document.Stream, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("workload: %w", err)
	}
	return func(yield func(document.Document, error) bool) {
		batches := newBatches(newLaw(p), form, min(pool.Threads(threads), p.blocks()))
		for first := 0; first < p.blocks(); first += len(batches) {
			next := batches[:min(len(batches), p.blocks()-first)]
			if err := fill(ctx, next, first); err != nil {
				yield(document.Document{}, err)
				return
			}
			if !pass(next, yield) {
				return
			}
		}
	}, nil
}

// fill makes consecutive blocks, all at a time.
func fill(ctx context.Context, batches []batch, first int) error {
	return pool.Run(ctx, len(batches), len(batches), func(_, i int) error {
		batches[i].fill(first + i)
		return nil
	})
}

// pass yields the documents until there are no more or nobody wants one.
func pass(batches []batch, yield func(document.Document, error) bool) bool {
	for i := range batches {
		for _, d := range batches[i].documents {
			if !yield(d, nil) {
				return false
			}
		}
	}
	return true
}

// A batch is the documents of a block, in memory that the next one takes over.
type batch struct {
	law       *law
	form      Form
	classes   []string // names
	digits    int      // of the documents' names
	documents []document.Document
	labels    []string           // of all documents
	text      []byte             // of all documents
	features  []document.Feature // of all documents

	// Of the document at hand:
	counter       counter
	ks, ranks     []uint32 // classes and tokens
	terms, counts []uint32
	name          []byte
	ends          []int // of the terms in name
}

func newBatches(l *law, form Form, n int) []batch {
	classes := names("c", l.Classes, classDigits)
	var number []uint32
	if form == Numbers {
		number = l.shuffled()
		for k := range classes {
			classes[k] = strconv.Itoa(k)
		}
	}
	batches := make([]batch, n)
	for i := range batches {
		batches[i] = batch{law: l, form: form, classes: classes, digits: width(l.Documents, documentDigits)}
		batches[i].counter.number = number
	}
	return batches
}

// fill makes the documents of block i.
func (b *batch) fill(i int) {
	b.documents, b.labels, b.text, b.features = b.documents[:0], b.labels[:0], b.text[:0], b.features[:0]
	s := newStream(b.law.Seed, uint64(i)+1)
	for d := range b.law.documentsOf(i) {
		b.ks, b.ranks = b.law.document(s, b.ks[:0], b.ranks[:0])
		b.name = appendName(b.name[:0], "d", i*blockDocuments+d+1, b.digits)
		doc := document.Document{ID: string(b.name), Labels: b.labelled()}
		if b.form == Text {
			doc.Text = b.written()
		} else {
			doc.Features = b.counted()
		}
		b.documents = append(b.documents, doc)
	}
}

// labelled gives the names of the classes.
func (b *batch) labelled() []string {
	from := len(b.labels)
	for _, k := range b.ks {
		b.labels = append(b.labels, b.classes[k])
	}
	return b.labels[from:]
}

// written gives the words with spaces between them.
func (b *batch) written() []byte {
	from := len(b.text)
	for _, r := range b.ranks {
		b.text = append(appendWord(b.text, r), ' ')
	}
	b.text = b.text[:len(b.text)-1]
	return b.text[from:]
}

// counted gives the terms with their counts. Their names share one piece of
// memory.
func (b *batch) counted() []document.Feature {
	b.terms, b.counts = b.counter.count(b.law, b.ranks, b.terms[:0], b.counts[:0])
	b.name, b.ends = b.name[:0], b.ends[:0]
	for _, t := range b.terms {
		b.name = b.appendTerm(b.name, t)
		b.ends = append(b.ends, len(b.name))
	}
	all, start, from := string(b.name), 0, len(b.features)
	for i, end := range b.ends {
		b.features = append(b.features, document.Feature{Term: all[start:end], Value: float64(b.counts[i])})
		start = end
	}
	return b.features[from:]
}

// appendTerm names a term as the form has it.
func (b *batch) appendTerm(to []byte, term uint32) []byte {
	if b.form == Numbers {
		return strconv.AppendUint(to, uint64(term)+1, 10)
	}
	return appendWord(to, term)
}
