package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vocabulary"
)

// This file counts texts straight into cells, without postings. Documents that come as
// features may have real values, whose sums depend on their order: they are gathered and
// counted as for an index, and added.

// Counted is a table with what else was seen while it was counted.
type Counted struct {
	*table.Table
	EmptyDocuments int // without a term; Documents includes them
}

// Tallies reports whether [Count] can count with the options: not if it has to know the
// documents apart (Dedupe) or cut them (Segment), or the frequencies of terms in all of them (MinDF and MaxDF), or
// has a bound on its memory (MaxMemory).
func (opt *Options) Tallies() bool { return opt.needsIndex() == "" }

// needsIndex returns the name of an option that Count does not have, or "".
func (opt *Options) needsIndex() string {
	switch {
	case opt.Dedupe:
		return "Dedupe"
	case opt.Segment != 0:
		return "Segment"
	case opt.MinDF != 0:
		return "MinDF"
	case opt.MaxDF != 0:
		return "MaxDF"
	case opt.MaxMemory != 0:
		return "MaxMemory"
	}
	return ""
}

// Count returns the statistics of the documents of batches, as those of the index of
// [BuildIndex], but without an index: texts are counted into cells, in memory that grows with
// the terms and cells of each thread. The options must be such that [Options.Tallies] reports true.
// The batches are run on other goroutines than the caller's.
func Count(ctx context.Context, batches document.Batches, opt Options) (*Counted, error) {
	if option := opt.needsIndex(); option != "" {
		return nil, usage.Errorf("the option %s needs an index: build one, or count without it", option)
	}
	b, err := newBuilder(opt)
	if err != nil {
		return nil, err
	}
	return counted(ctx, b, batches, func(ctx context.Context) (*Counted, error) {
		c, err := b.tally(ctx)
		if err != nil {
			return nil, err
		}
		c.SetProvenance(b.provenance())
		return c, b.checkCounted(c.Documents(), c.Cells.Labelled > 0, c.Terms())
	})
}

// tally counts documents, all of them or as many as the bound on memory allows, and returns their table without a
// provenance.
func (b *builder) tally(ctx context.Context) (*Counted, error) {
	t := &tallier{builder: b, features: newGatherer(b)}
	for range pool.Threads(b.opt.Threads) {
		t.workers = append(t.workers, &tallyWorker{worker: b.newWorker(), tally: table.NewTally()})
	}
	if err := b.read(ctx, t.countBatch); err != nil {
		return nil, err
	}
	return t.sum(ctx)
}

// A tallier counts batches on several workers.
type tallier struct {
	*builder
	workers  []*tallyWorker
	features *gatherer // counts the documents that come as features
}

// A tallyWorker is what one goroutine counts texts with.
type tallyWorker struct {
	*worker
	tally *table.Tally

	own, terms, counts []uint32 // the classes of the current document, its terms and their counts

	footprint int64 // its part of that of the builder
}

// countBatch counts the documents of the batch with this number.
func (t *tallier) countBatch(ctx context.Context, worker, number int, docs document.Stream) error {
	w := t.workers[worker]
	var features *countedBatch
	err := eachDocument(ctx, docs, func(d document.Document) error {
		if d.Features == nil {
			return w.addText(d)
		}
		features = t.features.countedBatchOf(worker, number)
		return features.addDocument(d)
	})
	if err != nil {
		return err
	}
	if features != nil {
		features.flush()
	}
	before := w.footprint
	w.footprint = w.counter.Bytes() + w.tally.Bytes() + int64(w.counter.Len())*tallyTermBytes
	t.footprint.Add(w.footprint - before)
	return nil
}

// addText counts a document with a text.
func (w *tallyWorker) addText(d document.Document) error {
	if err := w.checkDocument(&d); err != nil {
		return err
	}
	w.own = w.appendClasses(w.own[:0], d.Labels)
	w.terms, w.counts = w.counter.CountColumns(d.Text, w.terms[:0], w.counts[:0])
	w.tally.Add(w.own, w.terms, w.counts)
	return nil
}

// sum adds up what the workers have counted, and adds it to the totals.
func (t *tallier) sum(ctx context.Context) (*Counted, error) {
	parts := make([]*table.Table, len(t.workers))
	err := pool.Run(ctx, t.opt.Threads, len(parts), func(_, i int) error {
		w := t.workers[i]
		terms, _, err := vocabulary.Join(ctx, 1, []*analysis.Counter{w.counter})
		if err == nil {
			parts[i], err = w.tally.Table(ctx, terms, w.labels)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c := &Counted{}
	for _, w := range t.workers {
		c.EmptyDocuments += w.tally.EmptyDocuments()
		t.totals.tokens.Sum += w.tally.Tokens()
		t.seen(w.counter)
	}
	features, err := t.countFeatures(ctx, c)
	if err != nil {
		return nil, err
	}
	if c.Table, err = addInPairs(ctx, t.opt.Threads, parts); err != nil {
		return nil, err
	}
	if features != nil { // of real values, whose sums are rounded: the number of workers must not matter
		if c.Table, err = addCounts(c.Table, features); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// addInPairs returns the sum of tables of counts, one at least: it adds two and two on all workers, then
// their sums, and so on.
func addInPairs(ctx context.Context, threads int, tables []*table.Table) (*table.Table, error) {
	for len(tables) > 1 {
		sums := make([]*table.Table, (len(tables)+1)/2)
		err := pool.Run(ctx, threads, len(sums), func(_, i int) (err error) {
			if sums[i] = tables[2*i]; 2*i+1 < len(tables) {
				sums[i], err = addCounts(sums[i], tables[2*i+1])
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		tables = sums
	}
	return tables[0], nil
}

// addCounts is [table.AddCounts] for tables that may have no documents.
func addCounts(a, b *table.Table) (*table.Table, error) {
	if a.Cells.Documents == 0 {
		return b, nil
	}
	return table.AddCounts(a, b)
}

// countFeatures returns the statistics of the documents that came as features, nil if there
// are none.
func (t *tallier) countFeatures(ctx context.Context, c *Counted) (*table.Table, error) {
	t.features.batches = slices.DeleteFunc(t.features.batches, func(b *countedBatch) bool { return b == nil })
	if len(t.features.batches) == 0 {
		return nil, nil
	}
	src, err := t.join(ctx, t.features)
	if err != nil {
		return nil, err
	}
	x, err := postings.Number(ctx, *src, postings.BuildOptions{Threads: t.opt.Threads, Consume: true})
	if err != nil {
		return nil, err
	}
	empty, err := x.EmptyDocuments(ctx)
	if err != nil {
		return nil, err
	}
	c.EmptyDocuments += empty
	return x.Count(ctx, postings.CountOptions{Threads: t.opt.Threads})
}

// checkCounted returns the errors of documents that [BuildIndex] makes no index of.
func (b *builder) checkCounted(documents int, labelled bool, terms int) error {
	switch {
	case b.totals.tokens.TooLarge():
		return b.totals.tokens.overflowError("")
	case b.opt.Shard:
		return nil
	}
	return b.opt.checkContents(documents, labelled, terms)
}

// Within a bound on memory, documents are counted until a table of them would
// take a share of the bound to make; that table, a part, goes to a temporary file, and the next
// documents are counted. Merging the parts gives the file of one count.

// tallyTermBytes are the bytes that the term of a worker takes in its table, and in the sum of those of
// all workers, besides what the counter and the tally have.
const tallyTermBytes = 110

// A CountedFile is a file of statistics, temporary, with what [Counted] has. It must be closed.
type CountedFile struct {
	*store.TableFile
	Provenance     table.Provenance
	EmptyDocuments int // without a term
}

// CountToFile writes the statistics that [Count] gives to a temporary file, within Options.MaxMemory.
func CountToFile(ctx context.Context, batches document.Batches, opt Options) (*CountedFile, error) {
	unbounded := opt
	unbounded.MaxMemory = 0
	if option := unbounded.needsIndex(); option != "" {
		return nil, usage.Errorf("the option %s needs an index: build one, or count without it", option)
	}
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return counted(ctx, b, batches, (&tallyParts{builder: b}).file)
}

// tallyParts are the parts of a count.
type tallyParts struct {
	*builder
	parts                      []*store.TableFile
	documents, labelled, empty int
}

// file counts all documents into a file.
func (p *tallyParts) file(ctx context.Context) (_ *CountedFile, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	for !p.ended {
		if err := p.addPart(ctx); err != nil {
			return nil, err
		}
	}
	record := p.provenance()
	f := &CountedFile{Provenance: record, EmptyDocuments: p.empty}
	record.Documents = p.documents
	meta, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	open := func(i int) (part *store.TableFile, _ error) {
		part, p.parts[i] = p.parts[i], nil // the merger closes it
		return part, nil
	}
	f.TableFile, err = store.TemporaryTable(p.system, p.opt.TempDir, func(w io.Writer) error {
		return store.MergeTables(ctx, w, len(p.parts), open, store.TableMergeOptions{Meta: meta, Dir: p.opt.TempDir, Temporary: p.system})
	})
	if err != nil {
		return nil, err
	}
	if err := p.checkCounted(p.documents, p.labelled > 0, f.Terms); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// addPart counts documents until they fill a part, and moves it out of memory.
func (p *tallyParts) addPart(ctx context.Context) error {
	c, err := p.tally(ctx)
	if err != nil {
		return err
	}
	p.documents, p.labelled, p.empty = p.documents+c.Documents(), p.labelled+int(c.Cells.Labelled), p.empty+c.EmptyDocuments
	part, err := store.TemporaryTable(p.system, p.opt.TempDir, func(w io.Writer) error {
		_, err := store.WriteTable(w, c.Table, nil)
		return err
	})
	if err != nil {
		return err
	}
	p.parts = append(p.parts, part)
	if p.spillAt > 0 && !p.ended {
		c = nil
		debug.FreeOSMemory() // else the next documents need memory besides the garbage
	}
	return nil
}

// close closes the parts that are left.
func (p *tallyParts) close() (err error) {
	for _, part := range p.parts {
		if part != nil {
			err = errors.Join(err, part.Close())
		}
	}
	return err
}
