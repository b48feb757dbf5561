package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

type replicateFlags struct {
	data    string
	list    bool
	format  tableFormat
	threads int
	html    string
}

// dataVariable is the environment variable of the folder of the collections.
const dataVariable = "TERMSIFT_DATA"

func (a *app) replicateCommand() *cobra.Command {
	var f replicateFlags
	c := &cobra.Command{
		Use:   "replicate NAME --data DIR",
		Short: "repeat the experiment of a paper",
		Long: "replicate runs a paper's experiment from the collections to the verdicts: it prints the\n" +
			"protocol, the paper's claims beside what was measured, with the rule that decides each,\n" +
			"which choices of the protocol matter, and all figures. --list names the experiments.\n" +
			"DIR has the collections as they are published; $TERMSIFT_DATA stands for it. --html writes\n" +
			"all of it as a page, the table of the verdicts on top.\n\n" +
			"TSV and JSON lines have a line for each claim and each figure, with what the figure is\n" +
			"of: its unit, the work a time is that of, how classes were decided about, and over what.",
		Example: "  termsift replicate --list\n" +
			"  termsift replicate ttest-reuters --data collections",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return a.replicate(c, &f, args) },
	}
	flags := c.Flags()
	flags.StringVar(&f.data, "data", "", "folder of the collections (default $TERMSIFT_DATA)")
	flags.BoolVar(&f.list, "list", false, "list the experiments")
	registerFormat(c, &f.format, "table")
	flags.StringVar(&f.html, "html", "", "also write a report to this file, which needs no other and no network, verdicts first")
	flags.IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
	return c
}

func (a *app) replicate(c *cobra.Command, f *replicateFlags, args []string) error {
	switch {
	case f.list && len(args) > 0:
		return usageError("--list takes no NAME")
	case f.list && f.html != "":
		return usageError("--html goes with a NAME")
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
		f.data = os.Getenv(dataVariable)
	}
	if f.data == "" {
		return usageError("say where the collections are: --data DIR, or $TERMSIFT_DATA")
	}
	o := papers.Options{Data: f.data, Threads: f.threads}
	if line := a.statusLine(); line != nil {
		o.Progress = line.show
		defer line.end()
	}
	results, err := p.Run(c.Context(), o)
	if err != nil {
		return err
	}
	if f.html != "" {
		page, err := replicationPage(p, results, commandLine(a.args))
		if err != nil {
			return err
		}
		if err := a.write(f.html, page.WriteHTML); err != nil {
			return err
		}
		a.note("wrote %s", f.html)
	}
	return a.printReplication(p, results, f.format)
}

// replicationPage returns the results of a protocol as a report: the table of the verdicts
// first, then the others.
func replicationPage(p *papers.Protocol, r *papers.Results, command string) (*report.Report, error) {
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

var protocolColumns = []column[*papers.Protocol]{
	{key: "name", left: true, value: func(p *papers.Protocol) any { return p.Name }},
	{key: "title", left: true, value: func(p *papers.Protocol) any { return p.Title }},
	{key: "paper", in: forPrograms, value: func(p *papers.Protocol) any { return p.Paper }},
}

func (a *app) listProtocols(format tableFormat) error {
	all, err := papers.All()
	if err != nil {
		return err
	}
	return newTable(a.out, a.style(format), protocolColumns).addAll(all)
}

// A replicated is a claim with its outcome, or a named figure.
type replicated struct {
	*papers.Outcome
	name   string
	figure papers.Figure
}

// ofClaim returns a column value that is a text of a claim; figures have none.
func ofClaim(text func(o *papers.Outcome) string) func(replicated) any {
	return func(r replicated) any {
		if r.Outcome == nil || text(r.Outcome) == "" {
			return nil
		}
		return text(r.Outcome)
	}
}

// ofFigure returns a column value of a figure.
func ofFigure(value func(r replicated) any) func(replicated) any {
	return func(r replicated) any {
		if r.Outcome != nil {
			return nil
		}
		return value(r)
	}
}

var replicatedColumns = []column[replicated]{
	{key: "kind", in: forLines, value: func(r replicated) any {
		if r.Outcome != nil {
			return "claim"
		}
		return "figure"
	}},
	{key: "name", in: forLines, value: func(r replicated) any {
		if r.Outcome != nil {
			return r.Claim
		}
		return r.name
	}},
	{key: "value", in: forLines, value: func(r replicated) any {
		if r.Outcome != nil {
			return r.Verdict
		}
		return r.figure.Value
	}},
	{key: "claim", in: forJSON, value: ofClaim(func(o *papers.Outcome) string { return o.Claim })},
	{key: "paper", value: ofClaim(func(o *papers.Outcome) string { return o.Paper })},
	{key: "measured", in: forJSON, value: ofClaim(func(o *papers.Outcome) string { return o.Measured })},
	{key: "rule", value: ofClaim(func(o *papers.Outcome) string { return o.Rule })},
	{key: "verdict", in: forJSON, value: ofClaim(func(o *papers.Outcome) string { return o.Verdict })},
	{key: "figure", in: forJSON, value: ofFigure(func(r replicated) any { return r.name })},
	{key: "value", in: forJSON, value: ofFigure(func(r replicated) any { return r.figure.Value })},
	{key: "of", value: ofFigure(func(r replicated) any { return r.figure.Basis.String() })},
}

// printReplication prints the results of a protocol.
func (a *app) printReplication(p *papers.Protocol, r *papers.Results, format tableFormat) error {
	s := a.style(format)
	if s.people() {
		return a.printReport(p, r, s)
	}
	outcomes, err := p.Judge(r.Figures)
	if err != nil {
		return err
	}
	var rows []replicated
	for _, o := range outcomes {
		rows = append(rows, replicated{Outcome: &o})
	}
	for _, name := range r.Figures.Names() {
		rows = append(rows, replicated{name: name, figure: r.Figures[name]})
	}
	return newTable(a.out, s, replicatedColumns).addAll(rows)
}

// printReport prints the blocks of a report as text.
func (a *app) printReport(p *papers.Protocol, r *papers.Results, s style) error {
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
			if err := a.printCells(b.Table, s); err != nil {
				return err
			}
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

// printCells prints a table of texts: the first columns are aligned left, the others
// right.
func (a *app) printCells(t *markdown.Table, s style) error {
	columns := make([]column[[]string], len(t.Head))
	for i, head := range t.Head {
		columns[i] = column[[]string]{key: head, left: i < t.Text, value: func(row []string) any { return row[i] }}
	}
	return newTable(a.out, s, columns).addAll(t.Rows)
}
