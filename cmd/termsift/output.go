package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes the outputs, complete or not at all.

// outputs are what a run writes.
type outputs struct {
	rawOut      io.Writer // what stdout writes to
	stdout      *tables.Output
	files       openFiles
	use         fileUse
	table       tables.Style // of the table of the command
	tablePath   string       // where it goes; "" means standard output
	spreadsheet tables.Spreadsheet
}

// visible returns a name, without characters that control a terminal if standard output
// is one.
func (o *outputs) visible(s string) string { return tables.Visible(s, o.stdout.Screen.Terminal) }

// list returns the table of the command.
func list[T any](o *outputs, columns []tables.Column[T]) *tables.Table[T] {
	return tables.New(o.stdout, o.table, columns)
}

// write writes an output file with fill, so that it appears complete or not at all. "-"
// and "" mean standard output. An interruption stops fill or ends the process.
func (o *outputs) write(path string, fill func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return fill(o.stdout)
	}
	if err := o.use.admit(path); err != nil {
		return err
	}
	return files.Write(context.Background(), &o.files, path, fill)
}

// writeIf is write if there is a path, else it calls fill with nil.
func (o *outputs) writeIf(path string, fill func(w io.Writer) error) error {
	if path == "" {
		return fill(nil)
	}
	return o.write(path, fill)
}

// create creates a file that is written while the command runs.
func (o *outputs) create(path string) (*os.File, error) {
	if err := o.use.admit(path); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// checkEnding returns an error for an output whose name promises another format than is written. What programs do not
// know, as .vec, promises nothing.
func checkEnding(path, written string) error {
	switch ending := strings.ToLower(filepath.Ext(path)); ending {
	case ".csv", ".json", ".jsonl", ".xlsx", ".html", ".md", ".npz", ".npy", ".mtx", ".parquet", ".gz", ".zst", ".xz", ".bz2", ".zip":
		return usageError("-o %s: what is written is no %s but %s", path, ending, written)
	}
	return nil
}

// checkFeatures is checkEnding for a features file.
func checkFeatures(path string) error { return checkEnding(path, "a features file (.tsv)") }

// A filled is a file to write, with what writes its contents.
type filled struct {
	path string
	fill func(w io.Writer) error
}

// writeAll writes files of one folder, which it makes, so that all of them appear or none
// does: each is written to a temporary name, and when all are, they are renamed in their order.
func (o *outputs) writeAll(folder string, all []filled) (err error) {
	defer func() {
		if err != nil {
			o.files.removeAll()
		}
	}()
	if err := o.files.makeFolder(folder); err != nil {
		return err
	}
	var written []files.Renaming
	for _, f := range all {
		to, err := o.writeBeside(f)
		if err != nil {
			return err
		}
		if to.From != to.To {
			written = append(written, to)
		}
	}
	return o.files.renameAll(written)
}

// writeBeside writes a file to a temporary name, which it returns with what it will become. A
// device has no such name: it is written to, and stays.
func (o *outputs) writeBeside(f filled) (files.Renaming, error) {
	if err := o.use.admit(f.path); err != nil {
		return files.Renaming{}, err
	}
	if err := files.Try(&o.files, f.path); err != nil {
		return files.Renaming{}, err
	}
	to := files.Renaming{From: f.path, To: f.path}
	if target, err := filepath.EvalSymlinks(f.path); err == nil {
		to.To = target
	}
	info, err := os.Stat(to.To)
	if err == nil && !info.Mode().IsRegular() {
		return files.Renaming{}, files.Write(context.Background(), &o.files, f.path, f.fill)
	}
	to.From = files.TemporaryName(to.To)
	o.files.remember(to.From)
	if err := files.Write(context.Background(), &o.files, to.From, f.fill); err != nil {
		return to, err
	}
	if info != nil {
		return to, os.Chmod(to.From, info.Mode().Perm())
	}
	return to, nil
}

// openFiles creates the output files. It records what had a name before the run is done, temporary
// files and new folders, which an interruption must remove. A file that is done has lost its
// temporary name, and there is nothing to remove.
type openFiles struct {
	files.System
	mu      sync.Mutex
	names   []string
	folders []string // the outer ones first
	ended   bool     // all was removed, and nothing may be renamed any more
}

// Create implements [files.System].
func (o *openFiles) Create(path string) (files.File, error) {
	file, err := o.System.Create(path)
	if err == nil && file.Temporary() != "" {
		o.remember(file.Temporary())
	}
	return file, err
}

// remember records a temporary name.
func (o *openFiles) remember(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, name)
}

// makeFolder creates a folder and those above it.
func (o *openFiles) makeFolder(folder string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var made []string
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	slices.Reverse(made)
	o.folders = append(o.folders, made...)
	return os.MkdirAll(folder, 0o755)
}

// renameAll renames files that belong together, which an interruption does not break off, and syncs the
// folders that were made for them.
func (o *openFiles) renameAll(all []files.Renaming) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return context.Canceled
	}
	if err := files.RenameAll(o.System, all); err != nil {
		return err
	}
	for _, folder := range o.folders {
		if err := o.SyncDir(filepath.Dir(folder)); err != nil {
			return err
		}
	}
	o.folders = nil
	return nil
}

// removeAll removes what is recorded.
func (o *openFiles) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range o.names {
		_ = os.Remove(name) // it may have been renamed or removed
	}
	for _, folder := range slices.Backward(o.folders) {
		_ = os.Remove(folder) // it stays if it has files
	}
	o.names, o.folders = nil, nil
}

// end removes what is recorded, and lets nothing be renamed any more.
func (o *openFiles) end() {
	o.mu.Lock()
	o.ended = true
	o.mu.Unlock()
	o.removeAll()
}

// tableFlags returns the flags of a command that prints a table: --format, whose default is
// given, and those of a file.
func (a *app) tableFlags(format tables.Format) []flags.Flag {
	return flags.In(flags.GroupOutput, []flags.Flag{
		{
			Name: "output", Short: "o", To: &a.tablePath, Writes: true,
			Help: "write the table to this file, in the format of its ending: .csv .tsv .xlsx .json .jsonl .md .html .txt",
		},
		{Name: "format", To: &format, Choices: flags.Among(tables.Formats...), Help: strings.Join(tables.Formats, ", ")},
		{Name: "bom", To: &a.spreadsheet.Mark, More: true, Help: "begin csv with the mark by which Excel knows UTF-8"},
		{Name: "escape-formulas", To: &a.spreadsheet.Escape, More: true, Help: "put an apostrophe before texts of csv that begin with = + - @, which spreadsheets take for formulas"},
	})
}

// printTable runs a command, whose table goes to the file that was asked for.
func (a *app) printTable(c *cobra.Command, run func() error) error {
	format := c.Flags().Lookup("format")
	if format == nil || c.Flags().Lookup("escape-formulas") == nil {
		return run()
	}
	path, asked, named := a.tablePath, format.Value.String(), format.Changed
	if ending := filepath.Ext(path); path != "-" && ending != "" {
		switch known := tables.FormatOf(path); {
		case known == "" && !named && asked == "table": // another default is for any file
			return usageError("-o %s: the ending %s names no format: end the name in .csv .tsv .xlsx .json .jsonl .md .html or .txt, or add --format", path, ending)
		case known != "" && !named:
			asked = string(known)
		case known != "" && known != "table" && string(known) != asked:
			return usageError("-o %s and --format %s contradict each other: omit --format, or name a file that ends in .%s", path, asked, asked)
		}
	}
	toFile := path != "" && path != "-"
	switch {
	case asked == "xlsx" && !toFile && a.stdout.Screen.Terminal:
		return usageError("a workbook is no text to show: name a file with -o, as in -o table.xlsx")
	case a.spreadsheet.Mark && asked != "csv":
		return usageError("--bom goes with csv, and the format is %s", asked)
	case a.spreadsheet.Escape && asked != "csv":
		return usageError("--escape-formulas goes with csv, and the format is %s", asked)
	}
	a.table = tables.Style{Format: tables.Format(asked), Terminal: a.stdout.Screen.Terminal, Name: "termsift " + c.Name(), Command: a.commandLine(), Spreadsheet: &a.spreadsheet}
	var err error
	if toFile {
		err = a.toFile(run)
	} else {
		err = run()
	}
	if n := a.spreadsheet.Formulas; n > 0 && !a.spreadsheet.Escape {
		begin, them := "cells begin", "them"
		if n == 1 {
			begin, them = "cell begins", "it"
		}
		a.note("%[1]d %[2]s with = + - or @, which spreadsheets take for formulas: --escape-formulas puts an apostrophe before %[3]s, and xlsx has %[3]s as text", n, begin, them)
	}
	return err
}

// toFile runs a command with the file of its table in place of standard output, which appears if the command prints
// its table, even if it ends with findings.
func (a *app) toFile(run func() error) error {
	var found error
	err := a.write(a.tablePath, func(w io.Writer) error {
		counted := &countedWriter{w: w}
		stdout := a.stdout
		a.stdout, a.table.Terminal = tables.NewOutput(counted, tables.Screen{Width: tables.PlainWidth}), false
		defer func() { a.stdout = stdout }()
		err := run()
		if flushed := a.stdout.Flush(); err == nil || flushed != nil {
			return flushed
		}
		if found = err; errors.Is(err, usage.ErrNothing) && counted.n > 0 {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	a.note("wrote %s", a.tablePath)
	return found
}

// A countedWriter counts what is written.
type countedWriter struct {
	w io.Writer
	n int
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
