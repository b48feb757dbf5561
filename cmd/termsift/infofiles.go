package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/exit"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file describes the files that the command writes beside indexes: models, features and
// statistics.

// A savedFile is what info and verify say of such a file. One of its values is not nil.
type savedFile struct {
	kind       fileKind
	model      *classify.Pipeline
	features   *selection.Selection
	statistics *table.Table
}

// readSaved reads a file of one of the kinds. It returns nil for any other file.
func (a *app) readSaved(path string) (*savedFile, error) {
	kind, err := a.kind(path)
	if err != nil {
		return nil, nil // opening it returns the error
	}
	f := savedFile{kind: kind}
	switch f.kind {
	case modelFile:
		f.model, err = readPipeline(path)
	case featuresFile:
		f.features, err = readSelection(path)
	case statisticsFile:
		f.statistics, err = a.openStatistics(path)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &f, nil
}

// summary describes the file in a few words.
func (f *savedFile) summary() string {
	switch {
	case f.model != nil:
		return fmt.Sprintf("a model, %s, %d terms, %d classes", f.model.Model.Kind(), f.model.Model.Columns(), len(f.model.Model.Classes()))
	case f.features != nil:
		return fmt.Sprintf("a features file, %d terms of %d documents, %d classes", len(f.features.Features), f.features.Documents, len(f.features.Classes))
	}
	return fmt.Sprintf("statistics, %d documents, %d terms, %d classes", f.statistics.Documents(), f.statistics.Terms(), len(f.statistics.Classes()))
}

// infoOfFile prints the description of a model, features or statistics. It reports whether the
// inputs are one such file.
func (a *app) infoOfFile(c *cobra.Command, format tables.Format, paths []string) (bool, error) {
	if len(paths) != 1 || paths[0] == "-" {
		return false, nil
	}
	path := paths[0]
	f, err := a.readSaved(path)
	if f == nil || err != nil {
		return err != nil, err
	}
	if name := changedRaw(c); name != "" {
		return true, usageError("--%s says how raw text is read, but %s is %s", name, path, f.kind)
	}
	if c.Flags().Changed("docs") {
		return true, usageError("--docs chooses documents of an index or of raw text, but %s is %s", path, f.kind)
	}
	info, err := os.Stat(path)
	if err != nil {
		return true, err
	}
	switch {
	case f.model != nil:
		a.warn(f.model.Selection.Warnings)
		return true, a.printDescription(format, describeModel(f.model, info.Size()))
	case f.features != nil:
		a.warn(f.features.Warnings)
		return true, a.printDescription(format, describeFeatures(f.features, info.Size()))
	}
	described, err := describeStatistics(f.statistics, path, info.Size())
	if err != nil {
		return true, err
	}
	return true, a.printDescription(format, described)
}

// A selectionInfo is what info says of the selection in a model or a features file.
type selectionInfo struct {
	Terms      int               `json:"terms"`
	Documents  int               `json:"documents"` // that the terms were selected from
	Classes    int               `json:"classes"`
	ClassNames []string          `json:"class_names"`
	Bytes      int64             `json:"bytes"`
	Measure    string            `json:"measure"`
	Combine    string            `json:"combine"`
	Stages     []selection.Stage `json:"stages"`
	Factors    []string          `json:"factors"`
	Provenance corpus.Provenance `json:"provenance"`
}

type featuresInfo struct {
	Schema  int    `json:"schema"`
	Kind    string `json:"kind"`
	PValues bool   `json:"p_values"`
	Sealed  bool   `json:"sealed"`
	selectionInfo
}

type modelInfo struct {
	Schema     int    `json:"schema"`
	Kind       string `json:"kind"`
	Classifier string `json:"classifier"`
	Weight     string `json:"weight"`
	Sets       bool   `json:"several_labels"`
	selectionInfo
}

type statisticsInfo struct {
	Schema     int               `json:"schema"`
	Kind       string            `json:"kind"`
	Documents  int               `json:"documents"`
	Labelled   int               `json:"labelled"`
	Terms      int               `json:"terms"`
	Classes    int               `json:"classes"`
	Tokens     int64             `json:"tokens"`
	Cells      int64             `json:"cells"`
	Bytes      int64             `json:"bytes"`
	ClassSizes map[string]int    `json:"class_sizes"`
	Pruned     bool              `json:"pruned"`
	Missing    int               `json:"missing"`
	Provenance corpus.Provenance `json:"provenance"`
}

func describeSelection(s *selection.Selection, bytes int64) selectionInfo {
	stages, factors := s.Stages, []string{}
	if stages == nil {
		stages = []selection.Stage{}
	}
	for _, name := range selection.Factors() {
		if s.Factors[name] != nil {
			factors = append(factors, name)
		}
	}
	return selectionInfo{
		len(s.Features), s.Documents, len(s.Classes), slices.Clone(s.Classes), bytes,
		string(s.Measure), string(s.Combine), stages, factors, s.Provenance,
	}
}

func describeFeatures(s *selection.Selection, bytes int64) featuresInfo {
	// A seal that does not match is an error, one that is missing the only warning of a file.
	return featuresInfo{tables.Schema, "features", s.PValues, len(s.Warnings) == 0, describeSelection(s, bytes)}
}

func describeModel(p *classify.Pipeline, bytes int64) modelInfo {
	return modelInfo{tables.Schema, "model", p.Model.Kind(), p.Weight, p.Sets, describeSelection(p.Selection, bytes)}
}

func describeStatistics(s *table.Table, path string, bytes int64) (d statisticsInfo, err error) {
	counts := s
	if counts.Cells.Tokens >= 1<<63 {
		return d, fmt.Errorf("%s: %w: the sum of all values is %.6g", path, ingest.ErrOverflow, counts.Cells.Tokens)
	}
	sizes := map[string]int{}
	for i, name := range counts.Classes() {
		sizes[name] = int(counts.Cells.ClassDocs[i])
	}
	return statisticsInfo{
		tables.Schema, "statistics", s.Documents(), int(counts.Cells.Labelled), s.Terms(), len(counts.Classes()),
		int64(counts.Cells.Tokens), int64(counts.Cells.Len()), bytes, sizes, counts.Pruned, int(s.Missing), s.Provenance(),
	}, nil
}

// printDescription prints a description: its single values first, then its lists, for people.
func (o *outputs) printDescription(format tables.Format, object any) error {
	if format != "table" {
		return o.printObject(format, object)
	}
	last := ""
	for _, v := range tables.ObjectValues(object) {
		if v.Key == "schema" {
			continue
		}
		key := strings.ReplaceAll(v.Key, "_", " ")
		if v.Name == "" {
			fmt.Fprintf(o.stdout, "%-14s %s\n", key, o.visible(tables.Plain(v.Value)))
			continue
		}
		if key != last {
			fmt.Fprintf(o.stdout, "%s\n", key)
			last = key
		}
		line := o.visible(v.Name)
		if text, ok := v.Value.(string); ok {
			line = o.visible(text) // the elements of a list have numbers for names
		} else {
			line = fmt.Sprintf("%-28s %s", line, tables.Plain(v.Value))
		}
		if _, err := fmt.Fprintf(o.stdout, "  %s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// printObject prints a struct with JSON keys.
func (o *outputs) printObject(format tables.Format, object any) error {
	if format.Audience() == tables.ForJSON {
		return tables.WriteJSON(o.stdout, object)
	}
	return tables.New(o.stdout, o.style(format), tables.ObjectColumns).AddAll(tables.ObjectValues(object))
}

func verifyCommand(a *app) *command {
	return &command{
		use:   "verify FILE...",
		short: "look at every byte of indexes, models, features and statistics",
		long: "verify prints one line for each file and succeeds only if every byte of all of them is covered by a\n" +
			"checksum and right, and what the bytes say fits together. FILE is an index, a model of train, a\n" +
			"features file of select or statistics of index --stats-only. Exit code 5 says that one is broken.",
		example: "  termsift verify train.idx\n" +
			"  termsift verify features.tsv model",
		args: atLeast(1, "a FILE"),
		run: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				if err := a.verify(path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) verify(path string) error {
	if err := regular(path); err != nil {
		return err
	}
	f, err := a.readSaved(path)
	switch {
	case err != nil && exit.Code(err) == exitData:
		return brokenFile{err}
	case err != nil:
		return err
	case f == nil:
		return a.verifyIndex(path)
	case f.features != nil && len(f.features.Warnings) > 0:
		return usage.NewError(usage.ErrCorrupt, f.features.Warnings[0]) // its bytes have no sum
	}
	_, err = fmt.Fprintf(a.stdout, "%s: sound, %s\n", a.visible(path), f.summary())
	return err
}

func (a *app) verifyIndex(path string) error {
	c, err := a.openCorpus(path, corpus.OpenOptions{Verify: true})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: sound, %d documents, %d terms, %d classes\n",
		a.visible(path), c.Documents(), c.Terms(), len(c.Classes()))
	return errors.Join(err, c.Close())
}

// A brokenFile is the error for a file that other commands refuse as bad input, and verify as
// broken.
type brokenFile struct{ error }

// Unwrap makes the error one of a broken file as well.
func (e brokenFile) Unwrap() []error { return []error{e.error, usage.ErrCorrupt} }
