package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/words"
)

// This file restricts inputs to some documents, and opens two corpora that are held against each other.

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

// filtered returns a stream of the documents that match the filter, of all if that is nil. It is an error if
// none does.
func (tk *talk) filtered(docs document.Stream, filter *corpus.Query) document.Stream {
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
	if s.m == nil {
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
	if s.m == nil {
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

// sideFlags are the flags that name two corpora.
type sideFlags struct {
	inputFlags
	list   string           // a frequency list in place of B
	totals words.ListTotals // of its corpus
}

// A keynessSide is one of two corpora, or its statistics.
type keynessSide struct {
	counted rank.Counted
	name    string // for people
	path    string
	filter  *corpus.Query // of the documents
}

// sideName returns the name of an input for people.
func sideName(path string) string {
	if path == "-" {
		return "stdin"
	}
	return filepath.Base(filepath.Clean(path))
}

// docsOf are the flags that choose the documents of either side.
var docsOf = [2]string{"docs", "reference-docs"}

// sidesOf opens or builds both corpora.
func (f *sideFlags) sidesOf(c *cobra.Command, args []string) (s [2]keynessSide, err error) {
	f.Read.Unlabelled = true
	a, b := &s[0], &s[1]
	if a.filter, err = f.query("docs", f.docs); err != nil {
		return s, err
	}
	a.path, b.path = args[0], args[len(args)-1]
	a.name, b.name = sideName(a.path), sideName(b.path)
	switch {
	case f.list != "":
		err = f.readFrequencies(args, b)
	case len(args) == 2:
		f.reference = b.path
	case a.filter == nil:
		return s, usageError("name two inputs, or one with --docs (which of its documents are A) or --reference-list (a frequency list)")
	default:
		f.referenceDocs = cmp.Or(f.referenceDocs, "not ("+f.docs+")")
		a.name, b.name = f.docs, f.referenceDocs
	}
	if err == nil {
		b.filter, err = f.query("reference-docs", f.referenceDocs)
	}
	statistics := f.ofKinds(args)[statisticsFile] > 0
	if err == nil && !statistics {
		err = f.checkInputs(c, args[:1])
	}
	switch {
	case err != nil:
		return s, err
	case statistics || b.counted != nil:
		return s, f.openCounted(c, s[:])
	}
	if err := f.analyseAlike(c, args); err != nil {
		return s, err
	}
	whole, err := f.load(c.Context(), args[:1])
	if err != nil {
		return s, err
	}
	target, reference, err := f.sides(c, whole, a.filter, b.filter)
	if err == nil {
		a.counted, b.counted = target, reference
	}
	return s, err
}

// analyseAlike has raw text A analysed as index B was, unless flags say how.
func (f *sideFlags) analyseAlike(c *cobra.Command, args []string) error {
	if len(args) < 2 || changesAnalysis(c) != "" || f.kind(args[0]) == indexFile || f.kind(args[1]) != indexFile {
		return nil
	}
	b, err := corpus.Open(args[1], corpus.OpenOptions{Read: f.noMap})
	if err != nil {
		return err
	}
	p := b.Provenance()
	f.like = &p
	return b.Close()
}

// openCounted opens both sides where one is a file of statistics, or a frequency list: those first, since raw text is
// analysed as statistics were, unless flags say how. Flags that need documents, or say how text is read
// where there is none, are an error.
func (f *sideFlags) openCounted(c *cobra.Command, sides []keynessSide) error {
	raw := false
	for i := range sides {
		side := &sides[i]
		if side.counted != nil {
			continue // a frequency list
		}
		kind := f.kind(side.path)
		raw = raw || kind == otherFile
		if kind != statisticsFile {
			continue
		}
		if side.filter != nil {
			return usageError("--%s needs the documents, and %s has statistics only: use the index", docsOf[i], side.path)
		}
		stats, err := f.openStatistics(side.path)
		if err != nil {
			return err
		}
		p := stats.Provenance()
		if changesAnalysis(c) == "" {
			f.like = &p
		}
		side.counted = stats
	}
	if err := noRaw(c, "%s and %s are counted already", sides[0].path, sides[1].path); err != nil && !raw {
		return err
	}
	for i := range sides {
		side := &sides[i]
		if side.counted != nil {
			continue
		}
		whole, err := f.load(c.Context(), []string{side.path})
		if err != nil {
			return err
		}
		if side.counted, err = f.chosen(c.Context(), whole, docsOf[i], side.filter, corpus.SubsetOptions{Threads: f.threads}); err != nil {
			return err
		}
	}
	return nil
}

// readFrequencies reads the list in place of B.
func (f *sideFlags) readFrequencies(args []string, b *keynessSide) error {
	switch {
	case len(args) != 1:
		return usageError("--reference-list is in place of B, and B is %s: omit one", args[1])
	case f.referenceDocs != "":
		return usageError("--reference-docs needs documents, and a frequency list has none: omit one")
	}
	list, err := readFile(f.list, func(r io.Reader, name string) (*words.FrequencyList, error) {
		data, err := reader.ReadList(r, name, "--max-list", f.Read.MaxList)
		if err != nil {
			return nil, err
		}
		return words.ReadFrequencyList(bytes.NewReader(data), name, f.totals)
	})
	b.counted, b.path, b.name = list, f.list, sideName(f.list)
	return err
}
