package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

func init() { register.DoFn3x1[context.Context, string, func(string), error](&findFn{}) }

// counterSpace and counterNames name the counters, in the order in which they are printed.
const counterSpace = "termsift"

var counterNames = []string{
	shardsCounted, documentsCounted, bytesCounted, tokensCounted, badCounted, vectorsCounted, unseenTermsCounted, unseenLabelsCounted,
}

const (
	shardsCounted       = "shards"
	documentsCounted    = "documents"
	bytesCounted        = "bytes"
	tokensCounted       = "tokens"
	badCounted          = "left out"
	vectorsCounted      = "vectors"
	unseenTermsCounted  = "occurrences of other terms"
	unseenLabelsCounted = "unknown labels"
)

// add adds to a counter, which the runner shows while the job runs.
func add(ctx context.Context, name string, n int64) {
	if n != 0 {
		beam.NewCounter(counterSpace, name).Inc(ctx, n)
	}
}

// findShards returns the names of the files that match patterns, spread over the workers.
func findShards(s beam.Scope, globs beam.PCollection) beam.PCollection {
	s = s.Scope("shards")
	return beam.Reshuffle(s, beam.ParDo(s, &findFn{}, globs))
}

// findFn emits the names of the files that match a pattern. Unlike fileio.MatchAll it does not
// open them for their sizes, which waits for ever at a pipe.
type findFn struct{}

// ProcessElement lists the files of one pattern.
func (*findFn) ProcessElement(ctx context.Context, glob string, emit func(string)) (err error) {
	defer mark(&err)
	store, err := filesystem.New(ctx, glob)
	if err != nil {
		return err
	}
	defer store.Close()
	found, err := store.List(ctx, glob)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%w: no file matches %q", fs.ErrNotExist, glob)
	}
	for _, name := range found {
		emit(name)
	}
	return err
}

// A shardReader says how shards are read.
type shardReader struct{ Options reader.Options }

// read opens a shard and gives it to use, which reads it once.
func (r shardReader) read(ctx context.Context, shard string, use func(*reader.Source) error) (err error) {
	defer func() { err = ofShard(shard, err) }()
	if err := readableTwice(shard); err != nil {
		return err
	}
	store, err := filesystem.New(ctx, shard)
	if err != nil {
		return err
	}
	defer store.Close()
	file, err := store.OpenRead(ctx, shard)
	if err != nil {
		return err
	}
	defer file.Close()
	source, err := reader.From(ctx, shard, file, r.Options)
	if err != nil {
		return err
	}
	return use(source)
}

// readableTwice returns an error for a shard that is a pipe or a device. A runner that tries
// again would read something else, and nothing may ever come.
func readableTwice(shard string) error {
	info, err := os.Stat(shard)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil // opening it returns the error, and it may be in a store that Beam knows
	}
	return usage.Errorf("%s is no regular file, and a shard may be read twice: copy it to a file", shard)
}

// tellSummary counts what was read of a shard, and logs what was left out.
func tellSummary(ctx context.Context, shard string, s reader.Summary) {
	add(ctx, shardsCounted, 1)
	add(ctx, documentsCounted, int64(s.Documents))
	add(ctx, bytesCounted, s.Bytes)
	for _, w := range s.Warnings {
		log.Warnf(ctx, "%s: %s", shard, w)
	}
	for _, p := range s.Problems {
		add(ctx, badCounted, int64(p.Count))
		log.Warnf(ctx, "%s: left out %d: %s; the first is %v", shard, p.Count, p.Kind, p.Places[0])
	}
}
