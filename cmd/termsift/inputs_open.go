package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
)

// This file distinguishes indexes from raw text, and opens either.

// checkInputs returns an error if flags for raw text are set without raw text, or if
// standard input is read twice.
func (f *inputFlags) checkInputs(c *cobra.Command, paths []string) error {
	if f.text != "" {
		return nil // the flags apply to this
	}
	name := changedRaw(c)
	inputs := [][]string{paths}
	if f.reference != "" {
		inputs = append(inputs, []string{f.reference})
		if f.reference == "-" && slices.Contains(paths, "-") {
			return usageError("standard input is the INPUT and cannot be the reference as well")
		}
	}
	for _, paths := range inputs {
		kind, err := f.kindOfOne(paths)
		if err != nil {
			return err
		}
		if kind != indexFile {
			return nil // the flags apply to these
		}
	}
	if name != "" {
		return usageError("--%s says how raw text is read, but %s is an index: build it again with this flag", name, paths[0])
	}
	return nil
}

// load opens an index, or builds one in memory.
func (f *inputFlags) load(ctx context.Context, paths []string) (*corpus.Corpus, error) {
	kind, err := f.kindOfOne(paths)
	switch {
	case err != nil:
		return nil, err
	case kind == statisticsFile:
		return nil, usageError("%s has statistics only, without documents: score, select, compare, explain, keyness and merge take them; anything else needs the index", paths[0])
	case kind == indexFile:
		return f.openCorpus(paths[0], corpus.OpenOptions{Read: f.noMap})
	}
	return f.build(ctx, paths)
}

// regular returns an error for a path that is not a regular file. An index is read in
// place, and a device or a pipe may not end.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() { // Open returns the error
		return nil
	}
	return usageError("%s is no regular file, and an index is read in place: save it to a file and name that", path)
}

// ofReference returns the flags of raw text that is held against the corpus with this
// record: it is read and analysed likewise, as far as no flag says otherwise.
func (f *inputFlags) ofReference(c *cobra.Command, p corpus.Provenance) *inputFlags {
	in := *f
	in.RememberFields(c.Flags().Changed, p)
	in.Read.OptionalFields = !c.Flags().Changed("label-field") && !c.Flags().Changed("id-field")
	switch {
	case changesAnalysis(c) == "":
		in.like, in.dedupe = &p, p.Dedupe
	case in.Tokens == analysis.Auto:
		in.Tokens = p.Analysis.Tokens
	}
	return &in
}

// A fileKind is the kind of contents of a file.
type fileKind string

const (
	otherFile      fileKind = "another kind of file"
	indexFile      fileKind = "an index"
	statisticsFile fileKind = "a file of statistics"
	featuresFile   fileKind = "a features file"
	modelFile      fileKind = "a model"
)

// kindOf returns the kind of an existing file by its first bytes.
func kindOf(path string) (fileKind, error) {
	prefix, err := beginning(path)
	switch {
	case err != nil:
		return otherFile, err
	case corpus.IsIndex(prefix):
		return indexFile, nil
	case corpus.IsStatistics(prefix):
		return statisticsFile, nil
	case selection.IsFeatures(prefix):
		return featuresFile, nil
	case classify.IsPipeline(prefix):
		return modelFile, nil
	}
	return otherFile, nil
}

// beginning returns the first bytes of a regular file, and nothing for any other.
func beginning(path string) ([]byte, error) {
	if path == "-" {
		return nil, nil
	}
	// A pipe is opened once: its writer ends with the first reader.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	prefix := make([]byte, 32)
	n, err := io.ReadFull(file, prefix)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return prefix[:n], nil
}

// inputs are what the paths that a run reads name. Each is looked at once.
type inputs struct{ kinds map[string]fileKind }

// kind returns the kind of an input.
func (in *inputs) kind(path string) (fileKind, error) {
	if kind, known := in.kinds[path]; known {
		return kind, nil
	}
	kind, err := kindOf(path)
	if err == nil {
		if in.kinds == nil {
			in.kinds = map[string]fileKind{}
		}
		in.kinds[path] = kind
	}
	return kind, err
}

// kindOfOne returns the kind of the one input, that of raw text for several.
func (in *inputs) kindOfOne(paths []string) (fileKind, error) {
	if len(paths) != 1 {
		return otherFile, nil
	}
	return in.kind(paths[0])
}

// ofKinds returns how many of the inputs are of each kind.
func (in *inputs) ofKinds(paths []string) (map[fileKind]int, error) {
	of := map[fileKind]int{}
	for _, path := range paths {
		kind, err := in.kind(path)
		if err != nil {
			return nil, err
		}
		of[kind]++
	}
	return of, nil
}
