package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// This file writes vectors in the formats of transform.

type rows = func(yield func(vectors.Row, error) bool)

// rowFormats are the formats of transform. A function writes the rows of a selection to one file;
// Matrix Market takes several.
var rowFormats = map[string]func(w io.Writer, s *selection.Selection, in rows) error{
	formatSVMLight: func(w io.Writer, _ *selection.Selection, in rows) error { return vectors.WriteSVMLight(w, in) },
	"jsonl":        func(w io.Writer, s *selection.Selection, in rows) error { return vectors.WriteJSONLines(w, s, in) },
	"npz": func(w io.Writer, s *selection.Selection, in rows) error {
		m, err := vectors.Collect(s, in)
		if err != nil {
			return err
		}
		return m.WriteNPZ(w)
	},
	formatMatrixMarket: nil,
}

// rowFormatNames are the names of the formats.
var rowFormatNames = []string{formatSVMLight, "jsonl", "npz", formatMatrixMarket}

// checkRowFormat returns an error unless there is a format that can be written to path.
func checkRowFormat(name, path string) error {
	switch {
	case !slices.Contains(rowFormatNames, name):
		return usageError("unknown output %q; known: %s", name, strings.Join(rowFormatNames, " "))
	case name == formatMatrixMarket && (path == "" || path == "-"):
		return usageError("--to %s writes three files: name the matrix by -o FILE; the tables are FILE%s and FILE%s", name, termsTable, documentsTable)
	}
	return nil
}

// formatSVMLight is the format of one line a document.
const formatSVMLight = "svmlight"

// formatMatrixMarket is the format that takes three files: the matrix, and tables of its
// columns and its rows, whose names end so.
const (
	formatMatrixMarket = "mtx"
	termsTable         = ".terms.tsv"
	documentsTable     = ".documents.tsv"
)

// writeMatrixMarket writes the matrix and its tables, all or none.
func (o *outputs) writeMatrixMarket(path string, s *selection.Selection, in rows) error {
	m, err := vectors.Collect(s, in)
	if err != nil {
		return err
	}
	return o.writeAll(filepath.Dir(path), []filled{
		{path + termsTable, otherFile, m.WriteTerms}, {path + documentsTable, otherFile, m.WriteDocuments}, {path, otherFile, m.WriteMatrixMarket},
	})
}

// A rowInput are inputs that are turned into rows.
type rowInput struct {
	rows func(*vectors.Transformer) rows
	// lines writes the rows as svmlight text, made on several threads; it is nil if they can be
	// made one after the other alone.
	lines func(t *vectors.Transformer, w io.Writer) error
	done  func() // prints what was read
}

// rowsOf returns the rows of a corpus.
func rowsOf(ctx context.Context, c *corpus.Corpus, threads int) *rowInput {
	return &rowInput{
		rows:  func(t *vectors.Transformer) rows { return t.Corpus(ctx, c) },
		lines: func(t *vectors.Transformer, w io.Writer) error { return t.WriteSVMLight(ctx, w, c, threads) },
		done:  func() {},
	}
}

// writeRows writes the vectors of a selection in a format that is known.
func (a *app) writeRows(path, format string, s *selection.Selection, weight string, in *rowInput) error {
	t, err := vectors.New(s, table.Weighting(weight))
	if err != nil {
		return err
	}
	switch {
	case format == formatMatrixMarket:
		err = a.writeMatrixMarket(path, s, in.rows(t))
	case format == formatSVMLight && in.lines != nil:
		err = a.write(path, func(w io.Writer) error { return in.lines(t, w) })
	default:
		err = a.write(path, func(w io.Writer) error { return rowFormats[format](w, s, in.rows(t)) })
	}
	if err == nil {
		a.noteUnseen(t)
	}
	return err
}

// noteUnseen prints what a transformer left out.
func (tk *talk) noteUnseen(t *vectors.Transformer) {
	if terms, labels := t.Unseen(); terms > 0 || labels > 0 {
		tk.note("left out: %d occurrences of terms that were not selected, %d labels that the selection's corpus did not have", terms, labels)
	}
}

// vectors opens inputs, whose documents a transformer of the selection turns into rows.
// Raw inputs are analysed like the selection's corpus; flags that contradict its
// analysis are an error.
func (in *inputFlags) vectors(c *cobra.Command, s *selection.Selection, from string, args []string) (*rowInput, error) {
	if in.kind(args[0]) == indexFile {
		in.keepClasses, in.keepEmpty = true, true // documents without a label or a term have vectors too
		corpus, err := in.corpus(c, args)
		if err != nil {
			return nil, err
		}
		return rowsOf(c.Context(), corpus, in.threads), nil
	}
	if name := changesAnalysis(c); name != "" {
		return nil, usageError("--%s contradicts %s: documents are analysed as the selection's were", name, from)
	}
	in.Remember(c.Flags().Changed, s.Provenance)
	filter, err := in.query("docs", in.docs)
	if err != nil {
		return nil, err
	}
	source, err := in.source(c.Context(), args)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	opened := &rowInput{
		rows: func(t *vectors.Transformer) rows {
			return t.Documents(c.Context(), in.filtered(in.watch(source.Documents(), source), filter))
		},
		done: func() { in.sumUp(source, time.Since(start), nil) },
	}
	if filter == nil {
		opened.lines = func(t *vectors.Transformer, w io.Writer) error {
			if err := t.WriteBatches(c.Context(), w, in.watchBatches(source), in.threads); err != nil {
				return err
			}
			return source.Check()
		}
	}
	return opened, nil
}

// featuresAndRows reads a features file, and opens the documents to turn into vectors over its terms.
func (in *inputFlags) featuresAndRows(c *cobra.Command, path string, args []string) (*selection.Selection, *rowInput, error) {
	s, err := readSelection(path)
	if err != nil {
		return nil, nil, err
	}
	in.warn(s.Warnings)
	rows, err := in.vectors(c, s, "--features", args)
	return s, rows, err
}
