package ingest

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
)

// This file exports what the tests of this package need.

// BuildToWithin is BuildTo with shards of a given footprint. It also returns the number of
// shards.
func BuildToWithin(ctx context.Context, w io.Writer, batches document.Batches, opt Options, footprint int64) (*Built, int, error) {
	b, shards, err := newSpillingBuilder(opt, footprint)
	if err != nil {
		return nil, 0, err
	}
	built, err := counted(ctx, b, shards.watch(batches, b), func(ctx context.Context) (*Built, error) { return b.writeTo(ctx, w) })
	return built, shards.shards, err
}

// BuildWithin is BuildIndex with shards of a given footprint. It also returns the number
// of shards.
func BuildWithin(ctx context.Context, batches document.Batches, opt Options, footprint int64) (*postings.Index, int, error) {
	b, shards, err := newSpillingBuilder(opt, footprint)
	if err != nil {
		return nil, 0, err
	}
	n, err := counted(ctx, b, shards.watch(batches, b), b.buildIndex)
	if err != nil {
		return nil, shards.shards, err
	}
	x, err := n.Index(ctx)
	return x, shards.shards, err
}

func newSpillingBuilder(opt Options, footprint int64) (*builder, *shardCounter, error) {
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, nil, err
	}
	b.spillAt = footprint
	return b, &shardCounter{}, nil
}

// A shardCounter counts the shards of a builder while it reads batches.
type shardCounter struct{ shards int }

func (s *shardCounter) watch(batches document.Batches, b *builder) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			s.shards = len(b.shards) + 1
			if !yield(docs, err) {
				return
			}
		}
	}
}

// BuildFailing is BuildTo or, if inMemory, BuildIndex and writing the index, with shards of
// a given footprint in the temporary files of sys, which may fail.
func BuildFailing(ctx context.Context, w io.Writer, sys files.TemporarySystem, batches document.Batches, opt Options, footprint int64, inMemory bool) error {
	b, _, err := newSpillingBuilder(opt, footprint)
	if err != nil {
		return err
	}
	b.system = sys
	if !inMemory {
		_, err := counted(ctx, b, batches, func(ctx context.Context) (*Built, error) { return b.writeTo(ctx, w) })
		return err
	}
	n, err := counted(ctx, b, batches, b.buildIndex)
	if err != nil {
		return err
	}
	_, err = store.Write(ctx, w, n, store.WriteOptions{Cells: store.HasCells(n.Head())})
	return errors.Join(err, n.Close())
}

// CountToFileWithin is CountToFile with parts of a given footprint in the temporary files of sys, which
// may fail. It also returns the number of parts.
func CountToFileWithin(ctx context.Context, sys files.TemporarySystem, batches document.Batches, opt Options, footprint int64) (*CountedFile, int, error) {
	b, _, err := newSpillingBuilder(opt, footprint)
	if err != nil {
		return nil, 0, err
	}
	b.system = sys
	p := &tallyParts{builder: b}
	f, err := counted(ctx, b, batches, p.file)
	return f, len(p.parts), err
}

// BoundNames has the dictionaries of the names of columns given up beyond so many bytes.
func BoundNames(t *testing.T, bytes int64) {
	before := mostNamed
	mostNamed = bytes
	t.Cleanup(func() { mostNamed = before })
}
