package ingest

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file counts the terms of documents on several goroutines. Each has a dictionary
// of its own; join.go makes one source of an index of the counted batches.

// A worker is what one goroutine counts with: its dictionary, its numbers of classes, and
// memory that is used again for the next document.
type worker struct {
	counter      *analysis.Counter
	classes      map[string]uint32
	labels       []string                // by class
	lastDocOf    []uint64                // by class: the value of documents at the last document that has it
	documents    uint64                  // number of documents added
	fingerprints *document.Fingerprinter // nil unless repeats are to be found
	columns      postings.Columns        // of the batch in hand, but for what was moved to it
	isReal       bool                    // the columns have real values
	textsOnly    bool                    // the terms are columns of hashes, which are made of texts

	// What checkDocument knows of documents that came as features: the numbers of the
	// current document's terms, the number of such documents, and by term the last of
	// them that has it.
	featureTerms   []uint32
	featureDoc     uint64
	lastFeatureDoc []uint64

	// When all have been counted: the numbers of the terms in the dictionary of all workers, nil if they keep theirs,
	// and those of the classes.
	termNumbers, classNumbers []uint32
}

func (b *builder) newWorker() *worker {
	w := &worker{counter: b.analyzer.NewCounter(), classes: map[string]uint32{}, columns: postings.Columns{DocStart: []uint64{0}}, textsOnly: b.opt.Analysis.HashBits > 0 && b.opt.Segment == 0}
	if b.opt.Dedupe {
		w.fingerprints = &document.Fingerprinter{}
	}
	return w
}

// appendClasses appends the classes of the next document, each once, in the order of their first
// occurrences. It does not compare labels with each other, for a document may have thousands.
func (w *worker) appendClasses(classes []uint32, labels []string) []uint32 {
	w.documents++
	for _, label := range labels {
		class, ok := w.classes[label]
		if !ok {
			class = uint32(len(w.labels))
			w.classes[label] = class
			w.labels = append(w.labels, label)
			w.lastDocOf = append(w.lastDocOf, 0)
		}
		if w.lastDocOf[class] != w.documents {
			w.lastDocOf[class] = w.documents
			classes = append(classes, class)
		}
	}
	return classes
}

// A countedBatch has the counts of consecutive documents, with terms and classes in the
// numbers of one worker.
type countedBatch struct {
	worker     *worker
	ids        []string
	labelStart []uint32 // by document: where its classes begin in labels; and the end
	labels     []uint32
	columns    []postings.Columns
	idBytes    int64                  // bytes of the documents' names, twice
	contents   []document.Fingerprint // by document, if Options.Dedupe: of the contents alone
	tokens     TokenTotal
}

// addDocument counts a document. If it returns an error, the batch is as it was before.
func (b *countedBatch) addDocument(d document.Document) error {
	if err := b.worker.checkDocument(&d); err != nil {
		return err
	}
	if prints := b.worker.fingerprints; prints != nil {
		b.contents = append(b.contents, prints.Of(d))
	}
	b.addTerms(d)
	b.ids = append(b.ids, d.ID)
	b.idBytes += 2 * int64(len(d.ID))
	b.labels = b.worker.appendClasses(b.labels, d.Labels)
	b.labelStart = append(b.labelStart, uint32(len(b.labels)))
	return nil
}

// addTerms counts the terms of a document's text, or adds its features. Their values become counts if all of them are
// whole numbers that fit, else float64.
func (b *countedBatch) addTerms(d document.Document) {
	w := b.worker
	c := &w.columns
	isReal := false
	for _, f := range d.Features {
		fraction := f.Value != math.Trunc(f.Value)
		b.tokens.Sum, b.tokens.Real = b.tokens.Sum+f.Value, b.tokens.Real || fraction
		isReal = isReal || fraction || f.Value > math.MaxUint32
	}
	if isReal != w.isReal || len(c.Terms) >= columnPostings {
		b.flush()
	}
	w.isReal = isReal
	if d.Features == nil {
		before := len(c.Counts)
		c.Terms, c.Counts = w.counter.CountColumns(d.Text, c.Terms, c.Counts)
		tokens := uint64(0)
		for _, n := range c.Counts[before:] {
			tokens += uint64(n)
		}
		b.tokens.Sum += float64(tokens)
	} else {
		c.Terms = append(c.Terms, w.featureTerms...)
	}
	for _, f := range d.Features {
		if isReal {
			c.Values = append(c.Values, f.Value)
		} else {
			c.Counts = append(c.Counts, uint32(f.Value))
		}
	}
	c.DocStart = append(c.DocStart, uint64(len(c.Terms)))
}

// columnPostings is how many postings are moved from a worker to a batch at a time, about a megabyte. Columns of all
// documents, which grow, would take 5 % of the time for 20 Newsgroups, and half as much memory again.
const columnPostings = 1 << 17

// flush moves a copy of what is in the worker's columns to the batch.
func (b *countedBatch) flush() {
	c := &b.worker.columns
	if len(c.DocStart) > 1 {
		part := postings.Columns{DocStart: slices.Clone(c.DocStart), Terms: slices.Clone(c.Terms)}
		if b.worker.isReal {
			part.Values = slices.Clone(c.Values)
		} else {
			part.Counts = slices.Clone(c.Counts)
		}
		b.columns = append(b.columns, part)
	}
	*c = postings.Columns{DocStart: append(c.DocStart[:0], 0), Terms: c.Terms[:0], Counts: c.Counts[:0], Values: c.Values[:0]}
}

// A gatherer counts batches on several workers, and keeps what they counted.
type gatherer struct {
	b       *builder
	workers []*worker // by the number of the goroutine
	mu      sync.Mutex
	batches []*countedBatch // by the number of the batch; with one worker all in one
}

// newGatherer returns a gatherer with a worker for each thread.
func newGatherer(b *builder) *gatherer {
	g := &gatherer{b: b}
	for range pool.Threads(b.opt.Threads) {
		g.workers = append(g.workers, b.newWorker())
	}
	return g
}

// countBatch counts the documents of the batch with this number on a worker.
func (g *gatherer) countBatch(ctx context.Context, worker, number int, docs document.Stream) error {
	b := g.countedBatchOf(worker, number)
	before := b.footprint()
	if err := eachDocument(ctx, docs, b.addDocument); err != nil {
		return err
	}
	b.flush()
	g.b.footprint.Add(b.footprint() - before)
	return nil
}

// countedBatchOf returns where the batch with this number is counted. A single worker,
// which gets the batches in order, counts all of them into one, so that nothing has to be
// joined.
func (g *gatherer) countedBatchOf(worker, number int) *countedBatch {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.workers) == 1 {
		number = 0
	}
	for len(g.batches) <= number {
		g.batches = append(g.batches, nil)
	}
	if g.batches[number] == nil {
		g.batches[number] = &countedBatch{worker: g.workers[worker], labelStart: []uint32{0}}
	}
	return g.batches[number]
}
