package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/replicate/papers"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

// list prints the names and titles of the protocols.
func list(stdout io.Writer) error {
	all, err := papers.All()
	if err != nil {
		return err
	}
	for _, p := range all {
		if _, err := fmt.Fprintf(stdout, "%-20s %s\n", p.Name, p.Title); err != nil {
			return err
		}
	}
	return nil
}

// experiment runs a protocol and prints what came out as Markdown. With -html it also
// writes a page.
func experiment(ctx context.Context, opt *options, stdout, stderr io.Writer) error {
	p, err := papers.Find(opt.name)
	if err != nil {
		return err
	}
	r, err := p.Run(ctx, papers.Options{Data: opt.data, Threads: opt.threads})
	if err != nil {
		return err
	}
	if opt.html != "" {
		page, err := pageOf(p, r, "go run ./bench/replicate "+p.Name)
		if err != nil {
			return err
		}
		if err := files.Write(ctx, files.OS{}, opt.html, page.WriteHTML); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "replicate: wrote %s\n", opt.html)
	}
	return printAll(stdout, p, r)
}

// printAll prints the blocks of a report as Markdown.
func printAll(w io.Writer, p *papers.Protocol, r *papers.Results) error {
	blocks, err := p.Report(r)
	if err != nil {
		return err
	}
	out := []string{"## " + p.Name + ": " + p.Title, p.Paper + "."}
	for _, b := range blocks {
		out = append(out, "### "+b.Title)
		out = append(out, b.Text...)
		out = append(out, b.Table.String())
	}
	_, err = fmt.Fprintln(w, strings.Join(out, "\n\n"))
	return err
}

// pageOf returns the results of a protocol as a report: the verdicts first, then the other tables.
func pageOf(p *papers.Protocol, r *papers.Results, command string) (*report.Report, error) {
	summary, err := p.Summary(r)
	if err != nil {
		return nil, err
	}
	blocks, err := p.Report(r)
	if err != nil {
		return nil, err
	}
	page := &report.Report{
		Title: p.Title, Headline: verdict(summary), Command: command,
		Facts: []report.Fact{{Name: "experiment", Value: p.Name}, {Name: "paper", Value: p.Paper}, {Name: "termsift", Value: table.Version}},
	}
	verdicts := slices.IndexFunc(blocks, func(b papers.Block) bool { return b.Title == papers.ClaimsTitle })
	for _, b := range slices.Concat(blocks[verdicts:verdicts+1], blocks[:verdicts], blocks[verdicts+1:]) {
		t := report.Table{Title: b.Title, Notes: b.Text, Text: b.Table.Text}
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
	return page, nil
}

// verdict says in a sentence how many claims hold, and what was found.
func verdict(s papers.Summary) string {
	text := fmt.Sprintf("%d of %d claims hold", s.Holds, s.Claims())
	for _, part := range []struct {
		n    int
		what string
	}{{s.InPart, "in part"}, {s.Fails, "not"}, {s.Unchecked, "not checked"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if s.Finding != "" {
		text += ". " + s.Finding
	}
	return text
}

// folder returns the folder of the collections.
func (opt *options) folder() (string, error) {
	if data := cmp.Or(opt.data, os.Getenv(dataVariable)); data != "" {
		return data, nil
	}
	return "", fmt.Errorf("say where the collections are: -data DIR, or $%s", dataVariable)
}

// dataVariable names the environment variable that stands for -data.
const dataVariable = "TERMSIFT_DATA"
