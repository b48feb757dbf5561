package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file builds within a bound on memory. Documents are gathered until an index of
// them would take a share of the bound to make; that index, a shard, goes to a temporary
// file, and the next documents are gathered. Merging the shards gives the index of one
// build. [BuildInMemory] calls nothing of it.

// MinMemory is the least Options.MaxMemory in bytes. Buffers and the runtime take about
// half of it.
const MinMemory = 32 << 20

// gatherShare is the share of the bound that making a shard may take as footprint
// estimates it. The rest is for batches that are being read, for garbage, and for tables
// while they grow: indexing 1.1 GB of text within 256 MiB, gathering took 157 MiB and
// merging 97; within 64 MiB, 50 and 62.
const gatherShare = 0.5

// newBoundedBuilder returns a builder that keeps within the bound.
func newBoundedBuilder(opt Options) (*builder, error) {
	b, err := newBuilder(opt)
	if err != nil {
		return nil, err
	}
	b.spill, b.spillAt = b.spillShard, int64(float64(opt.MaxMemory)*gatherShare)
	return b, nil
}

// Built describes an index that [BuildTo] has written.
type Built struct {
	Documents, Terms, Classes int
	EmptyDocuments            int // documents without a term, which Documents includes
	Provenance                table.Provenance
}

// BuildTo writes the index file of the documents of batches: the bytes that
// [corpus.BuildBatches] and [corpus.Corpus.Write] would give. With Options.MaxMemory it
// never has the whole index in memory. The batches and the writer are called on other
// goroutines than the caller's.
func BuildTo(ctx context.Context, w io.Writer, batches document.Batches, opt Options) (*Built, error) {
	if w == nil {
		return nil, usage.Errorf("a nil writer was given")
	}
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return counted(ctx, b, batches, func(ctx context.Context) (*Built, error) { return b.writeTo(ctx, w) })
}

// writeTo counts all documents and writes their index.
func (b *builder) writeTo(ctx context.Context, w io.Writer) (built *Built, err error) {
	defer func() { err = errors.Join(err, b.closeShards()) }()
	numbered, err := b.index(ctx)
	if err != nil {
		return nil, err
	}
	if numbered == nil {
		return b.writeMerged(ctx, w, !b.opt.NoCells)
	}
	head := numbered.Head()
	built = &Built{Documents: head.Documents(), Terms: head.Terms.Len(), Classes: len(head.Classes), Provenance: b.provenance()}
	if built.EmptyDocuments, err = numbered.EmptyDocuments(ctx); err != nil {
		return nil, err
	}
	_, err = store.Write(ctx, w, numbered, store.WriteOptions{Cells: !b.opt.NoCells, Threads: b.opt.Threads})
	return built, err
}

// buildIndex builds the index in memory or, if it made shards, in a mapped temporary file.
func (b *builder) buildIndex(ctx context.Context) (x *postings.Numbered, err error) {
	defer func() {
		if err = errors.Join(err, b.closeShards()); err != nil && x != nil {
			x, err = nil, errors.Join(err, x.Close())
		}
	}()
	x, err = b.index(ctx)
	if err == nil && x == nil {
		x, err = b.mergeToTemporary(ctx)
	}
	return x, err
}

// mergeToTemporary merges the shards into a temporary file and opens it.
func (b *builder) mergeToTemporary(ctx context.Context) (*postings.Numbered, error) {
	f, err := files.CreateTemporary(b.system, b.opt.TempDir)
	if err != nil {
		return nil, err
	}
	if _, err := b.writeMerged(ctx, f, true); err != nil { // cells that are counted anew are not mapped
		return nil, errors.Join(err, f.Close())
	}
	index, err := store.OpenTemporary(f, store.OpenOptions{})
	if err != nil {
		return nil, err
	}
	return postings.Whole(index), nil
}

// spillShard makes a shard of what was gathered and moves it out of memory.
func (b *builder) spillShard(ctx context.Context, g *gatherer) error {
	src, err := b.join(ctx, g)
	if err != nil || len(src.IDs) == 0 {
		return err
	}
	b.anyLabel = b.anyLabel || len(src.Labels) > 0
	index, err := postings.Build(ctx, *src, postings.BuildOptions{Threads: b.opt.Threads, Consume: true})
	if err != nil {
		return err
	}
	if index, err = store.Spill(index, b.system, b.opt.TempDir); err != nil {
		return err
	}
	b.shards = append(b.shards, index)
	*g, *src = gatherer{}, postings.Source{}
	debug.FreeOSMemory() // else the next documents need memory besides the garbage
	return nil
}

// writeMerged writes the index file of the merged shards, with or without their cells.
func (b *builder) writeMerged(ctx context.Context, w io.Writer, cells bool) (*Built, error) {
	p := b.provenance()
	documents := b.totals.hash.N - b.totals.repeats
	if err := b.opt.checkContents(documents, b.anyLabel, 1); err != nil {
		return nil, err
	}
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b.totals.labelsOf = nil // all documents have been read
	var counts store.MergeCounts
	err = store.Merge(ctx, w, b.shards, store.MergeOptions{
		MinDF: b.opt.MinDF, MaxDF: b.opt.MaxDF, Meta: meta, Cells: cells, Dir: b.opt.TempDir, Threads: b.opt.Threads, MaxMemory: max(b.opt.MaxMemory, 1), Counts: &counts, Temporary: b.system,
	})
	if err != nil {
		return nil, WithoutTerms(err)
	}
	return &Built{counts.Documents, counts.Terms, counts.Classes, counts.Empty, p}, nil
}

// WithoutTerms returns an [ErrEmpty] if err is an [store.NoTermsError], else err.
func WithoutTerms(err error) error {
	if none := (*store.NoTermsError)(nil); errors.As(err, &none) {
		return (&Options{MinDF: 1}).checkContents(none.Documents, true, 0)
	}
	return err
}

// closeShards closes the shards, which removes their temporary files.
func (b *builder) closeShards() (err error) {
	for _, x := range b.shards {
		err = errors.Join(err, x.Close())
	}
	b.shards = nil
	return err
}

// The bytes of memory that making an index takes at its peak: for each posting of a count
// (of a real value) 8 (12) where it was counted, 4 (12) to sort it and up to 5 (8) in the
// index; for each document its name twice, its hashes and its places; for each term,
// besides the counter's tables, its name three times and 90 for what is known of it.
const (
	countPostingBytes = 17
	realPostingBytes  = 32
	documentBytes     = 96
	termBytes         = 90
)

// footprint estimates the bytes of memory that making an index of the batch, and of the
// terms of its worker, takes at its peak.
func (b *countedBatch) footprint() int64 {
	n := int64(len(b.ids))*documentBytes + 8*int64(len(b.labels))
	for i := range b.columns {
		each := int64(countPostingBytes)
		if b.columns[i].Values != nil {
			each = realPostingBytes
		}
		n += each * int64(len(b.columns[i].Terms))
	}
	return n + b.idBytes + b.worker.counter.Bytes() + int64(b.worker.counter.Len())*termBytes + 8*int64(cap(b.worker.lastFeatureDoc))
}
