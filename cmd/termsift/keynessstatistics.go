package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
)

// This file opens the sides of keyness of which one is, or both are, files of statistics.

// openCounted opens those sides of keyness that are files of statistics. Flags that need
// documents, or say how text is read where there is none, are an error.
func (f *keynessFlags) openCounted(c *cobra.Command, s *keynessSides) error {
	raw := false
	for i, side := range []*rank.Counted{&s.target, &s.reference} {
		text := s.texts[i]
		kind, err := f.kind(text.path)
		if err != nil {
			return err
		}
		raw = raw || kind == otherFile
		if kind != statisticsFile {
			continue
		}
		if text.filter != nil {
			return usageError("--%s needs the documents, and %s has statistics only: use the index", docsOf[i], text.path)
		}
		stats, err := f.openStatistics(text.path)
		if err != nil {
			return err
		}
		p := stats.Provenance()
		if changesAnalysis(c) == "" {
			f.like = &p // raw text is analysed as these were, unless flags say how
		}
		*side, s.analysis = stats, p.Analysis // that of both sides, else they are not compared
	}
	if name := changedRaw(c); name != "" && !raw {
		return usageError("--%s says how raw text is read, but %s and %s are counted already", name, s.texts[0].path, s.texts[1].path)
	}
	return nil
}

// docsOf are the flags that choose the documents of either side.
var docsOf = [2]string{"docs", "reference-docs"}

// openOthers opens the sides that are no statistics.
func (f *keynessFlags) openOthers(c *cobra.Command, s *keynessSides) error {
	for i, side := range []*rank.Counted{&s.target, &s.reference} {
		if *side != nil {
			continue
		}
		whole, err := f.load(c.Context(), []string{s.texts[i].path})
		if err != nil {
			return err
		}
		part, err := f.chosen(c.Context(), whole, docsOf[i], s.texts[i].filter, corpus.SubsetOptions{Threads: f.threads})
		if err != nil {
			return err
		}
		*side = part
	}
	return nil
}
