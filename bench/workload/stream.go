package workload

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// Documents streams the corpus of these parameters as texts, with the words in the order in which they were
// drawn. It holds one block of documents for each thread and no more, whatever their number. threads is as in
// [pool.Threads]. An error is one of the parameters; in the stream, the end of the context.
func Documents(ctx context.Context, p Params, threads int) (document.Stream, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("workload: %w", err)
	}
	return func(yield func(document.Document, error) bool) {
		batches := newBatches(newLaw(p), min(pool.Threads(threads), p.blocks()))
		for first := 0; first < p.blocks(); first += len(batches) {
			next := batches[:min(len(batches), p.blocks()-first)]
			err := pool.Run(ctx, len(next), len(next), func(_, i int) error {
				next[i].fill(first + i)
				return nil
			})
			if err != nil {
				yield(document.Document{}, err)
				return
			}
			for i := range next {
				for _, d := range next[i].documents {
					if !yield(d, nil) {
						return
					}
				}
			}
		}
	}, nil
}

// WriteLines writes the documents as JSON lines with the keys id, labels and text. Generated names and words have
// ASCII letters and digits alone, which JSON does not escape.
func WriteLines(ctx context.Context, w io.Writer, p Params, threads int) error {
	docs, err := Documents(ctx, p, threads)
	if err != nil {
		return err
	}
	to := bufio.NewWriter(w)
	for d, err := range docs {
		if err != nil {
			return err
		}
		fmt.Fprintf(to, `{"id":"%s","labels":[`, d.ID)
		for i, label := range d.Labels {
			if i > 0 {
				to.WriteByte(',')
			}
			fmt.Fprintf(to, `"%s"`, label)
		}
		fmt.Fprintf(to, `],"text":"%s"}`+"\n", d.Text)
	}
	return to.Flush()
}

// A batch is the documents of a block, in memory that the next one takes over.
type batch struct {
	law       *law
	classes   []string // names
	digits    int      // of the documents' names
	documents []document.Document
	labels    []string // of all documents
	text      []byte   // of all documents

	// Of the document at hand:
	ks, ranks []uint32 // classes and tokens
	name      []byte
}

func newBatches(l *law, n int) []batch {
	classes := names("c", l.Classes, classDigits)
	batches := make([]batch, n)
	for i := range batches {
		batches[i] = batch{law: l, classes: classes, digits: width(l.Documents, documentDigits)}
	}
	return batches
}

// fill makes the documents of block i.
func (b *batch) fill(i int) {
	b.documents, b.labels, b.text = b.documents[:0], b.labels[:0], b.text[:0]
	s := newStream(b.law.Seed, uint64(i)+1)
	for d := range b.law.documentsOf(i) {
		b.ks, b.ranks = b.law.document(s, b.ks[:0], b.ranks[:0])
		b.name = appendName(b.name[:0], "d", i*blockDocuments+d+1, b.digits)
		b.documents = append(b.documents, document.Document{ID: string(b.name), Labels: b.labelled(), Text: b.written()})
	}
}

// labelled returns the names of the classes.
func (b *batch) labelled() []string {
	from := len(b.labels)
	for _, k := range b.ks {
		b.labels = append(b.labels, b.classes[k])
	}
	return b.labels[from:]
}

// written returns the words with spaces between them.
func (b *batch) written() []byte {
	from := len(b.text)
	for _, r := range b.ranks {
		b.text = append(appendWord(b.text, r), ' ')
	}
	b.text = b.text[:len(b.text)-1]
	return b.text[from:]
}
