package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// This file restricts inputs to some documents and compares them with reference
// documents.

// docsFlags are the flags that choose documents.
type docsFlags struct {
	docs                     string
	reference, referenceDocs string
	text                     string // raw text that the index INPUT was built from
	keepClasses              bool   // classes that no chosen document has
	keepEmpty                bool   // chosen documents, though none has a term
}

// docsFlag returns the flag of the chosen documents.
func (f *docsFlags) docsFlag() flags.Flag {
	return flags.Flag{
		Name: "docs", To: &f.docs, Group: flags.GroupInput, Takes: "EXPR", Reads: listsIn, Applies: flags.OfInput | flags.OfDocuments,
		Help: "only these documents: class=NAME, id=NAME, both with * behind a beginning, file=LIST of ids, labelled; joined by and, or, not, ( )",
	}
}

// referenceFlags returns the flags of reference documents.
func (f *docsFlags) referenceFlags() []flags.Flag {
	return []flags.Flag{
		{
			Name: "reference", To: &f.reference, Group: flags.GroupInput, Reads: flags.AFile, Applies: flags.OfDocuments | flags.OfClasses,
			Help: "an index or raw text to hold INPUT against: the classes become target and reference",
		},
		f.referenceDocsFlag("only these documents as the reference: of --reference, else of INPUT"),
	}
}

func (f *docsFlags) referenceDocsFlag(help string) flags.Flag {
	return flags.Flag{
		Name: "reference-docs", To: &f.referenceDocs, Group: flags.GroupInput, More: true, Takes: "EXPR", Reads: listsIn, Applies: flags.OfDocuments | flags.OfClasses, Help: help,
	}
}

// against reports whether there is a reference.
func (f *docsFlags) against() bool { return f.reference != "" || f.referenceDocs != "" }

// query parses the expression of a flag. It returns nil for an empty one.
func (f *inputFlags) query(flag, expr string) (*corpus.Query, error) {
	if expr == "" {
		return nil, nil
	}
	filter, err := corpus.ParseQuery(expr, f.lists().IDs)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return filter, nil
}

// chosen returns the corpus of the documents that match the filter, or all if the
// filter is nil.
func (tk *talk) chosen(ctx context.Context, corpus *corpus.Corpus, flag string, filter *corpus.Query, opt corpus.SubsetOptions) (*corpus.Corpus, error) {
	if filter == nil {
		return corpus, nil
	}
	match, err := corpus.Match(filter)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	tk.warn(match.Warnings)
	opt.Docs = filter.String()
	part, err := corpus.Subset(ctx, match.Docs, opt)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	tk.note("--%s: %d of %d documents", flag, part.Documents(), corpus.Documents())
	return part, nil
}

// sides returns the chosen documents of a corpus and of its reference.
func (f *inputFlags) sides(c *cobra.Command, whole *corpus.Corpus, docs *corpus.Query, referenceDocs *corpus.Query) (target, reference *corpus.Corpus, err error) {
	ctx := c.Context()
	opt := corpus.SubsetOptions{KeepClasses: f.keepClasses || f.against(), KeepEmpty: f.keepEmpty, Threads: f.threads}
	target, err = f.chosen(ctx, whole, "docs", docs, opt)
	if err != nil || !f.against() {
		return target, nil, err
	}
	reference = whole
	if f.reference != "" {
		if reference, err = f.ofReference(c, whole.Provenance()).load(ctx, []string{f.reference}); err != nil {
			return nil, nil, err
		}
	}
	if reference, err = f.chosen(ctx, reference, "reference-docs", referenceDocs, opt); err != nil {
		return nil, nil, err
	}
	return target, reference, f.warnShared(target, reference)
}

// warnShared warns about documents that are on both sides, if both sides come from the
// same input.
func (tk *talk) warnShared(target *corpus.Corpus, reference *corpus.Corpus) error {
	if target.Provenance().InputHash != reference.Provenance().InputHash {
		return nil
	}
	own, err := target.DocumentIDs()
	if err != nil {
		return err
	}
	others, err := reference.DocumentIDs()
	if err != nil {
		return err
	}
	own = slices.Sorted(slices.Values(own))
	shared := 0
	for _, id := range others {
		if _, found := slices.BinarySearch(own, id); found {
			shared++
		}
	}
	if shared > 0 {
		tk.warn([]string{fmt.Sprintf("%d documents are in the target and in the reference, and count in both; --reference-docs leaves documents out", shared)})
	}
	return nil
}

// filtered returns a stream of the documents that match the filter. It is an error if
// none does.
func (tk *talk) filtered(docs document.Stream, filter *corpus.Query) document.Stream {
	if filter == nil {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		chosen := newSieve(filter)
		for d, err := range chosen.some(docs) {
			if !yield(d, err) || err != nil {
				return
			}
		}
		if err := tk.noteChosen(chosen); err != nil {
			yield(document.Document{}, err)
		}
	}
}

// A sieve takes the documents that match a filter, all if that is nil, and counts them. It is safe for
// concurrent use.
type sieve struct {
	filter *corpus.Query

	mu        sync.Mutex
	m         *corpus.Matcher
	all, kept int
}

func newSieve(filter *corpus.Query) *sieve {
	s := &sieve{filter: filter}
	if filter != nil {
		s.m = filter.Matcher()
	}
	return s
}

// take reports whether a document matches.
func (s *sieve) take(d *document.Document) bool {
	if s.filter == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all++
	if !s.m.Match(d.ID, d.Labels) {
		return false
	}
	s.kept++
	return true
}

// some returns the documents of a stream that match.
func (s *sieve) some(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if (err != nil || s.take(&d)) && !yield(d, err) {
				return
			}
		}
	}
}

// of returns the documents of batches that match, which are read on several goroutines.
func (s *sieve) of(batches document.Batches) document.Batches { return eachBatch(batches, s.some) }

// eachBatch returns what a function makes of each batch.
func eachBatch(batches document.Batches, of func(document.Stream) document.Stream) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(of(docs), nil) {
				return
			}
		}
	}
}

// noteChosen says how many documents matched. It is an error if none did.
func (tk *talk) noteChosen(s *sieve) error {
	if s.filter == nil {
		return nil
	}
	return tk.noteMatched(s.m.Warnings(), s.kept, s.all, s.filter)
}

// noteMatched says how many of all documents match a filter. It is an error if none does.
func (tk *talk) noteMatched(warnings []string, matched, all int, filter *corpus.Query) error {
	tk.warn(warnings)
	if matched == 0 {
		return fmt.Errorf("--docs: %w: none of the %d matches %s", corpus.ErrNoDocuments, all, filter)
	}
	tk.note("--docs: %d of %d documents", matched, all)
	return nil
}

// listsIn returns the lists that an expression of --docs names.
func listsIn(expr string) (paths []string) {
	_, _ = corpus.ParseQuery(expr, func(path string) ([]string, error) { // an error is returned again when the expression is used
		paths = append(paths, path)
		return nil, nil
	})
	return paths
}
