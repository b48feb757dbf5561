package main

import (
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
)

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
