package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&vectorsFn{})
	register.DoFn1x1[string, string](&globFn{})
}

// A vectorFormat is a format of vectors, with the end of the names of its files.
type vectorFormat struct {
	name, ending string
	write        func(w io.Writer, s *selection.Selection, rows iter.Seq2[vectors.Row, error]) error
}

var vectorFormats = []vectorFormat{
	{"svmlight", ".svm", func(w io.Writer, _ *selection.Selection, rows iter.Seq2[vectors.Row, error]) error {
		return vectors.WriteSVMLight(w, rows)
	}},
	{"jsonl", ".jsonl", vectors.WriteJSONLines},
	{"npz", ".npz", func(w io.Writer, s *selection.Selection, rows iter.Seq2[vectors.Row, error]) error {
		m, err := vectors.Collect(s, rows)
		if err != nil {
			return err
		}
		return m.WriteNPZ(w)
	}},
}

// vectorFormatNames returns the names of the formats.
func vectorFormatNames() (names []string) {
	for _, f := range vectorFormats {
		names = append(names, f.name)
	}
	return names
}

// vectorFormatOf returns the format of a name.
func vectorFormatOf(name string) (vectorFormat, error) {
	at := slices.Index(vectorFormatNames(), name)
	if at < 0 {
		return vectorFormat{}, usage.Unknown("output", name, vectorFormatNames())
	}
	return vectorFormats[at], nil
}

// vectorsFn writes the vectors of a shard over the terms of a features file.
type vectorsFn struct {
	Plan string
	plan vectorsPlan

	selected *selection.Selection // nil before the first shard
}

// A vectorsPlan says how vectors are written.
type vectorsPlan struct {
	Shards         shardReader
	Given          []string // the flags of Shards that were given; others are those of the selection
	Features       string
	Glob, Out      string // Out is a folder
	Format, Weight string
}

// Setup decodes the plan.
func (f *vectorsFn) Setup() error { return decodePlan(f.Plan, &f.plan) }

// writeVectors writes a file of vectors for each shard. It begins when features has an element,
// the name of the features file: not by a side input, see together.
func writeVectors(s beam.Scope, plan vectorsPlan, features beam.PCollection) {
	s = s.Scope("vectors")
	globs := beam.ParDo(s, &globFn{Glob: plan.Glob}, features)
	logAll(s, beam.ParDo(s, &vectorsFn{Plan: encodePlan(plan)}, findShards(s, globs)))
}

// globFn gives a pattern for a features file.
type globFn struct{ Glob string }

// ProcessElement returns the pattern.
func (f *globFn) ProcessElement(string) string { return f.Glob }

// ProcessElement writes the vectors of one shard.
func (f *vectorsFn) ProcessElement(ctx context.Context, shard string, written func(string)) (err error) {
	defer mark(&err)
	if f.selected == nil {
		s, err := readFeatures(ctx, f.plan.Features)
		if err != nil {
			return err
		}
		f.selected = s
	}
	format, err := vectorFormatOf(f.plan.Format)
	if err != nil {
		return err
	}
	to := vectorsOf(shard, f.plan.Glob, f.plan.Out, format)
	if err := notAnInput(f.plan.Glob, to); err != nil {
		return err
	}
	t, err := vectors.New(f.selected, table.Weighting(f.plan.Weight))
	if err != nil {
		return err
	}
	err = f.shardReader().read(ctx, shard, func(source *reader.Source) error {
		err := writeWhole(ctx, to, func(w io.Writer) error {
			return format.write(w, f.selected, t.Documents(ctx, orNone(source.Documents())))
		})
		add(ctx, vectorsCounted, int64(source.Summary().Documents))
		return err
	})
	if err != nil {
		return err
	}
	terms, labels := t.Unseen()
	add(ctx, unseenTermsCounted, terms)
	add(ctx, unseenLabelsCounted, labels)
	written(to)
	return nil
}

// shardReader returns how shards are read: as those of the selection were, as far as no flag says
// otherwise.
func (f *vectorsFn) shardReader() shardReader {
	r := flags.Reading{Read: f.plan.Shards.Options}
	r.Remember(func(flag string) bool { return slices.Contains(f.plan.Given, flag) }, f.selected.Provenance)
	return shardReader{Options: r.Read}
}

// readFeatures reads a features file.
func readFeatures(ctx context.Context, name string) (*selection.Selection, error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	data, err := filesystem.Read(ctx, fs, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return selection.Read(bytes.NewReader(data), name)
}

// orNone returns a stream without the error of a shard that has no documents.
func orNone(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if errors.Is(err, reader.ErrEmpty) || !yield(d, err) {
				return
			}
		}
	}
}

// vectorsOf returns the name of the file of a shard's vectors: in the folder, the shard's name
// behind the part of the pattern that all shards have.
func vectorsOf(shard, glob, folder string, format vectorFormat) string {
	fixed := glob
	if wild := strings.IndexAny(glob, `*?[\`); wild >= 0 {
		fixed = glob[:wild]
	}
	name := strings.TrimPrefix(shard, fixed[:strings.LastIndexByte(fixed, '/')+1])
	return strings.TrimSuffix(folder, "/") + "/" + path.Clean(name) + format.ending
}
