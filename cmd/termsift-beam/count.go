package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
	"github.com/termsift/termsift/engine/usage"
)

func init() {
	register.DoFn4x1[context.Context, string, func(int, []byte), func([]byte), error](&countFn{})
	register.Emitter2[int, []byte]()
	register.Emitter1[[]byte]()
}

// countFn counts a shard. It emits the statistics of each part of the terms, all with the totals
// of the shard, and the record of the shard, an [table.Head] as JSON.
type countFn struct {
	Plan string
	plan countPlan
}

// A countPlan says how shards are counted.
type countPlan struct {
	Shards  shardReader
	Options ingest.Options
	Parts   int // of the terms
	Rare    flags.Rare
}

// Setup decodes the plan.
func (f *countFn) Setup() error { return decodePlan(f.Plan, &f.plan) }

// ProcessElement counts one shard.
func (f *countFn) ProcessElement(ctx context.Context, shard string, part func(int, []byte), head func([]byte)) (err error) {
	defer func() { err = ofShard(shard, err) }()
	counted, err := f.count(ctx, shard)
	if err != nil {
		return err
	}
	text, err := json.Marshal(table.Head{Name: shard, Provenance: counted.Record()})
	if err != nil {
		return err
	}
	head(text)
	whole, err := f.plan.Rare.LeftOut(counted.Table)
	if err != nil {
		return err
	}
	parts, err := whole.Split(f.plan.Parts)
	if err != nil {
		return err
	}
	for i, p := range parts {
		file, err := encodeStatistics(p)
		if err != nil {
			return err
		}
		part(i, file)
		parts[i] = nil // which takes several times the memory of its file
	}
	return nil
}

// count counts the documents of a shard.
func (f *countFn) count(ctx context.Context, shard string) (counted *ingest.Counted, err error) {
	err = f.plan.Shards.read(ctx, shard, func(source *reader.Source) error {
		if counted, err = ingest.Count(ctx, source.Batches(), f.plan.Options); err != nil {
			return err
		}
		if err = source.Check(); err != nil && !errors.Is(err, reader.ErrEmpty) {
			return err
		}
		s := counted.Table
		if s.Cells.Centred != nil || !s.Cells.CF.Whole() {
			return usage.NewError(usage.ErrData, "values that are no whole numbers: their sums would depend on the order in which machines add them; take termsift on one machine")
		}
		tellSummary(ctx, shard, source.Summary())
		add(ctx, tokensCounted, int64(s.Cells.Tokens))
		return nil
	})
	return counted, err
}

// encodeStatistics returns the file of statistics, packed, without a record of where they come from,
// which travels beside them: that of a sum depends on the order of the shards, which no worker
// knows.
func encodeStatistics(s *table.Table) ([]byte, error) {
	var file bytes.Buffer
	if _, err := tablefile.Write(&file, s.Stored(), json.RawMessage("{}")); err != nil {
		return nil, err
	}
	return pack(file.Bytes()), nil
}

func errNoDocuments() error {
	return fmt.Errorf("%w: none of the shards has a document", ingest.ErrEmpty)
}

// joinHeads returns the record of all shards, in the order of their names. Those without a document
// say nothing.
// The same documents twice are an error unless repeats is set.
func joinHeads(heads func(*[]byte) bool, repeats bool) (table.Provenance, error) {
	var read []table.Head
	var text []byte
	for heads(&text) {
		var h table.Head
		if err := json.Unmarshal(text, &h); err != nil {
			return table.Provenance{}, fmt.Errorf("the record of a shard: %w", err)
		}
		if h.Documents > 0 {
			read = append(read, h)
		}
	}
	if len(read) == 0 {
		return table.Provenance{}, errNoDocuments()
	}
	slices.SortFunc(read, func(a, b table.Head) int { return strings.Compare(a.Name, b.Name) })
	records, names := make([]table.Provenance, len(read)), make([]string, len(read))
	for i, h := range read {
		records[i], names[i] = h.Provenance, h.Name
	}
	if _, err := corpus.RepeatedInputs(records, names, repeats); err != nil {
		return table.Provenance{}, err
	}
	return table.JoinHeads(read, false)
}

// countShards counts the files that match a pattern. It returns the sums of the parts by their
// numbers, and the records of the shards.
func countShards(s beam.Scope, glob string, plan countPlan) (parts, heads beam.PCollection) {
	s = s.Scope("count")
	parts, heads = beam.ParDo2(s, &countFn{Plan: encodePlan(plan)}, findShards(s, beam.Create(s, glob)))
	return beam.CombinePerKey(s, &sumFn{}, parts), heads
}
