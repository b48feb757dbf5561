package workload

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// Documents streams the corpus of these parameters as texts, with the words in the order in which they were
// drawn. It holds one block of documents for each thread and no more, whatever their number. threads is as in
// [pool.Threads]. The stream has an error at the end of the context.
func Documents(ctx context.Context, p Params, threads int) document.Stream {
	return func(yield func(document.Document, error) bool) {
		l, classes := newLaw(p), names("c", p.Classes, classDigits)
		batches := make([][]document.Document, min(pool.Threads(threads), p.blocks()))
		for first := 0; first < p.blocks(); first += len(batches) {
			next := batches[:min(len(batches), p.blocks()-first)]
			err := pool.Run(ctx, len(next), len(next), func(_, i int) error {
				next[i] = l.texts(first+i, classes)
				return nil
			})
			if err != nil {
				yield(document.Document{}, err)
				return
			}
			for _, d := range slices.Concat(next...) {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// texts makes the documents of block i.
func (l *law) texts(i int, classes []string) []document.Document {
	docs := make([]document.Document, l.documentsOf(i))
	s := newStream(l.Seed, uint64(i)+1)
	var labels, ranks []uint32
	for d := range docs {
		labels, ranks = l.document(s, labels[:0], ranks[:0])
		docs[d].ID = name("d", i*blockDocuments+d+1, l.Documents, documentDigits)
		for _, k := range labels {
			docs[d].Labels = append(docs[d].Labels, classes[k])
		}
		var text []byte
		for _, r := range ranks {
			text = append(appendWord(text, r), ' ')
		}
		docs[d].Text = text[:len(text)-1]
	}
	return docs
}

// WriteLines writes the documents as JSON lines with the keys id, labels and text. Generated names and words have
// ASCII letters and digits alone, which JSON does not escape.
func WriteLines(ctx context.Context, w io.Writer, p Params, threads int) error {
	to := bufio.NewWriter(w)
	for d, err := range Documents(ctx, p, threads) {
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
