package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
)

// This file reads raw text as other text was read, of which an index, a features file or a
// model keeps the record.

// fields returns the names of the fields for the record.
func (f *inputFlags) fields() ingest.Fields {
	o := &f.read
	return ingest.Fields{Text: o.TextField, Label: o.LabelField, ID: o.IDField, NoHeader: o.NoHeader}
}

// remember sets the charset and the fields that no flag names to those of the record.
func (f *inputFlags) remember(c *cobra.Command, p corpus.Provenance) {
	if !c.Flags().Changed("charset") && p.Charset != "" {
		f.read.Charset = p.Charset
	}
	f.rememberFields(c, p)
}

// rememberFields sets the fields that no flag names to those of the record.
func (f *inputFlags) rememberFields(c *cobra.Command, p corpus.Provenance) {
	for _, field := range []struct {
		flag, was string
		to        *string
	}{
		{"text-field", p.Fields.Text, &f.read.TextField},
		{"label-field", p.Fields.Label, &f.read.LabelField},
		{"id-field", p.Fields.ID, &f.read.IDField},
	} {
		if !c.Flags().Changed(field.flag) {
			*field.to = field.was
		}
	}
	if !c.Flags().Changed("no-header") {
		f.read.NoHeader = p.Fields.NoHeader
	}
}

// toPredict says that the documents are those of a model or a selection, which need no
// label.
func (f *inputFlags) toPredict(c *cobra.Command) {
	f.read.Unlabelled = true
	f.read.OptionalFields = !c.Flags().Changed("label-field") && !c.Flags().Changed("id-field")
}

// ofReference returns the flags of raw text that is held against the corpus with this
// record: it is read and analysed likewise, as far as no flag says otherwise.
func (f *inputFlags) ofReference(c *cobra.Command, p corpus.Provenance) *inputFlags {
	in := *f
	in.rememberFields(c, p)
	in.read.OptionalFields = !c.Flags().Changed("label-field") && !c.Flags().Changed("id-field")
	switch {
	case !slices.ContainsFunc(analysisFlags, c.Flags().Changed):
		in.like, in.dedupe = &p, p.Dedupe
	case in.tokens == analysis.Auto:
		in.tokens = p.Analysis.Tokens
	}
	return &in
}
