package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// CountOptions say what to count. The zero value counts all documents.
type CountOptions = table.CountOptions

// Statistics counts every term in every class. The corpus caches the counts of all its
// documents: those without sums of a weighting, and those with the sums of the weighting
// that was last asked for.
func (c *Corpus) Statistics(ctx context.Context, o CountOptions) (*table.Table, error) {
	if c == nil {
		return nil, usage.Errorf("a nil corpus was given")
	}
	w, err := table.ParseWeighting(o.Weight)
	if err != nil {
		return nil, err
	}
	if w == table.TF || w == table.Binary {
		w = ""
	}
	if o.Within != nil {
		return c.countWithin(ctx, w, o)
	}
	c.counting.Lock()
	defer c.counting.Unlock()
	for _, kept := range []*table.Table{c.plain, c.weighted} {
		if kept != nil && kept.Weighting == w {
			return kept, nil
		}
	}
	s, err := c.count(ctx, postings.CountOptions{Weighting: w, Threads: o.Threads}, c.provenance)
	if err != nil {
		return nil, err
	}
	if w == "" {
		c.plain = s
	} else {
		c.weighted = s
	}
	return s, nil
}

// countWithin counts the documents of o.Within; these counts are not cached.
func (c *Corpus) countWithin(ctx context.Context, w table.Weighting, o CountOptions) (*table.Table, error) {
	record, err := c.record(o.Within, "")
	if err != nil {
		return nil, err
	}
	p := c.provenance
	p.Subsets = append(p.Subsets[:len(p.Subsets):len(p.Subsets)], record)
	return c.count(ctx, postings.CountOptions{Weighting: w, Within: o.Within, Threads: o.Threads}, p)
}

// count counts documents in a [pool.Stage] named "count".
func (c *Corpus) count(ctx context.Context, o postings.CountOptions, p table.Provenance) (t *table.Table, err error) {
	err = pool.Stage(ctx, "count", func(ctx context.Context) (err error) {
		t, err = c.numbered.Count(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.SetProvenance(p)
	return t, nil
}

// WriteStatistics writes the file of a table. The same table gives the same bytes.
func WriteStatistics(w io.Writer, t *table.Table) (int64, error) {
	switch {
	case w == nil:
		return 0, usage.Errorf("a nil writer was given")
	case t == nil:
		return 0, usage.Errorf("nil statistics were given")
	}
	meta, err := json.Marshal(t.Record())
	if err != nil {
		return 0, err
	}
	return store.WriteTable(w, t, meta)
}

// OpenStatistics reads a file of statistics. Its errors are those of [Open].
func OpenStatistics(path string) (*table.Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := DecodeStatistics(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// DecodeStatistics is like [OpenStatistics] for the bytes of a file.
func DecodeStatistics(data []byte) (*table.Table, error) {
	t, meta, err := store.DecodeTable(data)
	if err != nil {
		return nil, err
	}
	p, err := decodeProvenance(meta, t.Cells.Documents)
	if err != nil {
		return nil, err
	}
	t.SetProvenance(p)
	return t, nil
}

// IsStatistics reports whether a file that begins with these bytes claims to be one of
// statistics.
func IsStatistics(prefix []byte) bool { return store.IsTable(prefix) }

// Counted is a table with what else was seen while it was counted.
type Counted = ingest.Counted

// CountBatches returns the statistics of the corpus that [BuildBatches] would make, with the
// same errors. Texts are counted without an index, in memory that grows with the terms and
// classes and not with the text, unless the options ask for something else that needs one:
// Dedupe, MinDF, MaxDF or MaxMemory. If some documents are texts and others features of real
// values, sums are rounded otherwise.
func CountBatches(ctx context.Context, batches document.Batches, opt Options) (*Counted, error) {
	return count(ctx, batches, opt, BuildBatches)
}

// CountInMemory is [CountBatches] without a bound on memory: Options.MaxMemory must be 0. What
// needs an index is built by [BuildInMemory].
func CountInMemory(ctx context.Context, batches document.Batches, opt Options) (*Counted, error) {
	return count(ctx, batches, opt, BuildInMemory)
}

// A builder makes a corpus as [BuildBatches] does.
type builder func(context.Context, document.Batches, Options) (*Corpus, error)

// count is CountBatches with the builder of what needs an index.
func count(ctx context.Context, batches document.Batches, opt Options, build builder) (*Counted, error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	if !opt.Tallies() {
		return countIndexed(ctx, batches, opt, build)
	}
	return ingest.Count(ctx, batches, opt)
}

// countIndexed is count by way of an index.
func countIndexed(ctx context.Context, batches document.Batches, opt Options, build builder) (*Counted, error) {
	c, err := build(ctx, batches, opt)
	if err != nil {
		return nil, err
	}
	s, err := c.Statistics(ctx, CountOptions{Threads: opt.Threads})
	if err != nil {
		return nil, err
	}
	empty, err := c.numbered.EmptyDocuments(ctx)
	return &Counted{Table: s, EmptyDocuments: empty}, err
}
