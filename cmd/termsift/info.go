package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file describes corpora, and the files that the command writes: models, features and statistics.

func infoCommand(a *app) *command {
	var f inputFlags
	f.app = a
	return &command{
		use:   "info INPUT",
		short: "tell what is in an index, a corpus, a model, features or statistics",
		example: "  termsift info train.idx\n  termsift info --format json train.idx\n" +
			"  termsift info model",
		flags:   append(f.flags(), a.tableFlags("table")...),
		classes: classesOptional,
		run: func(c *cobra.Command, args []string) error {
			if done, err := a.infoOfFile(c, args); done {
				return err
			}
			corpus, err := f.corpus(c, args)
			if err != nil {
				return err
			}
			info, err := corpus.Info(c.Context())
			if err != nil {
				return err
			}
			if a.table.Format == "table" {
				return a.infoText(info)
			}
			return tables.WriteObject(a.stdout, a.table, infoFacts(info))
		},
	}
}

// A savedFile is what info and verify say of such a file.
type savedFile struct {
	kind     fileKind
	summary  string // in a few words
	warnings []string
	facts    func(bytes int64) ([]tables.Fact, error)
}

// readSaved reads a file of one of the kinds. It returns nil for any other file.
func (a *app) readSaved(path string) (*savedFile, error) {
	switch kind := a.kind(path); kind {
	case modelFile:
		p, err := readPipeline(path)
		if err != nil {
			return nil, err
		}
		summary := fmt.Sprintf("a model, %s, %d terms, %d classes", p.Model.Kind(), p.Model.Columns(), len(p.Model.Classes()))
		return &savedFile{kind, summary, p.Selection.Warnings, func(bytes int64) ([]tables.Fact, error) {
			return append([]tables.Fact{
				{Key: "kind", Value: "model"},
				{Key: "classifier", Value: p.Model.Kind()},
				{Key: "weight", Value: p.Weight},
				{Key: "several_labels", Value: p.Sets},
			}, selectionFacts(p.Selection, bytes)...), nil
		}}, nil
	case featuresFile:
		s, err := readSelection(path)
		if err != nil {
			return nil, err
		}
		summary := fmt.Sprintf("a features file, %d terms of %d documents, %d classes", len(s.Features), s.Documents, len(s.Classes))
		return &savedFile{kind, summary, s.Warnings, func(bytes int64) ([]tables.Fact, error) {
			return append([]tables.Fact{
				{Key: "kind", Value: "features"},
				{Key: "p_values", Value: s.PValues},
				// A seal that does not match is an error, one that is missing the only warning of a file.
				{Key: "sealed", Value: len(s.Warnings) == 0},
			}, selectionFacts(s, bytes)...), nil
		}}, nil
	case statisticsFile:
		s, err := a.openStatistics(path)
		if err != nil {
			return nil, err
		}
		summary := fmt.Sprintf("statistics, %d documents, %d terms, %d classes", s.Documents(), s.Terms(), len(s.Classes()))
		return &savedFile{kind, summary, nil, func(bytes int64) ([]tables.Fact, error) { return statisticsFacts(s, path, bytes) }}, nil
	}
	return nil, nil
}

// infoOfFile prints the description of a model, features or statistics. It reports whether the
// inputs are one such file.
func (a *app) infoOfFile(c *cobra.Command, paths []string) (bool, error) {
	if len(paths) != 1 || paths[0] == "-" {
		return false, nil
	}
	path := paths[0]
	f, err := a.readSaved(path)
	if f == nil || err != nil {
		return err != nil, err
	}
	if err := noRaw(c, "%s is %s", path, f.kind); err != nil {
		return true, err
	}
	if c.Flags().Changed("docs") {
		return true, usageError("--docs chooses documents of an index or of raw text, but %s is %s", path, f.kind)
	}
	info, err := os.Stat(path)
	if err != nil {
		return true, err
	}
	facts, err := f.facts(info.Size())
	if err != nil {
		return true, err
	}
	a.warn(f.warnings)
	return true, tables.WriteObject(a.stdout, a.table, facts)
}

// selectionFacts describes the selection in a model or a features file.
func selectionFacts(s *selection.Selection, bytes int64) []tables.Fact {
	factors := slices.DeleteFunc(selection.Factors(), func(name string) bool { return s.Factors[name] == nil })
	return []tables.Fact{
		{Key: "terms", Value: len(s.Features)},
		{Key: "documents", Value: s.Documents}, // that the terms were selected from
		{Key: "classes", Value: len(s.Classes)},
		{Key: "class_names", Value: s.Classes},
		{Key: "bytes", Value: bytes},
		{Key: "measure", Value: string(s.Measure)},
		{Key: "combine", Value: string(s.Combine)},
		{Key: "stages", Value: append([]selection.Stage{}, s.Stages...)},
		{Key: "factors", Value: factors},
		{Key: "provenance", Value: s.Provenance},
	}
}

func statisticsFacts(s *table.Table, path string, bytes int64) ([]tables.Fact, error) {
	if s.Cells.Tokens >= 1<<63 {
		return nil, fmt.Errorf("%s: %w: the sum of all values is %.6g", path, ingest.ErrOverflow, s.Cells.Tokens)
	}
	sizes := map[string]int{}
	for i, name := range s.Classes() {
		sizes[name] = int(s.Cells.ClassDocs[i])
	}
	return withTarget([]tables.Fact{
		{Key: "kind", Value: "statistics"},
		{Key: "documents", Value: s.Documents()},
		{Key: "labelled", Value: int(s.Cells.Labelled)},
		{Key: "terms", Value: s.Terms()},
		{Key: "classes", Value: len(s.Classes())},
		{Key: "tokens", Value: int64(s.Cells.Tokens)},
		{Key: "cells", Value: int64(s.Cells.Len())},
		{Key: "bytes", Value: bytes},
		{Key: "class_sizes", Value: sizes},
		{Key: "pruned", Value: s.Pruned},
		{Key: "missing", Value: int(s.Missing)},
		{Key: "provenance", Value: s.Provenance()},
	}, s.Target()), nil
}

// withTarget adds the numbers of the documents to the description of a corpus, if it has some.
func withTarget(facts []tables.Fact, target *table.Target) []tables.Fact {
	if target != nil {
		facts = append(facts, tables.Fact{Key: "target", Value: target})
	}
	return facts
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
		args: arguments(1, flags.Unlimited, "a FILE"),
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
	case err != nil && usage.ExitCode(err) == usage.ExitData:
		return brokenFile{err}
	case err != nil:
		return err
	case f == nil:
		c, err := a.openCorpus(path, corpus.OpenOptions{Verify: true})
		if err != nil {
			return err
		}
		defer c.Close() // nothing was written
		f = &savedFile{summary: fmt.Sprintf("%d documents, %d terms, %d classes", c.Documents(), c.Terms(), len(c.Classes()))}
	case f.kind == featuresFile && len(f.warnings) > 0:
		return usage.NewError(usage.ErrCorrupt, f.warnings[0]) // its bytes have no sum
	}
	_, err = fmt.Fprintf(a.stdout, "%s: sound, %s\n", a.visible(path), f.summary)
	return err
}

// A brokenFile is the error for a file that other commands refuse as bad input, and verify as
// broken.
type brokenFile struct{ error }

// Unwrap makes the error one of a broken file as well.
func (e brokenFile) Unwrap() []error { return []error{e.error, usage.ErrCorrupt} }

// infoFacts returns the description of a corpus for programs.
func infoFacts(i corpus.Info) []tables.Fact {
	facts := []tables.Fact{
		{Key: "documents", Value: i.Documents},
		{Key: "labelled", Value: i.Labelled},
		{Key: "empty_documents", Value: i.EmptyDocuments},
		{Key: "terms", Value: i.Terms},
		{Key: "classes", Value: i.Classes},
		{Key: "postings", Value: i.Postings},
		{Key: "tokens", Value: i.Tokens},
		{Key: "cells", Value: i.Cells},
		{Key: "cells_stored", Value: i.CellsStored},
		{Key: "bytes", Value: i.Bytes},
		{Key: "class_sizes", Value: i.ClassSizes},
		{Key: "pruned", Value: i.Pruned},
		{Key: "kernels", Value: kernels.Path()},
		{Key: "provenance", Value: i.Provenance},
	}
	sections := map[string]int{}
	for _, s := range i.Sections {
		sections[s.Name] = s.Bytes
	}
	if len(sections) > 0 {
		facts = append(facts, tables.Fact{Key: "sections", Value: sections})
	}
	return withTarget(facts, i.Target)
}

// infoText prints the description of a corpus for people.
func (o *outputs) infoText(i corpus.Info) error {
	for _, f := range infoFacts(i) {
		switch f.Key {
		case "documents", "labelled", "terms", "postings", "tokens", "cells", "cells_stored", "bytes", "kernels":
			o.entry(strings.ReplaceAll(f.Key, "_", " "), f.Value)
		case "empty_documents":
			o.entry("without terms", f.Value)
		}
	}
	if p := &i.Provenance.Analysis.Phrases; len(*p) > 0 { // which may be thousands
		o.entry("phrases", fmt.Sprintf("%v: %s", *p, some(*p)))
		*p = nil
	}
	provenance, err := json.Marshal(i.Provenance)
	if err != nil {
		return err
	}
	var sections []string
	for _, s := range i.Sections {
		sections = append(sections, item(s.Name, s.Bytes))
	}
	if len(sections) > 0 {
		o.entry("sections", len(sections), sections...)
	}
	o.entry("made by", string(provenance))
	if i.Target != nil {
		o.targetText(i.Target, i.ClassSizes)
		return nil
	}
	o.entry("classes", i.Classes, sizes(slices.Sorted(maps.Keys(i.ClassSizes)), i.ClassSizes)...)
	return nil
}

// mostNumbers is how many numbers of a target are listed with their documents.
const mostNumbers = 20

// targetText prints the numbers of the documents for people.
func (o *outputs) targetText(t *table.Target, documents map[string]int) {
	o.entry("target", t.Field, item("distinct numbers", t.Distinct), item("min", t.Min), item("mean", t.Mean), item("max", t.Max))
	if t.Distinct <= mostNumbers {
		fmt.Fprintln(o.stdout, "documents of")
		o.items(sizes(table.SortNumbers(maps.Keys(documents)), documents)...)
	}
}

// entry prints a value for people under its name, and items under it.
func (o *outputs) entry(name string, value any, items ...string) {
	fmt.Fprintf(o.stdout, "%-14s %s\n", name, o.visible(fmt.Sprint(value)))
	o.items(items...)
}

func (o *outputs) items(items ...string) {
	for _, text := range items {
		fmt.Fprintf(o.stdout, "  %s\n", o.visible(text))
	}
}

// item returns an item with a value.
func item(name string, value any) string { return fmt.Sprintf("%-28s %v", name, value) }

// sizes returns items of names with their numbers.
func sizes(names []string, of map[string]int) (items []string) {
	for _, name := range names {
		items = append(items, item(name, of[name]))
	}
	return items
}
