package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
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
