package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
)

// This file restricts inputs to some documents and holds them against others.

// docsFlags say which documents are meant.
type docsFlags struct {
	docs                     string
	reference, referenceDocs string
	keepClasses              bool // that no chosen document has
}

func (f *docsFlags) registerDocs(c *cobra.Command) {
	c.Flags().StringVar(&f.docs, "docs", "", "only these documents: class=NAME, id=NAME, both with * behind a beginning, file=LIST of ids, labelled; joined by and, or, not, ( )")
}

func (f *docsFlags) registerReference(c *cobra.Command) {
	c.Flags().StringVar(&f.reference, "reference", "", "an index or raw text to hold INPUT against: the classes become target and reference")
	c.Flags().StringVar(&f.referenceDocs, "reference-docs", "", "only these documents as the reference: of --reference, else of INPUT")
}

// against says that there is a reference.
func (f *docsFlags) against() bool { return f.reference != "" || f.referenceDocs != "" }

// parseDocs reads an expression; nil of none.
func parseDocs(flag, expr string) (*engine.DocFilter, error) {
	if expr == "" {
		return nil, nil
	}
	filter, err := engine.ParseDocs(expr, readIDs)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return filter, nil
}

// readIDs reads a file of one document's name a line. White space within a line is a
// part of the name.
func readIDs(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var ids []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if id := strings.TrimSuffix(lines.Text(), "\r"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, lines.Err()
}

// chosen gives the documents of a corpus that a filter wants; all if it is nil.
func (a *app) chosen(ctx context.Context, corpus *engine.Corpus, flag string, filter *engine.DocFilter, opt engine.SubsetOptions) (*engine.Corpus, error) {
	if filter == nil {
		return corpus, nil
	}
	match, err := corpus.Match(filter)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	a.warn(match.Warnings)
	opt.Docs = filter.String()
	part, err := corpus.Subset(ctx, match.Docs, opt)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	a.note("--%s: %d of %d documents", flag, part.Documents(), corpus.Documents())
	return part, nil
}

// choose restricts the inputs of a command and holds them against its reference.
func (a *app) choose(c *cobra.Command, f *inputFlags, whole *engine.Corpus, docs, referenceDocs *engine.DocFilter) (*engine.Corpus, error) {
	ctx := c.Context()
	opt := engine.SubsetOptions{KeepClasses: f.keepClasses || f.against(), Threads: f.threads}
	target, err := a.chosen(ctx, whole, "docs", docs, opt)
	if err != nil || !f.against() {
		return target, err
	}
	reference := whole
	if f.reference != "" {
		if reference, err = a.load(ctx, f, []string{f.reference}); err != nil {
			return nil, err
		}
	}
	if reference, err = a.chosen(ctx, reference, "reference-docs", referenceDocs, opt); err != nil {
		return nil, err
	}
	a.warnShared(target, reference)
	return engine.Against(ctx, target, reference, f.threads)
}

// warnShared tells of documents that are on both sides, as far as these come from the
// same input.
func (a *app) warnShared(target, reference *engine.Corpus) {
	if target.Provenance().InputHash != reference.Provenance().InputHash {
		return
	}
	ids := make(map[string]bool, target.Documents())
	for d := range target.Documents() {
		ids[target.DocumentID(d)] = true
	}
	shared := 0
	for d := range reference.Documents() {
		if ids[reference.DocumentID(d)] {
			shared++
		}
	}
	if shared > 0 {
		a.warn([]string{fmt.Sprintf("%d documents are in the target and in the reference, and count in both; --reference-docs leaves documents out", shared)})
	}
}

// filtered leaves the chosen documents of a stream. None at all is an error.
func (a *app) filtered(docs document.Stream, filter *engine.DocFilter) document.Stream {
	if filter == nil {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		m, all, kept := filter.Matcher(), 0, 0
		for d, err := range docs {
			if err == nil {
				all++
				if !m.Match(d.ID, d.Labels) {
					continue
				}
				kept++
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
		a.warn(m.Warnings())
		if kept == 0 {
			yield(document.Document{}, fmt.Errorf("--docs: %w: none of the %d matches %s", engine.ErrNoDocuments, all, filter))
			return
		}
		a.note("--docs: %d of %d documents", kept, all)
	}
}
