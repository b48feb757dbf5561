package main

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
)

// This file opens two corpora that are held against each other, or a corpus and a frequency list.

// sideFlags are the flags that name two corpora.
type sideFlags struct {
	inputFlags
	list frequencyListFlags
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
	case f.list.path != "":
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
	if f.like == nil && changesAnalysis(c) == "" {
		p := whole.Provenance()
		f.like = &p
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

// frequencyListFlags name a frequency list, and tell the sizes of its corpus.
type frequencyListFlags struct {
	path   string
	totals keyness.ListTotals
}

func (f *frequencyListFlags) flags() []flags.Flag {
	return flags.In(flags.GroupInput, []flags.Flag{
		{Name: "reference-list", To: &f.path, Reads: flags.AFile, Help: "a frequency list in place of B, lines of a term, a tab and its occurrences"},
		{Name: "reference-total", To: &f.totals.Tokens, More: true, Positive: true, Most: flags.Unlimited, Needs: "reference-list", Why: "is that of a frequency list", Help: "tokens of the list's corpus, those of terms that it lacks, too"},
		{Name: "reference-documents", To: &f.totals.Documents, More: true, Positive: true, Most: flags.Unlimited, Needs: "reference-list", Why: "is that of a frequency list", Help: "documents of the list's corpus"},
	})
}

// readFrequencies reads the list in place of B.
func (f *sideFlags) readFrequencies(args []string, b *keynessSide) error {
	switch {
	case len(args) != 1:
		return usageError("--reference-list is in place of B, and B is %s: leave one away", args[1])
	case f.referenceDocs != "":
		return usageError("--reference-docs needs documents, and a frequency list has none: leave one away")
	}
	list, err := readFile(f.list.path, func(r io.Reader, name string) (*keyness.FrequencyList, error) {
		data, err := reader.ReadList(r, name, "--max-list", f.Read.MaxList)
		if err != nil {
			return nil, err
		}
		return keyness.ReadFrequencyList(bytes.NewReader(data), name, f.list.totals)
	})
	b.counted, b.path, b.name = list, f.list.path, sideName(f.list.path)
	return err
}
