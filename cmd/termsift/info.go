package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

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
			facts := infoFacts(info)
			if a.table.Format == "table" {
				facts, err = infoForPeople(info)
			}
			return cmp.Or(err, tables.WriteObject(a.stdout, a.table, facts))
		},
	}
}

// A savedFile is what info and verify say of such a file.
type savedFile struct {
	kind     fileKind
	summary  string // in a few words
	warnings []string
	facts    []tables.Fact
	failed   error // of the facts
}

// readSaved reads a file of one of the kinds. It returns nil for any other file.
func (a *app) readSaved(path string) (*savedFile, error) {
	kind := a.kind(path)
	if kind == indexFile || kind == otherFile {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &savedFile{kind: kind}
	switch kind {
	case modelFile:
		p, err := readPipeline(path)
		if err != nil {
			return nil, err
		}
		f.summary = fmt.Sprintf("a model, %s, %d terms, %d classes", p.Model.Kind(), p.Model.Columns(), len(p.Model.Classes()))
		f.warnings = p.Selection.Warnings
		f.facts = append([]tables.Fact{
			{Key: "kind", Value: "model"},
			{Key: "classifier", Value: p.Model.Kind()},
			{Key: "weight", Value: p.Weight},
			{Key: "several_labels", Value: p.Sets},
		}, selectionFacts(p.Selection, info.Size())...)
		return f, nil
	case featuresFile:
		s, err := readSelection(path)
		if err != nil {
			return nil, err
		}
		f.summary = fmt.Sprintf("a features file, %d terms of %d documents, %d classes", len(s.Features), s.Documents, len(s.Classes))
		f.warnings = s.Warnings
		f.facts = append([]tables.Fact{
			{Key: "kind", Value: "features"},
			{Key: "p_values", Value: s.PValues},
			// A seal that does not match is an error, one that is missing the only warning of a file.
			{Key: "sealed", Value: len(s.Warnings) == 0},
		}, selectionFacts(s, info.Size())...)
		return f, nil
	default:
		s, err := a.openStatistics(path)
		if err != nil {
			return nil, err
		}
		f.summary = fmt.Sprintf("statistics, %d documents, %d terms, %d classes", s.Documents(), s.Terms(), len(s.Classes()))
		f.facts, f.failed = statisticsFacts(s, path, info.Size())
		return f, nil
	}
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
	if err := cmp.Or(noRaw(c, "%s is %s", path, f.kind), f.failed); err != nil {
		return true, err
	}
	if c.Flags().Changed("docs") {
		return true, usageError("--docs chooses documents of an index or of raw text, but %s is %s", path, f.kind)
	}
	a.warn(f.warnings)
	return true, tables.WriteObject(a.stdout, a.table, f.facts)
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
			"checksum and right, and what the bytes say fits together. FILE is an index, a model of train, a features\n" +
			"file of select or statistics of index --stats-only. Exit code 5 says that one is broken.",
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

// infoForPeople returns the description of a corpus for people.
func infoForPeople(i corpus.Info) (facts []tables.Fact, err error) {
	for _, f := range infoFacts(i) {
		switch f.Key {
		case "empty_documents":
			f.Key = "without terms"
			facts = append(facts, f)
		case "documents", "labelled", "terms", "postings", "tokens", "cells", "cells_stored", "bytes", "kernels":
			facts = append(facts, f)
		}
	}
	if p := &i.Provenance.Analysis.Phrases; len(*p) > 0 { // which may be thousands
		facts = append(facts, tables.Fact{Key: "phrases", Value: fmt.Sprintf("%v: %s", *p, some(*p, few))})
		*p = nil
	}
	var sections []string
	for _, s := range i.Sections {
		sections = append(sections, tables.Named(s.Name, s.Bytes))
	}
	if n := len(sections); n > 0 {
		facts = append(facts, tables.Fact{Key: "sections", Value: n}, tables.Fact{Key: "sections", Value: sections})
	}
	provenance, err := json.Marshal(i.Provenance)
	facts = append(facts, tables.Fact{Key: "made by", Value: string(provenance)})
	return append(facts, classFacts(i.Target, i.ClassSizes)...), err
}

// mostNumbers is how many numbers of a target are listed with their documents.
const mostNumbers = 20

// classFacts returns the documents of the classes for people, or of the numbers of a target.
func classFacts(t *table.Target, documents map[string]int) []tables.Fact {
	if t == nil {
		return []tables.Fact{{Key: "classes", Value: len(documents)}, {Key: "classes", Value: documents}}
	}
	facts := []tables.Fact{{Key: "target", Value: t.Field}, {Key: "target", Value: []string{
		tables.Named("distinct numbers", t.Distinct), tables.Named("min", t.Min), tables.Named("mean", t.Mean), tables.Named("max", t.Max),
	}}}
	if t.Distinct > mostNumbers {
		return facts
	}
	var of []string
	for _, number := range table.SortNumbers(maps.Keys(documents)) {
		of = append(of, tables.Named(number, documents[number]))
	}
	return append(facts, tables.Fact{Key: "documents of", Value: of})
}
