package main

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/keyness"
	"github.com/termsift/termsift/engine/reader"
)

// This file compares a corpus with a frequency list.

// frequencyListFlags name a frequency list, and tell the sizes of its corpus.
type frequencyListFlags struct {
	path   string
	totals keyness.ListTotals
}

func (f *frequencyListFlags) flags() []flags.Flag {
	return flags.In(flags.GroupInput, []flags.Flag{
		{Name: "reference-list", To: &f.path, Reads: flags.AFile, Help: "a frequency list in place of B, lines of a term, a tab and its occurrences"},
		{Name: "reference-total", To: &f.totals.Tokens, More: true, Positive: true, Most: flags.Unlimited, Help: "tokens of the list's corpus, those of terms that it lacks, too"},
		{Name: "reference-documents", To: &f.totals.Documents, More: true, Positive: true, Most: flags.Unlimited, Help: "documents of the list's corpus"},
	})
}

// read reads the list, of so many bytes at most.
func (f *frequencyListFlags) read(most int64) (*keyness.FrequencyList, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := reader.ReadList(file, f.path, "--max-list", most)
	if err != nil {
		return nil, err
	}
	return keyness.ReadFrequencyList(bytes.NewReader(data), f.path, f.totals)
}

// sidesOfList opens or builds A, or what --docs chooses of it, and reads the list.
func (f *sideFlags) sidesOfList(c *cobra.Command, args []string, s *keynessSides) error {
	a, b := &s.of[0], &s.of[1]
	switch {
	case len(args) != 1:
		return usageError("--reference-list is in place of B, and B is %s: leave one away", args[1])
	case f.referenceDocs != "":
		return usageError("--reference-docs needs documents, and a frequency list has none: leave one away")
	}
	list, err := f.list.read(f.Read.MaxList)
	if err != nil {
		return err
	}
	b.counted, b.path, b.name = list, f.list.path, sideName(f.list.path)
	if f.ofKinds(args)[statisticsFile] > 0 {
		return f.openCounted(c, s)
	}
	if err := f.checkInputs(c, args); err != nil {
		return err
	}
	whole, err := f.load(c.Context(), args)
	if err != nil {
		return err
	}
	a.counted, err = f.chosen(c.Context(), whole, "docs", a.filter, corpus.SubsetOptions{Threads: f.threads})
	return err
}
