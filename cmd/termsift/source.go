package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// readWords reads a file of one word a line.
func readWords(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(data)), nil
}

// source opens raw inputs.
func (a *app) source(ctx context.Context, f *inputFlags, paths []string) (*reader.Source, error) {
	for _, path := range paths {
		if isIndex, err := startsAsIndex(path); isIndex && err == nil {
			return nil, usageError("%s is an index, and raw text is read here: name the text, or the index alone where one will do", path)
		}
	}
	opt, err := a.readerOptions(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	s, err := reader.Read(ctx, paths, opt)
	if err != nil && exitCode(err) == exitIO && strings.HasPrefix(err.Error(), "unknown ") {
		return nil, usageError("%v", err)
	}
	return s, err
}

// readerOptions turns the flags into options; the classes that are in both splits
// are read from the inputs for that.
func (a *app) readerOptions(ctx context.Context, f *inputFlags, paths []string) (opt reader.Options, err error) {
	if err := f.checkLimits(); err != nil {
		return opt, err
	}
	opt = f.read
	opt.Stdin = a.stdin
	if opt.Format, err = reader.ParseFormat(f.format); err != nil {
		return opt, usageError("%v", err)
	}
	switch {
	case f.classesFrom != "" && f.classes != "all":
		return opt, usageError("--classes and --classes-from contradict each other: leave one away")
	case f.classesFrom != "":
		corpus, err := engine.Open(f.classesFrom, engine.OpenOptions{})
		if err != nil {
			return opt, err
		}
		opt.Classes = corpus.Classes()
		if err := corpus.Close(); err != nil {
			return opt, err
		}
	case f.classes == "both":
		if opt.Classes, err = reader.CommonClasses(ctx, paths, opt); errors.Is(err, reader.ErrOnce) {
			err = usageError("--classes both: %v", err)
		}
	case f.classes != "all":
		opt.Classes, err = readLines(f.classes)
		if errors.Is(err, os.ErrNotExist) {
			err = usageError("unknown choice of classes %q; known: all both, or the name of a file", f.classes)
		}
	}
	return opt, err
}

// checkLimits refuses limits that nothing keeps.
func (f *inputFlags) checkLimits() error {
	o := &f.read
	for _, limit := range []struct {
		flag  string
		value int64
	}{
		{"max-document", o.MaxDocument},
		{"max-line", o.MaxLine},
		{"max-labels", int64(o.MaxLabels)},
		{"max-classes", int64(o.MaxClasses)},
		{"max-members", int64(o.MaxMembers)},
		{"max-expansion", o.MaxExpansion},
	} {
		if limit.value <= 0 {
			return usageError("--%s must be positive, not %d", limit.flag, limit.value)
		}
	}
	return nil
}

// readLines reads a file of one name a line.
func readLines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			names = append(names, line)
		}
	}
	return names, nil
}

func startsAsIndex(path string) (bool, error) {
	prefix, err := beginning(path)
	return err == nil && engine.IsIndex(prefix), err
}

// beginning gives the first bytes of a file, of anything else none.
func beginning(path string) ([]byte, error) {
	if path == "-" {
		return nil, nil
	}
	// A pipe is opened once: what writes to it goes away with the first reader.
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

// emptyInput prefers what the source says of an input without documents.
func emptyInput(source *reader.Source, err error) error {
	if empty := source.Check(); empty != nil && errors.Is(err, engine.ErrEmpty) {
		return empty
	}
	return err
}

// sumUp tells what was read.
func (a *app) sumUp(source *reader.Source, took time.Duration, more string) {
	s := source.Summary()
	for _, n := range s.Notes {
		a.note("%s", n)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		a.note("skipped %d: %s", s.Skipped[reason], reason)
	}
	for _, p := range s.Problems {
		a.note("left out %d: %s; the first is %v", p.Count, p.Kind, p.Places[0])
	}
	a.note("%d documents, %.1f MB at %.0f MB/s%s", s.Documents, float64(s.Bytes)/1e6, float64(s.Bytes)/1e6/max(took.Seconds(), 1e-9), more)
}

// watch shows progress on a terminal, from the first second on.
func (a *app) watch(docs document.Stream) document.Stream {
	if !isTerminal(a.stderr) {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		p := progress{w: a.stderr, start: time.Now()}
		defer p.end()
		for d, err := range docs {
			p.add(1)
			if !yield(d, err) {
				break
			}
		}
	}
}

// watchBatches is watch for batches, which are read on several goroutines.
func (a *app) watchBatches(batches document.Batches) document.Batches {
	if !isTerminal(a.stderr) {
		return batches
	}
	return func(yield func(document.Stream, error) bool) {
		p := progress{w: a.stderr, start: time.Now()}
		defer p.end()
		counted := func(docs document.Stream) document.Stream {
			return func(yield func(document.Document, error) bool) {
				n := 0
				for d, err := range docs {
					n++
					if !yield(d, err) {
						break
					}
				}
				p.add(n)
			}
		}
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(counted(docs), nil) {
				return
			}
		}
	}
}
