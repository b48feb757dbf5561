package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// list prints the names and titles of the experiments.
func list(w io.Writer, protocols []*Protocol) {
	for _, p := range protocols {
		fmt.Fprintf(w, "  %-18s %s\n", p.Name, p.Title)
	}
}

// named gives the experiment of a name.
func named(name string, protocols []*Protocol) *Protocol {
	var names []string
	for _, p := range protocols {
		if p.Name == name {
			return p
		}
		names = append(names, p.Name)
	}
	lab.Check(&usage.UnknownError{Kind: "experiment", Name: name, Near: usage.Nearest(name, slices.Values(names)), Known: names})
	return nil
}

// experiment prints what came out of an experiment as Markdown: of the raw results, or of a run on the
// collections if these are named. With -html it also writes a page.
func experiment(ctx context.Context, opt *options, stdout, stderr io.Writer) {
	p := named(opt.name, opt.protocols)
	results := p.results(ctx, opt)
	sum, blocks := p.Report(results)
	if opt.html != "" {
		lab.Check(files.Write(ctx, files.OS{}, opt.html, p.page(results.Figures, sum, blocks).WriteHTML))
		fmt.Fprintf(stderr, "replicate: wrote %s\n", opt.html)
	}
	out := []string{"## " + p.Name + ": " + p.Title, p.Paper + "."}
	for _, b := range blocks {
		out = append(out, "### "+b.Title)
		out = append(out, b.Text...)
		out = append(out, b.Table.String())
	}
	lab.Need(fmt.Fprintln(stdout, strings.Join(out, "\n\n")))
}

// results are those of the raw file, or of a run.
func (p *Protocol) results(ctx context.Context, opt *options) *Results {
	if opt.data != "" {
		return p.Run(ctx, opt.data, opt.progress)
	}
	return p.recorded(opt.results).Results
}

// page returns the results as a report: the verdicts first, then the curves, then the other tables.
func (p *Protocol) page(f Figures, sum Summary, blocks []Block) *report.Report {
	page := &report.Report{
		Title: p.Title, Headline: verdict(sum), Command: "go run ./bench/replicate " + p.Name,
		Facts:  []report.Fact{{Name: "experiment", Value: p.Name}, {Name: "paper", Value: p.Paper}, {Name: "termsift", Value: table.Version}},
		Points: p.curves(f),
	}
	verdicts := slices.IndexFunc(blocks, func(b Block) bool { return b.Title == claimsTitle })
	for _, b := range slices.Concat(blocks[verdicts:verdicts+1], blocks[:verdicts], blocks[verdicts+1:]) {
		t := report.Table{Title: b.Title, Notes: b.Text, Text: b.Table.Text, Last: b.Title != claimsTitle}
		for _, head := range b.Table.Head {
			t.Head = append(t.Head, cmp.Or(head, "choice"))
		}
		for _, row := range b.Table.Rows {
			cells := make([]string, len(row))
			for i, cell := range row {
				cells[i] = strings.Trim(cell, "*`")
			}
			t.Rows = append(t.Rows, cells)
		}
		page.Tables = append(page.Tables, t)
	}
	return page
}

// verdict says in a sentence how many claims hold, and what was found.
func verdict(s Summary) string {
	text := fmt.Sprintf("%d of %d claims hold", s.Claims[holds], len(s.Outcomes))
	for _, k := range []struct {
		kind kind
		what string
	}{{inPart, "in part"}, {fails, "not"}, {unchecked, "not checked"}} {
		if n := s.Claims[k.kind]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, k.what)
		}
	}
	if s.Finding != "" {
		text += ". " + s.Finding
	}
	return text
}
