package main

import (
	"context"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

func init() { register.Function1x1(pathOf) }

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
	found := fileio.MatchAll(s, globs, fileio.MatchEmptyDisallow())
	return beam.Reshuffle(s, beam.ParDo(s, pathOf, found))
}

func pathOf(f fileio.FileMetadata) string { return f.Path }

// A shardReader says how shards are read.
type shardReader struct{ Options reader.Options }

// read opens a shard and gives it to use, which reads it once.
func (r shardReader) read(ctx context.Context, shard string, use func(*reader.Source) error) (err error) {
	defer func() { err = ofShard(shard, err) }()
	if err := readableTwice(shard); err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, shard)
	if err != nil {
		return err
	}
	defer fs.Close()
	file, err := fs.OpenRead(ctx, shard)
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
