package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/tempfile"
)

// This file builds within a bound on memory. Documents are gathered until making an
// index of them would take a share of the bound; that index goes to a temporary file,
// and the next documents are gathered. Merging the shards gives the index of one build.

// MinMemory is the least MaxMemory: buffers and the runtime take about half of it.
const MinMemory = 32 << 20

// gatherShare is the part of the bound that making a shard may take, by footprint's
// reckoning. The rest is for batches that are being read, for garbage, and for tables
// while they grow: indexing 1.1 GB of text within 256 MiB, gathering took 157 MiB and
// merging 97; within 64 MiB, 50 and 62.
const gatherShare = 0.5

// A building builds a corpus of batches.
type building struct {
	opt      Options
	analyzer *analysis.Analyzer
	most     int64 // footprint from which on what was gathered becomes a shard
	tally    readSoFar
	shards   []*store.Index
	labels   bool            // some document has one
	system   tempfile.System // nil is the operating system
}

func newBuilding(opt Options) (*building, error) {
	a, err := opt.check()
	if err != nil {
		return nil, err
	}
	return &building{opt: opt, analyzer: a, most: int64(float64(opt.MaxMemory) * gatherShare)}, nil
}

// Built describes an index that [BuildTo] has written.
type Built struct {
	Documents, Terms, Classes int
	EmptyDocuments            int // without a term; they count in Documents
	Provenance                Provenance
}

// BuildTo writes the index file of batches of documents, as [BuildBatches] and
// [Corpus.WriteTo] would, but never has it in memory where there is a bound.
func BuildTo(ctx context.Context, w io.Writer, batches document.Batches, opt Options) (*Built, error) {
	b, err := newBuilding(opt)
	if err != nil {
		return nil, err
	}
	return b.writeTo(ctx, w, batches)
}

func (b *building) writeTo(ctx context.Context, w io.Writer, batches document.Batches) (built *Built, err error) {
	defer func() { err = errors.Join(err, b.close()) }()
	index, err := b.gather(ctx, batches)
	if err != nil {
		return nil, err
	}
	if index == nil {
		return b.merge(ctx, w)
	}
	built = &Built{
		Documents: index.Documents(), Terms: index.Terms.Len(), Classes: len(index.Classes), Provenance: b.tally.provenance(b.opt),
	}
	if built.EmptyDocuments, err = index.EmptyDocuments(ctx); err != nil {
		return nil, err
	}
	_, err = index.WriteTo(w)
	return built, err
}

// corpus builds in memory, or maps a temporary file where that is not enough.
func (b *building) corpus(ctx context.Context, batches document.Batches) (c *Corpus, err error) {
	defer func() {
		if err = errors.Join(err, b.close()); err != nil && c != nil {
			c, err = nil, errors.Join(err, c.Close())
		}
	}()
	index, err := b.gather(ctx, batches)
	if err != nil {
		return nil, err
	}
	if index == nil {
		if index, err = b.mergeToTemporary(ctx); err != nil {
			return nil, err
		}
	}
	return newCorpus(index)
}

func (b *building) mergeToTemporary(ctx context.Context) (*store.Index, error) {
	f, err := tempfile.Create(b.system, b.opt.TempDir)
	if err != nil {
		return nil, err
	}
	if _, err := b.merge(ctx, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return store.OpenTemporary(f, store.OpenOptions{})
}

// gather reads all batches. It gives the index of all documents if they fit, else they
// are in the shards.
func (b *building) gather(ctx context.Context, batches document.Batches) (*store.Index, error) {
	next, stop := iter.Pull2(batches)
	defer stop()
	for {
		r := newReading(b.analyzer, &b.opt)
		ended := false
		some := func(yield func(document.Stream, error) bool) {
			for b.most == 0 || r.gathered.Load() < b.most {
				docs, err, ok := next()
				ended = !ok
				if !ok || !yield(docs, err) {
					return
				}
			}
		}
		err := pool.Stage(ctx, "read", func(ctx context.Context) error {
			return pool.Feed(ctx, b.opt.Threads, some, func(worker, number int, docs document.Stream) error {
				return r.batch(ctx, worker, number, docs)
			})
		})
		if err != nil {
			return nil, err
		}
		if ended && len(b.shards) == 0 {
			return build(ctx, b.opt, &b.tally, r.shards, r.pieces)
		}
		if err := b.spill(ctx, r); err != nil || ended {
			return nil, err
		}
	}
}

// spill makes a shard of what was read and moves it out of memory.
func (b *building) spill(ctx context.Context, r *reading) error {
	j, err := join(ctx, b.opt, &b.tally, r.shards, r.pieces)
	if err != nil || len(j.src.IDs) == 0 {
		return err
	}
	b.labels = b.labels || len(j.src.Labels) > 0
	index, err := store.Build(ctx, j.src, store.BuildOptions{Threads: b.opt.Threads, Consume: true})
	if err != nil {
		return err
	}
	if index, err = index.Spill(b.system, b.opt.TempDir); err != nil {
		return err
	}
	b.shards = append(b.shards, index)
	*r, *j = reading{}, joined{}
	debug.FreeOSMemory() // else the next documents come on top of the garbage
	return nil
}

// merge writes the index of the shards.
func (b *building) merge(ctx context.Context, w io.Writer) (*Built, error) {
	p := b.tally.provenance(b.opt)
	documents := b.tally.hash.n - b.tally.repeats
	if !b.labels && !b.opt.Unlabelled {
		return nil, fmt.Errorf("%w: none of the %d documents says its class", ErrNoLabels, documents)
	}
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b.tally.labelsOf = nil // no more documents come
	var counts store.MergeCounts
	err = store.Merge(ctx, w, b.shards, store.MergeOptions{
		MinDF: b.opt.MinDF, MaxDF: b.opt.MaxDF, Meta: meta, Dir: b.opt.TempDir, Threads: b.opt.Threads, MaxMemory: max(b.opt.MaxMemory, 1), Counts: &counts, Temporary: b.system,
	})
	if err != nil {
		return nil, err
	}
	if counts.Terms == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a term within the bounds", ErrEmpty, documents)
	}
	return &Built{counts.Documents, counts.Terms, counts.Classes, counts.Empty, p}, nil
}

// close gives back the temporary files.
func (b *building) close() (err error) {
	for _, x := range b.shards {
		err = errors.Join(err, x.Close())
	}
	b.shards = nil
	return err
}

// The bytes of memory that making an index takes at its peak: for each posting 8 (12 of
// real values) where it was counted, 4 to sort it (12) and up to 5 (8) in the index; for
// each document its name twice, its hashes and its places; for each term, besides the
// counter's tables, its name three times and 90 for what is known of it.
const (
	postingBytes  = 17
	realBytes     = 32
	documentBytes = 96
	termBytes     = 90
)

// footprint is what making an index of the piece, and of the terms of its shard, takes
// at its peak, in bytes.
func (p *piece) footprint() int64 {
	n := int64(len(p.ids))*documentBytes + 8*int64(len(p.labels))
	for i := range p.parts {
		each := int64(postingBytes)
		if p.parts[i].Values != nil {
			each = realBytes
		}
		n += each * int64(len(p.parts[i].Terms))
	}
	return n + p.idBytes + p.shard.counter.Bytes() + int64(p.shard.counter.Len())*termBytes
}
