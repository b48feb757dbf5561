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
	"github.com/termsift/termsift/engine/vectors"
)

// This file writes vectors in the formats of transform.

type rows = func(yield func(vectors.Row, error) bool)

// A rowFormat is a format of transform. write writes rows of a selection to the file at
// path, and to others beside it.
type rowFormat struct {
	name  string
	write func(a *app, path string, s *selection.Selection, in rows) error
}

var rowFormats = []rowFormat{
	{formatSVMLight, func(a *app, path string, _ *selection.Selection, in rows) error {
		return a.write(path, func(w io.Writer) error { return vectors.WriteSVMLight(w, in) })
	}},
	{"jsonl", func(a *app, path string, s *selection.Selection, in rows) error {
		return a.write(path, func(w io.Writer) error { return vectors.WriteJSONLines(w, s, in) })
	}},
	{"npz", func(a *app, path string, s *selection.Selection, in rows) error {
		return a.write(path, func(w io.Writer) error {
			m, err := vectors.Collect(s, in)
			if err != nil {
				return err
			}
			return m.WriteNPZ(w)
		})
	}},
	{formatMatrixMarket, (*app).writeMatrixMarket},
}

// rowFormatNames returns the names of the formats.
func rowFormatNames() (names []string) {
	for _, f := range rowFormats {
		names = append(names, f.name)
	}
	return names
}

// rowFormatFor returns the format of a name, which must be able to write to path.
func rowFormatFor(name, path string) (rowFormat, error) {
	at := slices.IndexFunc(rowFormats, func(f rowFormat) bool { return f.name == name })
	switch {
	case at < 0:
		return rowFormat{}, usageError("unknown output %q; known: %s", name, strings.Join(rowFormatNames(), " "))
	case name == formatMatrixMarket && (path == "" || path == "-"):
		return rowFormat{}, usageError("--to %s writes three files: name the matrix by -o FILE; the tables are FILE%s and FILE%s", name, termsTable, documentsTable)
	}
	return rowFormats[at], nil
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

// writeRows writes the vectors of a selection.
func (a *app) writeRows(path, format string, s *selection.Selection, weight string, in *rowInput) error {
	f, err := rowFormatFor(format, path)
	if err != nil {
		return err
	}
	t, err := vectors.New(s, vectors.Weighting(weight))
	if err != nil {
		return err
	}
	if format == formatSVMLight && in.lines != nil {
		err = a.write(path, func(w io.Writer) error { return in.lines(t, w) })
	} else {
		err = f.write(a, path, s, in.rows(t))
	}
	if err != nil {
		return err
	}
	a.noteUnseen(t)
	return nil
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
