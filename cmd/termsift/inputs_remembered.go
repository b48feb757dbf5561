package main

import (
	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
)

// This file reads raw text as other text was read, of which an index, a features file or a
// model keeps the record.

// ofReference returns the flags of raw text that is held against the corpus with this
// record: it is read and analysed likewise, as far as no flag says otherwise.
func (f *inputFlags) ofReference(c *cobra.Command, p corpus.Provenance) *inputFlags {
	in := *f
	in.RememberFields(c.Flags().Changed, p)
	in.Read.OptionalFields = !c.Flags().Changed("label-field") && !c.Flags().Changed("id-field")
	switch {
	case changesAnalysis(c) == "":
		in.like, in.dedupe = &p, p.Dedupe
	case in.Tokens == analysis.Auto:
		in.Tokens = p.Analysis.Tokens
	}
	return &in
}
