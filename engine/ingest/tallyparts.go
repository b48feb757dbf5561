package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
	"github.com/termsift/termsift/engine/usage"
)

// This file counts texts within a bound on memory. Documents are counted until a table of them would
// take a share of the bound to make; that table, a part, goes to a temporary file, and the next
// documents are counted. Merging the parts gives the file of one count.

// tallyTermBytes are the bytes that the term of a worker takes in its table, and in the sum of those of
// all workers, besides what the counter and the tally have.
const tallyTermBytes = 110

// A CountedFile is a file of statistics, temporary, with what [Counted] has. It must be closed.
type CountedFile struct {
	*tablefile.File
	Provenance     table.Provenance
	EmptyDocuments int // without a term
}

// CountToFile writes the statistics that [Count] gives to a temporary file, within Options.MaxMemory. Of
// the options a Control is missing besides those that Count lacks.
func CountToFile(ctx context.Context, batches document.Batches, opt Options) (*CountedFile, error) {
	unbounded := opt
	unbounded.MaxMemory = 0
	switch option := unbounded.needsIndex(); {
	case option != "":
		return nil, usage.Errorf("the option %s needs an index: build one, or count without it", option)
	case opt.Control != "":
		return nil, usage.Errorf("the option Control needs a table in memory: count it there")
	}
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return detached(ctx, batches, (&tallyParts{boundedBuilder: b}).count)
}

// tallyParts are the parts of a count.
type tallyParts struct {
	*boundedBuilder
	next  func() (document.Stream, error, bool)
	ended bool // next has no more

	parts                      []*tablefile.File
	documents, labelled, empty int
}

// count counts all documents on the current goroutine.
func (p *tallyParts) count(ctx context.Context, batches document.Batches) (*CountedFile, error) {
	return decided(ctx, p.builder, batches, func(batches document.Batches) (f *CountedFile, err error) {
		next, stop := pool.Pull(batches)
		p.next = next
		f, err = p.file(ctx)
		if err = errors.Join(cmp.Or(err, stop()), p.close()); err != nil && f != nil {
			f, err = nil, errors.Join(err, f.Close())
		}
		return f, err
	})
}

// file counts the documents that next returns.
func (p *tallyParts) file(ctx context.Context) (*CountedFile, error) {
	for !p.ended {
		if err := p.addPart(ctx); err != nil {
			return nil, err
		}
	}
	f := &CountedFile{Provenance: p.totals.provenance(p.opt), EmptyDocuments: p.empty}
	record := f.Provenance
	record.Documents = p.documents
	meta, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	open := func(i int) (part *tablefile.File, _ error) {
		part, p.parts[i] = p.parts[i], nil // the merger closes it
		return part, nil
	}
	f.File, err = tablefile.MergeTemporary(ctx, len(p.parts), open, tablefile.MergeOptions{Meta: meta, Dir: p.opt.TempDir, Temporary: p.system})
	if err != nil {
		return nil, err
	}
	if err := p.check(f.Terms); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// addPart counts documents until they fill a part, and moves it out of memory.
func (p *tallyParts) addPart(ctx context.Context) error {
	t := p.newTallier()
	untilFull := func(yield func(document.Stream, error) bool) {
		for p.spillAt == 0 || t.footprint.Load()+t.features.footprint.Load() < p.spillAt {
			docs, err, ok := p.next()
			p.ended = !ok
			if !ok || !yield(docs, err) {
				return
			}
		}
	}
	if err := p.readBatches(ctx, untilFull, t.countBatch); err != nil {
		return err
	}
	c, err := t.counted(ctx, &p.totals)
	if err != nil {
		return err
	}
	*t = tallier{}
	p.documents, p.labelled, p.empty = p.documents+c.Documents(), p.labelled+int(c.Cells.Labelled), p.empty+c.EmptyDocuments
	part, err := tablefile.Temporary(p.system, p.opt.TempDir, func(w io.Writer) error {
		_, err := tablefile.Write(w, c.Table, nil)
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

// check returns the errors that [Count] does.
func (p *tallyParts) check(terms int) error {
	switch {
	case p.totals.tokens.TooLarge():
		return p.totals.tokens.overflowError("")
	case p.opt.Shard:
		return nil
	}
	return p.opt.checkContents(p.documents, p.labelled > 0, terms)
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
