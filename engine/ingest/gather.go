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
	terms        []uint32                // of the current document
	counts       []uint32                // of terms
	documents    uint64                  // number of documents added
	fingerprints *document.Fingerprinter // nil unless repeats are to be found
	spare        postings.Columns        // memory that the last batch has left unused
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
	w := &worker{counter: b.analyzer.NewCounter(), classes: map[string]uint32{}, textsOnly: b.opt.Analysis.HashBits > 0 && b.opt.Segment == 0}
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

// addTerms counts the terms of a document's text, or adds its features.
func (b *countedBatch) addTerms(d document.Document) {
	if d.Features != nil {
		b.addFeatures(d.Features)
		return
	}
	w := b.worker
	w.terms, w.counts = w.counter.CountColumns(d.Text, w.terms[:0], w.counts[:0])
	c := b.columnsFor(len(w.terms), false)
	c.Terms, c.Counts = append(c.Terms, w.terms...), append(c.Counts, w.counts...)
	tokens := uint64(0)
	for _, n := range w.counts {
		tokens += uint64(n)
	}
	c.DocStart = append(c.DocStart, uint64(len(c.Terms)))
	b.tokens.Sum += float64(tokens)
}

// addFeatures adds features whose terms checkDocument has numbered. Their values become
// counts if all of the document's values are whole numbers that fit, else float64.
func (b *countedBatch) addFeatures(features []document.Feature) {
	isReal := false
	for _, f := range features {
		fraction := f.Value != math.Trunc(f.Value)
		b.tokens.Sum, b.tokens.Real = b.tokens.Sum+f.Value, b.tokens.Real || fraction
		isReal = isReal || fraction || f.Value > math.MaxUint32
	}
	c := b.columnsFor(len(features), isReal)
	c.Terms = append(c.Terms, b.worker.featureTerms...)
	for _, f := range features {
		if isReal {
			c.Values = append(c.Values, f.Value)
		} else {
			c.Counts = append(c.Counts, uint32(f.Value))
		}
	}
	c.DocStart = append(c.DocStart, uint64(len(c.Terms)))
}

// columnPostings is the number of postings that memory is allocated for at a time, a
// megabyte. Columns do not grow: copying them would take 5 % of the time for 20
// Newsgroups, and half as much memory again.
const columnPostings = 1 << 17

// columnsFor returns columns with room for n postings, of real values if isReal, else of
// counts.
func (b *countedBatch) columnsFor(n int, isReal bool) *postings.Columns {
	if len(b.columns) > 0 {
		c := &b.columns[len(b.columns)-1]
		if cap(c.Terms)-len(c.Terms) >= n && isReal == (c.Values != nil) {
			return c
		}
		b.lendSpare()
	}
	room := b.worker.spare
	b.worker.spare = postings.Columns{}
	if cap(room.Terms) < n || isReal != (room.Values != nil) {
		n = max(n, columnPostings)
		room = postings.Columns{Terms: make([]uint32, 0, n)}
		if isReal {
			room.Values = make([]float64, 0, n)
		} else {
			room.Counts = make([]uint32, 0, n)
		}
	}
	room.DocStart = []uint64{0}
	b.columns = append(b.columns, room)
	return &b.columns[len(b.columns)-1]
}

// lendSpare leaves the unused memory of the last columns to the worker's next batch.
func (b *countedBatch) lendSpare() {
	if len(b.columns) == 0 {
		return
	}
	c := &b.columns[len(b.columns)-1]
	if cap(c.Terms) == len(c.Terms) {
		return // nothing is left, or it was lent already
	}
	b.worker.spare = postings.Columns{Terms: unusedTail(c.Terms), Counts: unusedTail(c.Counts), Values: unusedTail(c.Values)}
	c.Terms, c.Counts, c.Values = slices.Clip(c.Terms), slices.Clip(c.Counts), slices.Clip(c.Values)
}

// unusedTail returns the part of a column's capacity behind its end, nil for a nil column.
func unusedTail[T any](column []T) []T {
	if column == nil {
		return nil
	}
	return column[len(column):]
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
	b.lendSpare()
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
