package main

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

// This file has what the pages of commands share. Their tables are those that the commands print.

// htmlFlag is --html of a command that also prints its results.
func htmlFlag(to *string) flags.Flag {
	return flags.Flag{
		Name: "html", To: to, Writes: true, Group: flags.GroupOutput,
		Help: "also write a page to this file, which needs no other and no network",
	}
}

// writeHTML writes a page, and says so.
func (a *app) writeHTML(path string, page interface{ WriteHTML(w io.Writer) error }) error {
	if err := a.write(path, page.WriteHTML); err != nil {
		return err
	}
	a.note("wrote %s", path)
	return nil
}

// newReport returns a report with its command, its inputs, what was counted, nil if nothing was, and
// the warnings so far.
func (in *inputFlags) newReport(ctx context.Context, title string, of rank.Counted, inputs ...string) (*report.Report, error) {
	r := &report.Report{Title: title, Command: in.commandLine(), Facts: fileFacts(inputs), Warnings: in.summary.warnings()}
	if of != nil {
		stats, err := of.Statistics(ctx, corpus.CountOptions{Threads: in.threads})
		if err != nil {
			return nil, err
		}
		r.Facts = append(r.Facts,
			report.Fact{Name: "documents", Value: report.Count(stats.Documents())},
			report.Fact{Name: "terms", Value: report.Count(stats.Terms())},
			report.Fact{Name: "classes", Value: report.Count(len(stats.Classes()))},
			report.Fact{Name: "tokens", Value: analysisText(stats.Provenance().Analysis)})
	}
	r.Facts = append(r.Facts, report.Fact{Name: "termsift", Value: table.Version})
	return r, nil
}

// analysisText says how texts became terms.
func analysisText(o analysis.Options) string {
	return o.Tokens + ", stop list " + o.Stop + ", stemmer " + o.Stem
}

// nameOf returns the name of some data for a title.
func nameOf(inputs ...string) string {
	var names []string
	for _, path := range inputs {
		names = append(names, sideName(path))
	}
	names = slices.Compact(names)
	const most = 3
	if more := len(names) - most; more > 0 {
		names = append(names[:most], "and "+report.Count(more)+" more")
	}
	return strings.Join(names, ", ")
}

// sideName returns the name of an input for people.
func sideName(path string) string {
	if path == "-" {
		return "stdin"
	}
	return filepath.Base(filepath.Clean(path))
}

// pageTable returns rows as a table of a page, with the columns that people see and with what is
// printed in them. Columns that are empty in all rows are left out.
func pageTable[T any](title string, columns []tables.Column[T], rows []T) report.Table {
	t := report.Table{Title: title, Rows: make([][]string, len(rows))}
	for _, c := range columns {
		if c.In != 0 && c.In&tables.ForPeople == 0 {
			continue
		}
		cells, filled := make([]string, len(rows)), len(rows) == 0
		for i, row := range rows {
			cells[i] = c.Printed(row)
			filled = filled || cells[i] != ""
		}
		if !filled {
			continue
		}
		if c.Left {
			t.Words = append(t.Words, len(t.Head))
		}
		t.Head = append(t.Head, cmp.Or(c.Head, c.Key))
		for i := range rows {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	return t
}
