package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/explorer"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/words"
)

type exploreFlags struct {
	sideFlags
	by, out string
	top     int
	maxSize string

	evidence, lineCount int // how many terms have evidence, and lines of each
}

func exploreCommand(a *app) *command {
	var f exploreFlags
	f.app, f.perTerm = a, 300
	return &command{
		use:   "explore INPUT -o PAGE | explore A B -o PAGE",
		short: "write a page to look at all terms",
		long: "explore writes one HTML file, which needs no network, with the terms of INPUT and their counts in every\n" +
			"class: a plot of all of them, search, lists of each class by any measure, and for each term its tables,\n" +
			"the values of all measures, and its documents and lines of context, which come from INPUT, if that is\n" +
			"text, or from --text. No classes are needed: without them the page has frequencies.\n\n" +
			"Of two inputs A and B, or one with --docs and --reference-docs, the page holds one against the other, as\n" +
			"keyness does.\n\n" +
			"The page has all terms if it stays within --max-size and there are no more than 500,000, else the best\n" +
			"by --by, which is g2tf of two corpora, and df without classes. p-values are those of --by if it has any,\n" +
			"else of chi; those of a term are of the largest class value, times the number of classes (Bonferroni),\n" +
			"and not corrected for the number of terms.",
		example: "  termsift explore train.idx -o train.html\n" +
			"  termsift explore train.idx --text train.jsonl -o train.html\n" +
			"  termsift explore speeches/ novels/ -o both.html\n" +
			"  termsift explore a.stats --by g2 --top 50000 -o large.html",
		args: arguments(1, 2, "an INPUT, or two to hold against each other"),
		flags: slices.Concat([]flags.Flag{
			{
				Name: "by", To: &f.by, Default: string(rank.Chi), Group: flags.GroupScoring, Choices: func([]string) []string { return flags.Combined(flags.MeasureNames()) },
				Help: "measure that says which terms are the best, and that p-values are of",
			},
			{Name: "top", To: &f.top, Positive: true, Most: flags.Unlimited, Group: flags.GroupOutput, Help: "only the K best terms (default all that --max-size holds)"},
			{Name: "max-size", To: &f.maxSize, Default: "5MB", Takes: "SIZE", More: true, Group: flags.GroupOutput, Help: "largest size of the page"},
			f.textFlag("lines of context", ""),
			{
				Name: "evidence", To: &f.evidence, Default: 500, NotNegative: true, Most: 20_000, Group: flags.GroupOutput, Applies: flags.OfDocuments,
				Help: "documents and lines of context of the K best terms",
			},
			{Name: "lines", To: &f.lineCount, Default: 10, NotNegative: true, Most: 1000, More: true, Group: flags.GroupOutput, Applies: flags.OfDocuments, Help: "lines of each term"},
		}, f.inputFlags.flags(), []flags.Flag{
			f.referenceDocsFlag("only these documents as B: of B, else of INPUT"),
			{Name: "output", Short: "o", To: &f.out, Writes: true, Missing: toWrite + "page.html", Group: flags.GroupOutput, Help: "the page; - is standard output"},
		}),
		classes: classesOptional,
		run:     f.explore,
	}
}

func (f *exploreFlags) explore(c *cobra.Command, args []string) error {
	most, err := sizeOf("max-size", f.maxSize)
	if err != nil {
		return err
	}
	if err := f.checkEvidence(c, args); err != nil {
		return err
	}
	by, err := f.measure(c, args)
	if err != nil {
		return err
	}
	x, err := f.open(c, args)
	if err != nil {
		return err
	}
	e, err := explorer.New(c.Context(), x.Source, by, f.by, f.classed)
	if err != nil {
		return err
	}
	page, written, err := f.fit(c.Context(), x, e, int(min(most, 1<<30)))
	if err != nil {
		return err
	}
	f.warn(slices.Concat(x.Notes, e.Warnings))
	if err := f.write(f.out, func(w io.Writer) error {
		_, err := w.Write(written)
		return err
	}); err != nil {
		return err
	}
	if f.out != "-" {
		f.note("wrote %s: %d of %d terms, %.1f MB", f.out, len(page.Terms.Names), page.Of, float64(len(written))/1e6)
	}
	return nil
}

// opposes reports whether two corpora are held against each other.
func (f *exploreFlags) opposes(args []string) bool { return len(args) == 2 || f.referenceDocs != "" }

// measure returns the measure that ranks the terms, "" for that of collections without classes.
func (f *exploreFlags) measure(c *cobra.Command, args []string) (o rank.Options, err error) {
	chosen := c.Flags().Changed("by")
	if !chosen && f.opposes(args) {
		f.by = string(rank.G2TF) // a novel is one document
	}
	var s flags.Scoring
	if o, err = s.Measure(f.by, f.threads); err != nil {
		return o, err
	}
	p, err := o.Resolve()
	f.classed = chosen && err == nil && p.NeedsClasses() && !f.opposes(args)
	return o, err
}

// An explored is a corpus, or two, to look at.
type explored struct {
	*explorer.Source
	sides []keynessSide
}

// open opens the inputs.
func (f *exploreFlags) open(c *cobra.Command, args []string) (x *explored, err error) {
	if f.opposes(args) {
		x, err = f.openSides(c, args)
	} else {
		x, err = f.openOne(c, args)
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, len(x.sides))
	for i, side := range x.sides {
		names[i] = side.name
	}
	x.Title, x.Command = strings.Join(names, " and "), f.commandLine()
	return x, nil
}

func (f *exploreFlags) openOne(c *cobra.Command, args []string) (*explored, error) {
	counted, err := f.counted(c, args)
	if err != nil {
		return nil, err
	}
	filter, err := f.query("docs", f.docs)
	if err != nil {
		return nil, err
	}
	stats, err := counted.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads})
	if err != nil {
		return nil, err
	}
	side := keynessSide{counted: counted, name: sideName(args[0]), path: args[0], filter: filter}
	return &explored{explorer.SourceOf(stats), []keynessSide{side}}, nil
}

// openSides opens two corpora, which become the classes.
func (f *exploreFlags) openSides(c *cobra.Command, args []string) (*explored, error) {
	if len(args) == 1 && f.docs == "" {
		return nil, usageError("--reference-docs chooses the documents of B from INPUT: choose those of A with --docs")
	}
	sides, err := f.sidesOf(c, args)
	if err != nil {
		return nil, err
	}
	x := &explored{&explorer.Source{Opposed: true}, sides[:]}
	if x.sides[0].name == x.sides[1].name {
		x.sides[0].name, x.sides[1].name = x.sides[0].path, x.sides[1].path
	}
	x.Classes = []string{x.sides[1].name, x.sides[0].name} // reference, target
	target, isCorpus := x.sides[0].counted.(*corpus.Corpus)
	reference, areCorpora := x.sides[1].counted.(*corpus.Corpus)
	if isCorpus && areCorpora {
		both, err := corpus.Contrast(c.Context(), target, reference, corpus.ContrastOptions{Threads: f.threads})
		if err != nil {
			return nil, err
		}
		if x.Table, err = both.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads}); err == nil {
			x.Squares = x.Cells.Form != table.LargeCounts
		}
		return x, err
	}
	var of [2]*table.Table
	for i, side := range x.sides {
		if of[i], err = side.counted.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads}); err != nil {
			return nil, err
		}
	}
	x.Table, x.Squares, err = table.Oppose(of[0], of[1], [2]string{corpus.ClassTarget, corpus.ClassReference})
	return x, err
}

// fit writes the page with as many of the best terms as fit.
func (f *exploreFlags) fit(ctx context.Context, x *explored, e *explorer.Explorer, most int) (page *report.Explore, written []byte, err error) {
	asked := len(e.Best)
	if f.top > 0 {
		asked = min(asked, f.top)
	}
	evidence, err := f.evidenceOf(ctx, x, e)
	if err != nil {
		return nil, nil, err
	}
	tooLarge := ": more would make it larger than " + f.maxSize + " (--max-size)"
	why := tooLarge
	if explorer.MostTerms < most/leastBytes {
		why = ": a page shows no more"
	}
	for n := min(asked, explorer.MostTerms, most/leastBytes); ; why = tooLarge {
		if page, err = e.Page(ctx, n); err != nil {
			return nil, nil, err
		}
		note := fmt.Sprintf("the page has the %s best of %s terms by %s", report.Count(n), report.Count(x.Terms()), e.By)
		if n < asked {
			note += why
		}
		if n < x.Terms() {
			page.Notes = append(page.Notes, note)
		}
		page.Evidence = evidence
		page.Texts = slices.ContainsFunc(evidence, func(e report.Evidence) bool { return len(e.Lines) > 0 })
		var out bytes.Buffer
		if err := page.WriteHTML(&out); err != nil {
			return nil, nil, err
		}
		if out.Len() <= most {
			if n < asked {
				f.warn([]string{note})
			}
			return page, out.Bytes(), nil
		}
		if n = min(n-1, int(float64(n)*float64(most)/float64(out.Len())*.98)); n <= 0 {
			return nil, nil, usageError("a page of one term has %d bytes with its lines of context: --max-size %s is too small, or --evidence too large", out.Len(), f.maxSize)
		}
	}
}

const leastBytes = 4 // that a term takes in a page, which bounds what is packed in vain

// exploreDocuments is how many documents a term has in a page.
const exploreDocuments = 5

// checkEvidence returns an error for a --text that is none of an index.
func (f *exploreFlags) checkEvidence(c *cobra.Command, args []string) error {
	switch {
	case f.text == "":
		return nil
	case len(args) == 2:
		return usageError("--text names the text of one index, and there are two inputs: name the texts as inputs")
	case !reader.ReadableTwice(f.text):
		return usageError("--text reads %s after counting: name a file or a folder", f.text)
	}
	return f.checkText(c, args, "a page has lines of text")
}

// evidenceOf returns the evidence of the best terms.
func (f *exploreFlags) evidenceOf(ctx context.Context, x *explored, e *explorer.Explorer) ([]report.Evidence, error) {
	terms := e.BestTerms(f.evidence)
	var all []report.Evidence
	for _, side := range x.sides {
		from, ok := side.counted.(*corpus.Corpus)
		if !ok || len(terms) == 0 {
			continue
		}
		if all == nil {
			all = explorer.EvidenceOf(terms)
		}
		documents, err := words.Documents(ctx, from, exploreDocuments, terms...)
		if err != nil {
			return nil, err
		}
		lines, err := f.linesOf(ctx, side, from, terms)
		if err != nil {
			return nil, err
		}
		name := ""
		if x.Opposed {
			name = side.name
		}
		explorer.AddEvidence(all, name, documents, func(i int) []words.Line { return lines[i] })
	}
	return all, nil
}

// linesOf returns the lines of terms in the text of a side, if that can be read.
func (f *exploreFlags) linesOf(ctx context.Context, side keynessSide, from *corpus.Corpus, terms []string) ([][]words.Line, error) {
	text := textOf{paths: []string{side.path}, filter: side.filter, provenance: from.Provenance()}
	switch isIndex := f.kind(side.path) == indexFile; {
	case f.lineCount == 0, from.Provenance().Analysis.HashBits > 0, isIndex && f.text == "", !isIndex && !reader.ReadableTwice(side.path):
		return make([][]words.Line, len(terms)), nil
	case isIndex:
		text.paths, text.of = []string{f.text}, from.Documents()
	}
	return f.lines(ctx, text, words.LineOptions{Most: f.lineCount}, terms...)
}
