package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/usage"
)

// This file sends the table of a command to a file, in the format that the ending of its name
// tells.

// A tableFile is where the table of a command goes; no path means standard output.
type tableFile struct {
	path        string
	name        string // of a page
	command     string
	spreadsheet tables.Spreadsheet
}

// tableFlags returns the flags of a command that prints a table: --format, whose default is
// given, and those of a file.
func (a *app) tableFlags(format *tables.Format, value tables.Format) []flags.Flag {
	*format = value
	return flags.In(flags.GroupOutput, []flags.Flag{
		{
			Name: "output", Short: "o", To: &a.table.path, Writes: true,
			Help: "write the table to this file, in the format of its ending: .csv .tsv .xlsx .json .jsonl .md .html .txt",
		},
		{Name: "format", To: format, Choices: flags.Among(tables.Formats...), Help: strings.Join(tables.Formats, ", ")},
		{Name: "bom", To: &a.table.spreadsheet.Mark, More: true, Help: "begin csv with the mark by which Excel knows UTF-8"},
		{Name: "escape-formulas", To: &a.table.spreadsheet.Escape, More: true, Help: "put an apostrophe before texts of csv that begin with = + - @, which spreadsheets take for formulas"},
	})
}

// printTable runs a command, whose table goes to the file that was asked for.
func (a *app) printTable(c *cobra.Command, run func() error) error {
	format := c.Flags().Lookup("format")
	if format == nil || c.Flags().Lookup("escape-formulas") == nil {
		return run()
	}
	if err := a.table.choose(c, format.Value.Set); err != nil {
		return err
	}
	if err := a.table.check(format.Value.String(), a.toTerminal); err != nil {
		return err
	}
	a.table.name, a.table.command = "termsift "+c.Name(), a.commandLine()
	err := a.table.to(a, run)
	if n := a.table.spreadsheet.Formulas; n > 0 && !a.table.spreadsheet.Escape {
		a.note("%d cells begin with = + - or @, which spreadsheets take for formulas: --escape-formulas puts an apostrophe before them, and xlsx has them as text", n)
	}
	return err
}

// choose sets the format by the ending of the file, unless the user named one.
func (t *tableFile) choose(c *cobra.Command, set func(format string) error) error {
	ending := filepath.Ext(t.path)
	if t.path == "-" || ending == "" {
		return nil
	}
	format, named := tables.FormatOf(t.path), c.Flags().Changed("format")
	asked := c.Flags().Lookup("format").Value.String()
	switch {
	case !named && format == "" && asked != "table": // its default is for any file
		return nil
	case !named && format == "":
		return usageError("-o %s: the ending %s names no format: end the name in .csv .tsv .xlsx .json .jsonl .md .html or .txt, or add --format", t.path, ending)
	case !named:
		return set(string(format))
	case format != "" && format != "table" && string(format) != asked:
		return usageError("-o %s and --format %s contradict each other: leave --format away, or name a file that ends in .%s", t.path, asked, asked)
	}
	return nil
}

// check returns an error for what a format cannot be.
func (t *tableFile) check(format string, onTerminal bool) error {
	switch {
	case format == "xlsx" && (t.path == "" || t.path == "-") && onTerminal:
		return usageError("a workbook is no text to show: name a file with -o, as in -o table.xlsx")
	case t.spreadsheet.Mark && format != "csv":
		return usageError("--bom goes with csv, and the format is %s", format)
	case t.spreadsheet.Escape && format != "csv":
		return usageError("--escape-formulas goes with csv, and the format is %s", format)
	}
	return nil
}

// to runs a command with the file in place of standard output, which appears if the command prints
// its table, even if it ends with findings.
func (t *tableFile) to(a *app, run func() error) error {
	if t.path == "" || t.path == "-" {
		return run()
	}
	var found error
	err := a.write(t.path, func(w io.Writer) error {
		counted := &countedWriter{w: w}
		stdout, toTerminal := a.stdout, a.toTerminal
		a.stdout, a.toTerminal = terminal.NewOutput(counted, terminal.Screen{}), false
		defer func() { a.stdout, a.toTerminal = stdout, toTerminal }()
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
	a.note("wrote %s", t.path)
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
