package stages

import (
	"context"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// The names of the stages. Those that score a measure are [Score] with its name behind it.
const (
	Unpack   = "unpack"
	Read     = "read"
	Tokenise = "tokenise"
	Build    = "build"
	Cells    = "cells"
	Score    = "score-"
	Top      = "top"
	SVMLight = "svmlight"
	Memory   = "memory"
)

// Best is the number of terms that Top chooses and SVMLight writes.
const Best = 10_000

// measures are the measures that are scored: one of documents, one with logarithms, and
// one with sums of squares.
var measures = []rank.Measure{rank.Chi, rank.IG, rank.TTest}

// Data is what the stages work on.
type Data struct {
	// Open opens the inputs; nil if they cannot be read again.
	Open func(ctx context.Context) (*reader.Source, error)
	// Documents are those of the inputs, in memory; nil for an index.
	Documents []document.Document
	// Bytes is the size of the documents as they stood in the inputs.
	Bytes int64
	// Options are those that Corpus was built with.
	Options corpus.Options
	Corpus  *corpus.Corpus
	// Buffer is the number of bytes that are read to measure memory.
	Buffer int64
}

// Keep returns the documents of a stream, which may reuse their slices.
func Keep(docs document.Stream) ([]document.Document, error) {
	var kept []document.Document
	for d, err := range docs {
		if err != nil {
			return nil, err
		}
		d.Text, d.Labels, d.Features = slices.Clone(d.Text), slices.Clone(d.Labels), slices.Clone(d.Features)
		kept = append(kept, d)
	}
	return kept, nil
}

// Stages returns the stages that the data permit, in the order of the work. It counts the
// corpus and unpacks the inputs once, so that stages find files and columns in memory.
func (d *Data) Stages(ctx context.Context) ([]Stage, error) {
	info, err := d.Corpus.Info(ctx)
	if err != nil {
		return nil, err
	}
	reading, err := d.readingStages(ctx)
	if err != nil {
		return nil, err
	}
	counted, err := d.countedStages(ctx, info)
	if err != nil {
		return nil, err
	}
	return slices.Concat(reading, d.buildingStages(info), counted, []Stage{d.memory()}), nil
}

// TextStages returns the stages that need no corpus: reading the inputs, and tokenising the documents.
func (d *Data) TextStages() []Stage {
	return []Stage{{Name: Read, Unit: "document", run: d.read}, {Name: Tokenise, Unit: "posting", run: d.tokenise}}
}

// readingStages returns the stages that read the inputs.
func (d *Data) readingStages(ctx context.Context) ([]Stage, error) {
	if d.Open == nil {
		return nil, nil
	}
	read := Stage{Name: Read, Unit: "document", run: d.read}
	unpack := Stage{Name: Unpack, Unit: "byte", serial: true, run: d.unpack}
	work, err := d.unpack(ctx, 1)
	if err != nil {
		return nil, err
	}
	if work.Bytes == 0 {
		return []Stage{read}, nil
	}
	return []Stage{unpack, read}, nil
}

// unpack decompresses the inputs and drops what comes out.
func (d *Data) unpack(ctx context.Context, _ int) (Work, error) {
	source, err := d.Open(ctx)
	if err != nil {
		return Work{}, err
	}
	n, err := source.Unpack()
	return Work{Bytes: n, Units: n}, err
}

// read reads the inputs, decompressed, to documents, and drops these.
func (d *Data) read(ctx context.Context, threads int) (Work, error) {
	source, err := d.Open(ctx)
	if err != nil {
		return Work{}, err
	}
	err = pool.Feed(ctx, threads, source.Batches(), func(_, _ int, batch document.Stream) error {
		for _, err := range batch {
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Work{}, err
	}
	sum := source.Summary()
	return Work{Bytes: sum.Bytes, Units: int64(sum.Documents)}, nil
}

// buildingStages returns the stages that make a corpus of the documents.
func (d *Data) buildingStages(info corpus.Info) []Stage {
	if d.Documents == nil {
		return nil
	}
	build := Stage{Name: Build, Unit: "posting", run: func(ctx context.Context, threads int) (Work, error) {
		o := d.Options
		o.Threads = threads
		c, err := corpus.BuildBatches(ctx, document.InBatches(d.Documents), o)
		if err == nil {
			_, err = corpus.Lists(ctx, c) // which would be made when they are needed
		}
		return Work{Bytes: d.Bytes, Units: info.Postings}, err
	}}
	if slices.ContainsFunc(d.Documents, func(doc document.Document) bool { return doc.Features != nil }) {
		return []Stage{build} // there is nothing to tokenise, or not in all
	}
	return []Stage{{Name: Tokenise, Unit: "posting", run: d.tokenise}, build}
}

// tokenise counts the terms of each document. Every thread has a dictionary of its own, as
// in a build, and the counts are dropped.
func (d *Data) tokenise(ctx context.Context, threads int) (Work, error) {
	analyzer, err := analysis.New(d.Options.Analysis)
	if err != nil {
		return Work{}, err
	}
	type worker struct {
		counter *analysis.Counter
		counts  []analysis.TermCount
		units   int64
		_       [64]byte // the next worker's counts are on another cache line
	}
	workers := make([]worker, threads)
	err = pool.Feed(ctx, threads, document.InBatches(d.Documents), func(number, _ int, batch document.Stream) error {
		w := &workers[number]
		if w.counter == nil {
			w.counter = analyzer.NewCounter()
		}
		for doc, err := range batch {
			if err != nil {
				return err
			}
			w.counts = w.counter.Count(doc.Text, w.counts[:0])
			w.units += int64(len(w.counts))
		}
		return nil
	})
	work := Work{Bytes: d.Bytes}
	for i := range workers {
		work.Units += workers[i].units
	}
	return work, err
}

// countedStages returns the stages that need the corpus only.
func (d *Data) countedStages(ctx context.Context, info corpus.Info) ([]Stage, error) {
	index := d.Corpus.Index()
	stats, err := d.Corpus.Statistics(ctx, corpus.CountOptions{})
	if err != nil {
		return nil, err
	}
	list := []Stage{{Name: Cells, Unit: "posting", run: func(ctx context.Context, threads int) (Work, error) {
		_, err := index.Count(ctx, postings.CountOptions{Threads: threads}) // the corpus would keep the counts
		return Work{Units: info.Postings}, err
	}}}
	for _, m := range measures {
		list = append(list, Stage{Name: Score + string(m), Unit: "cell", run: func(ctx context.Context, threads int) (Work, error) {
			_, err := rank.Terms(ctx, stats, rank.Options{Measure: m, Threads: threads})
			return Work{Units: info.Cells}, err
		}})
	}
	ranking, err := rank.Terms(ctx, stats, rank.Options{Measure: rank.Chi})
	if err != nil {
		return nil, err
	}
	s, err := selection.Select(ctx, d.Corpus, selection.Options{By: rank.Options{Measure: rank.Chi}, Keep: selection.Best(Best)})
	if err != nil {
		return nil, err
	}
	return append(list,
		Stage{Name: Top, Unit: "term", serial: true, run: func(context.Context, int) (Work, error) {
			ranking.Top(Best)
			return Work{Units: int64(ranking.Len())}, nil
		}},
		Stage{Name: SVMLight, Unit: "value", run: func(ctx context.Context, threads int) (Work, error) {
			return writeSVMLight(ctx, s, d.Corpus, threads)
		}}), nil
}

// writeSVMLight writes the vectors of the documents over the selected terms, to nowhere.
func writeSVMLight(ctx context.Context, s *selection.Selection, c *corpus.Corpus, threads int) (work Work, err error) {
	transformer, err := vectors.New(s, vectors.TF)
	if err != nil {
		return work, err
	}
	written := &byteCounter{}
	err = transformer.WriteSVMLight(ctx, written, c, threads)
	for _, f := range s.Features {
		work.Units += int64(f.DF)
	}
	work.Bytes = written.n
	return work, err
}

// A byteCounter counts what is written to it.
type byteCounter struct{ n int64 }

// Write implements [io.Writer].
func (c *byteCounter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return io.Discard.Write(p)
}

// memory returns the stage that reads a buffer of memory, each thread its own part.
func (d *Data) memory() Stage {
	var words []uint64
	prepare := func() {
		words = make([]uint64, max(d.Buffer/8, 1))
		for i := range words {
			words[i] = uint64(i) // pages that were never written are all the same one
		}
	}
	return Stage{Name: Memory, Unit: "byte", prepare: prepare, run: func(ctx context.Context, threads int) (Work, error) {
		sums := make([]uint64, threads)
		err := pool.Run(ctx, threads, threads, func(_, part int) error {
			sums[part] = readWords(words[part*len(words)/threads : (part+1)*len(words)/threads])
			return nil
		})
		return Work{Bytes: int64(len(words)) * 8, Units: int64(len(words)) * 8}, err
	}}
}
