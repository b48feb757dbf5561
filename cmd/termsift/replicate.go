package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
	"github.com/termsift/termsift/engine"
)

type replicateFlags struct {
	data    string
	list    bool
	format  string
	threads int
}

func (a *app) replicateCommand() *cobra.Command {
	var f replicateFlags
	c := &cobra.Command{
		Use:   "replicate NAME --data DIR",
		Short: "repeat the experiment of a paper",
		Long: "replicate runs a paper's experiment from the collections to the verdicts: it prints the\n" +
			"protocol, the paper's claims beside what was measured, with the rule that decides each,\n" +
			"which choices of the protocol matter, and all figures. --list names the experiments.\n" +
			"DIR has the collections as they are published; $TERMSIFT_DATA stands for it.\n\n" +
			"TSV and JSON lines have a line for each claim and each figure.",
		Example: "  termsift replicate --list\n" +
			"  termsift replicate ttest-reuters --data collections",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return a.replicate(c, &f, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.data, "data", "", "folder of the collections (default $TERMSIFT_DATA)")
	flags.BoolVar(&f.list, "list", false, "list the experiments")
	flags.StringVar(&f.format, "format", "table", strings.Join(formats, ", "))
	flags.IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
	return c
}

func (a *app) replicate(c *cobra.Command, f *replicateFlags, args []string) error {
	switch {
	case !slices.Contains(formats, f.format):
		return usageError("unknown format %q; known: %s", f.format, strings.Join(formats, " "))
	case f.list && len(args) > 0:
		return usageError("--list takes no NAME")
	case f.list:
		return a.listProtocols(f.format)
	case len(args) != 1:
		return usageError("replicate needs one NAME; replicate --list has them")
	}
	p, err := papers.Find(args[0])
	if err != nil {
		return err
	}
	if f.data == "" {
		f.data = os.Getenv("TERMSIFT_DATA")
	}
	if f.data == "" {
		return usageError("say where the collections are: --data DIR, or $TERMSIFT_DATA")
	}
	o := papers.Options{Data: f.data, Threads: f.threads}
	if isTerminal(a.stderr) {
		o.Progress = func(what string) { fmt.Fprintf(a.stderr, "\r\x1b[K%s ", talk(what)) }
		defer fmt.Fprint(a.stderr, "\r\x1b[K")
	}
	results, err := p.Run(c.Context(), o)
	if err != nil {
		return err
	}
	return a.printReplication(p, results, f.format)
}

func (a *app) listProtocols(format string) error {
	all, err := papers.All()
	if err != nil {
		return err
	}
	for _, p := range all {
		switch format {
		case "table":
			fmt.Fprintf(a.out, "%-18s  %s\n", p.Name, p.Title)
		case "tsv":
			fmt.Fprintf(a.out, "%s\t%s\t%s\n", p.Name, engine.EscapeTSV(p.Title), engine.EscapeTSV(p.Paper))
		case "jsonl":
			if err := writeJSON(a.out, map[string]string{"name": p.Name, "title": p.Title, "paper": p.Paper}); err != nil {
				return err
			}
		}
	}
	return nil
}

// printReplication writes what came out.
func (a *app) printReplication(p *papers.Protocol, r *papers.Results, format string) error {
	if format == "table" {
		return a.printReport(p, r)
	}
	outcomes, err := p.Judge(r.Figures)
	if err != nil {
		return err
	}
	if format == "tsv" {
		fmt.Fprintln(a.out, "kind\tname\tvalue\tpaper\trule")
	}
	for _, o := range outcomes {
		if format == "tsv" {
			fmt.Fprintf(a.out, "claim\t%s\t%s\t%s\t%s\n", engine.EscapeTSV(o.Claim), engine.EscapeTSV(o.Verdict), engine.EscapeTSV(o.Paper), engine.EscapeTSV(o.Rule))
			continue
		}
		line := struct {
			Claim    string `json:"claim"`
			Paper    string `json:"paper,omitempty"`
			Measured string `json:"measured,omitempty"`
			Rule     string `json:"rule,omitempty"`
			Verdict  string `json:"verdict"`
		}{o.Claim, o.Paper, o.Measured, o.Rule, o.Verdict}
		if err := writeJSON(a.out, line); err != nil {
			return err
		}
	}
	for _, name := range r.Figures.Names() {
		if format == "tsv" {
			fmt.Fprintf(a.out, "figure\t%s\t%s\t\t\n", engine.EscapeTSV(name), engine.FormatValue(r.Figures[name]))
			continue
		}
		line := struct {
			Figure string     `json:"figure"`
			Value  jsonNumber `json:"value"`
		}{name, jsonNumber(r.Figures[name])}
		if err := writeJSON(a.out, line); err != nil {
			return err
		}
	}
	return nil
}

// printReport prints the blocks of a report as text.
func (a *app) printReport(p *papers.Protocol, r *papers.Results) error {
	blocks, err := p.Report(r)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s: %s\n%s\n", p.Name, p.Title, p.Paper)
	for _, b := range blocks {
		fmt.Fprintf(a.out, "\n%s\n", b.Title)
		for _, paragraph := range b.Text {
			fmt.Fprintf(a.out, "%s\n", paragraph)
		}
		if b.Records {
			a.printRecords(b.Table)
		} else {
			a.printAligned(b.Table)
		}
	}
	_, err = fmt.Fprintf(a.out, "\n%.0f s, %.0f s of CPU\n", r.Seconds, r.CPU)
	return err
}

// printRecords prints a table of long texts with a paragraph for each row: its first
// cell, then a line for each other cell that is not empty.
func (a *app) printRecords(t *markdown.Table) {
	for _, row := range t.Rows {
		fmt.Fprintf(a.out, "- %s\n", row[0])
		for i, cell := range row[1:] {
			if cell != "" {
				fmt.Fprintf(a.out, "    %-10s %s\n", t.Head[i+1], strings.Trim(cell, "*`"))
			}
		}
	}
}

// printAligned prints a table in columns: texts begin, figures end together.
func (a *app) printAligned(t *markdown.Table) {
	rows := append([][]string{t.Head}, t.Rows...)
	width := make([]int, len(t.Head))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < t.Text {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		fmt.Fprintln(a.out, strings.TrimRight(line.String(), " "))
	}
}
