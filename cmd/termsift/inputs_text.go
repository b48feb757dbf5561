package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
)

// source opens raw inputs.
func (f *inputFlags) source(ctx context.Context, paths []string) (*reader.Source, error) {
	open, err := f.opener(ctx, paths)
	if err != nil {
		return nil, err
	}
	return open(ctx)
}

// opener returns a function that opens raw inputs, each time from their beginning.
func (f *inputFlags) opener(ctx context.Context, paths []string) (open func(context.Context) (*reader.Source, error), err error) {
	for _, path := range paths {
		if kind, err := f.kind(path); kind == indexFile && err == nil {
			return nil, usageError("%s is an index, and raw text is read here: name the text, or the index alone where one will do", path)
		}
	}
	opt, err := f.readerOptions(ctx, paths)
	if err != nil {
		return nil, err
	}
	f.warnTwice(paths)
	return func(ctx context.Context) (*reader.Source, error) { return reader.Read(ctx, paths, opt) }, nil
}

// readerOptions returns the reader options that the flags give. For classes that must
// be in both splits, it reads the inputs.
func (f *inputFlags) readerOptions(ctx context.Context, paths []string) (opt reader.Options, err error) {
	if opt, err = f.Reading.Options(); err != nil {
		return opt, err
	}
	opt.Stdin, opt.Threads, opt.TempDir = f.stdin, f.threads, f.tempDir
	if f.maxMemory == "" {
		opt.WholeFiles = math.MaxInt64
	} else if _, err := parseSize("max-memory", f.maxMemory); err != nil { // predict keeps no text, and builds nothing
		return opt, err
	}
	opt.Unlabelled = opt.Unlabelled || f.against()
	switch {
	case f.ClassesFrom != "":
		if err := regular(f.ClassesFrom); err != nil {
			return opt, err
		}
		corpus, err := corpus.Open(f.ClassesFrom, corpus.OpenOptions{})
		if err != nil {
			return opt, err
		}
		opt.Classes = corpus.Classes()
		if err := corpus.Close(); err != nil {
			return opt, err
		}
	case f.Classes == "both":
		if opt.Classes, err = reader.CommonClasses(ctx, paths, opt); errors.Is(err, reader.ErrOnce) {
			err = usageError("--classes both: %v", err)
		}
	}
	return opt, err
}

// explained returns the error of a build, with what the source knows of it: why the input
// has no documents, or which fields documents without labels have. Without one it is that of
// the source: what was built is not all of the input.
func explained(source *reader.Source, err error) error {
	switch wrong, hint := source.Check(), source.LabelHint(); {
	case err == nil || errors.Is(wrong, reader.ErrEmpty) && errors.Is(err, ingest.ErrEmpty):
		return wrong
	case hint != "" && errors.Is(err, ingest.ErrNoLabels):
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// sumUp prints what was read, how fast, and what came of it, which is nil if the documents
// were not counted.
func (tk *talk) sumUp(source *reader.Source, took time.Duration, counted *vocabulary) {
	s := source.Summary()
	tk.noteSummary(s)
	tk.summary.addVocabulary(counted)
	tk.note("%d documents, %.1f MB at %.0f MB/s%s", s.Documents, float64(s.Bytes)/1e6, float64(s.Bytes)/1e6/max(took.Seconds(), 1e-9), counted.text())
}

// noteSummary prints the notes and warnings of a summary, and what was left out.
func (tk *talk) noteSummary(s reader.Summary) {
	tk.summary.addSource(s)
	tk.warn(s.Warnings)
	for _, n := range s.Notes {
		tk.note("%s", n)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		tk.note("skipped %d: %s", s.Skipped[reason], reason)
	}
	for _, p := range s.Problems {
		tk.note("left out %d: %s; the first is %v", p.Count, p.Kind, p.Places[0])
	}
}
