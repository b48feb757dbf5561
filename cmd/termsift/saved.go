package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

// This file tells indexes, statistics, features and models from raw text, and opens them.

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
	return io.ReadAll(io.LimitReader(file, 32))
}

// inputs are what the paths that a run reads name. Each is looked at once.
type inputs struct{ kinds map[string]fileKind }

// kind returns the kind of an input, otherFile if it cannot be read: opening it returns the error.
func (in *inputs) kind(path string) fileKind {
	kind, known := in.kinds[path]
	if !known {
		if in.kinds == nil {
			in.kinds = map[string]fileKind{}
		}
		kind, _ = kindOf(path)
		in.kinds[path] = kind
	}
	return kind
}

// kindOfOne returns the kind of the one input, that of raw text for several.
func (in *inputs) kindOfOne(paths []string) fileKind {
	if len(paths) != 1 {
		return otherFile
	}
	return in.kind(paths[0])
}

// ofKinds returns how many of the inputs are of each kind.
func (in *inputs) ofKinds(paths []string) map[fileKind]int {
	of := map[fileKind]int{}
	for _, path := range paths {
		of[in.kind(path)]++
	}
	return of
}

// expect returns an error unless a file is of a kind. The format of the error takes the path.
func (in *inputs) expect(path string, kind fileKind, format string) error {
	if in.kind(path) == kind {
		return nil
	}
	if _, err := kindOf(path); err != nil {
		return err
	}
	return usageError(strings.ReplaceAll(format, "%s", "%[1]s"), path)
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

// openCorpus opens an index that the run reads.
func (tk *talk) openCorpus(path string, o corpus.OpenOptions) (*corpus.Corpus, error) {
	c, err := corpus.Open(path, o)
	if err == nil && tk.summary.asked {
		tk.summary.addCounted(c.Documents(), c.Documents()-corpus.Labelled(c), &vocabulary{c.Terms(), len(c.Classes())})
	}
	return c, err
}

// openStatistics opens a file of statistics that the run reads.
func (tk *talk) openStatistics(path string) (*table.Table, error) {
	s, err := corpus.OpenStatistics(path)
	if err == nil {
		unlabelled := s.Cells.Documents - s.Cells.Labelled
		tk.summary.addCounted(s.Documents(), int(unlabelled), &vocabulary{s.Terms(), len(s.Classes())})
	}
	return s, err
}

// readFile reads a file by a function of the engine.
func readFile[T any](path string, read func(r io.Reader, name string) (T, error)) (v T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer file.Close()
	return read(file, path)
}

func readSelection(path string) (*selection.Selection, error) { return readFile(path, selection.Read) }

func readPipeline(path string) (*classify.Pipeline, error) {
	p, err := readFile(path, classify.LoadPipeline)
	if errors.Is(err, classify.ErrNoModel) {
		err = fmt.Errorf("%w; write it with termsift train", err)
	}
	return p, err
}

// noteIncomplete says what statistics lack: the rare terms of shards.
func (tk *talk) noteIncomplete(s *table.Table) {
	if n := int(s.Missing); n > 0 {
		tk.note("rare terms of the shards were left out: all terms in more than %d documents are there, and of each up to %d documents may not be counted", n, n)
	}
}
