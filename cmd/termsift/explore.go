package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
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
	terms, err := f.rank(c.Context(), x, by)
	if err != nil {
		return err
	}
	if f.top > 0 {
		terms.best = terms.best[:min(f.top, len(terms.best))]
	}
	page, err := f.page(c.Context(), x, terms)
	if err != nil {
		return err
	}
	written, err := f.fit(c.Context(), x, terms, page, int(min(most, 1<<30)))
	if err != nil {
		return err
	}
	f.warn(slices.Concat(x.warnings, terms.warnings))
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
	*table.Table
	classes []string // names for people, by class
	sides   []keynessSide
	squares bool // the sums of squares are known
	opposed bool // the classes are two corpora

	warnings []string
}

// open opens the inputs.
func (f *exploreFlags) open(c *cobra.Command, args []string) (x *explored, err error) {
	if f.opposes(args) {
		x, err = f.openSides(c, args)
	} else {
		x, err = f.openOne(c, args)
	}
	switch {
	case err != nil:
		return nil, err
	case x.Real():
		return nil, fmt.Errorf("%w: the values are real numbers, and explore shows counts: index the text, or counts", usage.ErrData)
	case x.Terms() == 0:
		return nil, fmt.Errorf("%w: none of the %d documents has a term", usage.ErrData, x.Documents())
	}
	return x, nil
}

// place returns the place of a class in the page, and the class of a place: of two corpora the target is first.
func (x *explored) place(class int) int {
	if x.opposed {
		return len(x.classes) - 1 - class
	}
	return class
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
	x := &explored{Table: stats, classes: stats.Classes(), sides: []keynessSide{side}, squares: stats.Cells.Form != table.LargeCounts}
	if target := stats.Provenance().Target; target != "" && len(x.classes) > table.MostNumbers {
		x.warnings = append(x.warnings, fmt.Sprintf("the target %q has %d numbers, too many for classes: the page has frequencies alone", target, len(x.classes)))
		x.classes = nil
	}
	return x, nil
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
	x := &explored{sides: sides[:], opposed: true}
	if x.sides[0].name == x.sides[1].name {
		x.sides[0].name, x.sides[1].name = x.sides[0].path, x.sides[1].path
	}
	x.classes = []string{x.sides[1].name, x.sides[0].name} // reference, target
	target, isCorpus := x.sides[0].counted.(*corpus.Corpus)
	reference, areCorpora := x.sides[1].counted.(*corpus.Corpus)
	if isCorpus && areCorpora {
		both, err := corpus.Contrast(c.Context(), target, reference, corpus.ContrastOptions{Threads: f.threads})
		if err != nil {
			return nil, err
		}
		if x.Table, err = both.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads}); err == nil {
			x.squares = x.Cells.Form != table.LargeCounts
		}
		return x, err
	}
	var of [2]*table.Table
	for i, side := range x.sides {
		if of[i], err = side.counted.Statistics(c.Context(), corpus.CountOptions{Threads: f.threads}); err != nil {
			return nil, err
		}
	}
	x.Table, x.squares, err = table.Oppose(of[0], of[1], [2]string{corpus.ClassTarget, corpus.ClassReference})
	return x, err
}

// exploredTerms are the terms of a page.
type exploredTerms struct {
	best     []int // term numbers, the best first
	rank     string
	ranking  *rank.Ranking // with p-values; nil if there are none
	cells    *rank.Plan    // of the p-values of cells; nil if there are none
	formulas []string      // of the user, whose measures the page has, too
	warnings []string
}

// rank puts all terms in order.
func (f *exploreFlags) rank(ctx context.Context, x *explored, o rank.Options) (t *exploredTerms, err error) {
	switch {
	case len(x.classes) == 0 && f.classed:
		return nil, usageError("--by %s tells classes apart, and there are none: --by df or cf ranks terms without", f.by)
	case len(x.classes) == 0 && o.Measure != rank.CF:
		o.Measure = rank.DF
	case !x.squares && slices.Contains(rank.NeedsSquares(), o.Measure):
		return nil, usageError("%s needs the sums of squares of the terms, which the statistics do not have of documents with several labels or none: take the indexes, or another measure", o.Measure)
	}
	t = &exploredTerms{}
	r, err := rank.Terms(ctx, x, o)
	if err != nil {
		return nil, err
	}
	t.rank, t.warnings, t.best = string(r.Measure), r.Warnings, rank.TopK(r.Values(), r.Len())
	if score.IsFormula(f.by) {
		t.formulas = []string{f.by}
	}
	if len(x.classes) > 0 {
		err = t.test(ctx, x, o)
	}
	return t, err
}

// test adds p-values: of the measure of the options, if it has any, else of chi.
func (t *exploredTerms) test(ctx context.Context, x *explored, o rank.Options) error {
	o.PValues = true
	p, err := o.Resolve()
	if err == nil {
		_, err = p.Test(ctx, x) // there is none for documents with several labels
	}
	if err != nil || !p.FromCells() {
		o = rank.Options{PValues: true, Threads: o.Threads}
	}
	if t.ranking, err = rank.Terms(ctx, x, o); err != nil {
		return err
	}
	o.Combine = rank.ByClass
	if cells, err := o.Resolve(); err == nil {
		t.cells = &cells
	}
	return nil
}

// page returns the page without terms.
func (f *exploreFlags) page(ctx context.Context, x *explored, t *exploredTerms) (*report.Explore, error) {
	names := make([]string, len(x.sides))
	for i, side := range x.sides {
		names[i] = side.name
	}
	page := &report.Explore{
		Title: strings.Join(names, " and "), Documents: uint64(x.Documents()), Tokens: uint64(x.Cells.Tokens), Sides: x.opposed, Of: x.Terms(), Rank: t.rank,
		Notes: slices.Concat(x.warnings, t.warnings), Command: f.commandLine(),
	}
	for i := range x.classes {
		class := x.place(i)
		page.Classes = append(page.Classes, report.ExploreClass{
			Name: x.classes[class], Documents: uint64(x.Cells.ClassDocs[class]), Tokens: uint64(x.Cells.ClassTokens[class]),
		})
	}
	if t.ranking != nil {
		page.By, page.Test = string(t.ranking.Measure), t.ranking.Test
	}
	page.Facts = f.facts(x, page)
	var err error
	if page.Formulas, err = rank.Script(rank.Options{}, t.formulas...); err != nil {
		return nil, err
	}
	classes, err := json.Marshal(append([]string{}, x.Classes()...))
	if err != nil {
		return nil, err
	}
	provenance, err := json.Marshal(x.Provenance())
	if err != nil {
		return nil, err
	}
	page.Features = &report.ExploreFeatures{Classes: string(classes), Provenance: string(provenance)}
	page.Evidence, err = f.evidenceOf(ctx, x, t)
	page.Texts = slices.ContainsFunc(page.Evidence, func(e report.Evidence) bool { return len(e.Lines) > 0 })
	return page, err
}

func (f *exploreFlags) facts(x *explored, page *report.Explore) []report.Fact {
	p := x.Provenance().Analysis
	data := report.Count(x.Documents()) + " documents, " + report.Count(int(x.Cells.Tokens)) + " tokens"
	if n := len(x.classes); n > 0 && !x.opposed {
		data += fmt.Sprintf(", %s classes", report.Count(n))
	}
	facts := []report.Fact{
		{Name: "data", Value: data},
		{Name: "terms", Value: report.Count(x.Terms())},
		{Name: "tokens", Value: p.Tokens + ", stop list " + p.Stop + ", stemmer " + p.Stem},
	}
	if page.Test != "" {
		facts = append(facts, report.Fact{Name: "p-values", Value: page.By + ": " + page.Test})
	}
	return append(facts, report.Fact{Name: "termsift", Value: table.Version})
}

// fit returns the page with as many of the best terms as fit.
func (f *exploreFlags) fit(ctx context.Context, x *explored, t *exploredTerms, page *report.Explore, most int) ([]byte, error) {
	asked := len(t.best)
	notes := page.Notes
	tooLarge := ": more would make it larger than " + f.maxSize + " (--max-size)"
	why := tooLarge
	if exploreTerms < most/leastBytes {
		why = ": a page shows no more"
	}
	for n := min(asked, exploreTerms, most/leastBytes); ; why = tooLarge {
		if page.Notes = notes; n < x.Terms() {
			note := fmt.Sprintf("the page has the %s best of %s terms by %s", report.Count(n), report.Count(x.Terms()), t.rank)
			if n < asked {
				note += why
			}
			page.Notes = append(slices.Clone(notes), note)
		}
		if err := x.fill(ctx, page, t, n); err != nil {
			return nil, err
		}
		var written bytes.Buffer
		if err := page.WriteHTML(&written); err != nil {
			return nil, err
		}
		if written.Len() <= most {
			if n < asked {
				f.warn([]string{page.Notes[len(notes)]})
			}
			return written.Bytes(), nil
		}
		if n = min(n-1, int(float64(n)*float64(most)/float64(written.Len())*.98)); n <= 0 {
			return nil, usageError("a page of one term has %d bytes with its lines of context: --max-size %s is too small, or --evidence too large", written.Len(), f.maxSize)
		}
	}
}

const (
	leastBytes   = 4       // that a term takes in a page, which bounds what is packed in vain
	exploreTerms = 500_000 // of a page: it opens in seconds, and its plot follows the pointer
)

// fill sets the terms of a page to the n best.
func (x *explored) fill(ctx context.Context, page *report.Explore, t *exploredTerms, n int) error {
	chosen := make([]bool, x.Terms())
	for _, term := range t.best[:n] {
		chosen[term] = true
	}
	terms := make([]int, 0, n) // in the order of their bytes
	for _, term := range x.Names.Sorted() {
		if chosen[term] {
			terms = append(terms, int(term))
		}
	}
	var cellP []float64
	if t.cells != nil {
		var err error
		if cellP, err = t.cells.CellLog10P(ctx, x.Table, terms); err != nil {
			return err
		}
	}
	to, cells := &page.Terms, len(cellP)
	*to = report.ExploreTerms{
		Names: make([]string, 0, n), DF: make([]uint64, 0, n), CF: make([]uint64, 0, n), Start: make([]int, 1, n+1),
		Class: make([]uint32, 0, cells), A: make([]uint64, 0, cells), S: make([]uint64, 0, cells), Q: make([]uint64, 0, cells),
	}
	var tile table.Tile
	for _, term := range terms {
		x.Cells.Read(&tile, term, term+1, true)
		to.Names = append(to.Names, x.Names.Term(term))
		to.DF, to.CF = append(to.DF, uint64(tile.DF[0])), append(to.CF, uint64(tile.CF[0]))
		first, cells := len(to.Class), len(tile.Class)
		if len(x.classes) == 0 {
			cells = 0
		}
		for i := range cells {
			if x.opposed { // the target first
				i = cells - 1 - i
			}
			to.Class = append(to.Class, uint32(x.place(int(tile.Class[i]))))
			to.A, to.S, to.Q = append(to.A, uint64(tile.A[i])), append(to.S, uint64(tile.S[i])), append(to.Q, uint64(tile.Q[i]))
			if t.cells != nil {
				to.CellLog10P = append(to.CellLog10P, cellP[first+i])
			}
		}
		to.Start = append(to.Start, len(to.Class))
		if t.ranking != nil {
			to.Log10P = append(to.Log10P, rank.Log10(t.ranking.LnP(term)))
		}
	}
	if !x.squares {
		to.Q = nil
	}
	return nil
}

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
func (f *exploreFlags) evidenceOf(ctx context.Context, x *explored, t *exploredTerms) ([]report.Evidence, error) {
	best := t.best[:min(len(t.best), f.evidence)]
	terms := make([]string, len(best))
	for i, term := range best {
		terms[i] = x.Names.Term(term)
	}
	if len(terms) == 0 {
		return nil, nil
	}
	var all []report.Evidence
	for _, side := range x.sides {
		from, ok := side.counted.(*corpus.Corpus)
		if !ok {
			continue
		}
		if all == nil {
			all = make([]report.Evidence, len(terms))
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
		if x.opposed {
			name = side.name
		}
		for i, term := range terms {
			all[i].Term = term
			for _, d := range documents[i] {
				all[i].Documents = append(all[i].Documents, report.EvidenceDocument{
					Side: name, ID: d.ID, Labels: strings.Join(d.Labels, ", "), TF: int(d.TF), Length: int(d.Length),
				})
			}
			for _, l := range lines[i] {
				all[i].Lines = append(all[i].Lines, report.ContextLine{Side: name, ID: l.ID, Left: l.Left, Match: l.Match, Right: l.Right})
			}
		}
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
