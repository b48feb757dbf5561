// Package explorer makes pages of all terms of a table, which the command writes to a file and the page of dropped
// files shows.
//
// [New] ranks the terms, [Explorer.Page] returns the page of the best of them.
package explorer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// MostTerms is the largest number of terms of a page: it opens in seconds, and its plot follows the pointer.
const MostTerms = 500_000

// A Source is what an [Explorer] shows.
type Source struct {
	*table.Table
	// Classes are the names of the classes for people, by class; nil shows no classes.
	Classes []string
	// Opposed says that the classes are two corpora, the target behind the reference.
	Opposed bool
	// Squares says that the sums of squares are known.
	Squares bool
	Title   string
	Command string // that makes the page
	Notes   []string
}

// SourceOf returns a table as the source of an explorer. The numbers of a target are no classes if they are many.
func SourceOf(t *table.Table) *Source {
	s := &Source{Table: t, Classes: t.Classes(), Squares: t.Cells.Form != table.LargeCounts}
	if target := t.Provenance().Target; target != "" && len(s.Classes) > table.MostNumbers {
		s.Notes = append(s.Notes, fmt.Sprintf("the target %q has %d numbers, too many for classes: the page has frequencies alone", target, len(s.Classes)))
		s.Classes = nil
	}
	return s
}

// An Explorer has the terms of a table in their order.
type Explorer struct {
	*Source
	Best     []int // numbers of the terms, the best first
	By       string
	Warnings []string

	ranking  *rank.Ranking // with p-values; nil if there are none
	cells    *rank.Plan    // of the p-values of cells; nil if there are none
	formulas []string      // of the user, whose measures the page has, too
}

// New puts all terms of a table in order by a measure, or a formula such as A*D/(B*C). Without classes df and cf rank terms; of
// another measure classed says whether that is an error.
func New(ctx context.Context, s *Source, o rank.Options, formula string, classed bool) (*Explorer, error) {
	switch {
	case s.Real():
		return nil, fmt.Errorf("%w: the values are real numbers, and explore shows counts: index the text, or counts", usage.ErrData)
	case s.Terms() == 0:
		return nil, fmt.Errorf("%w: none of the %d documents has a term", usage.ErrData, s.Documents())
	case len(s.Classes) == 0 && classed:
		return nil, usage.Errorf("--by %s tells classes apart, and there are none: --by df or cf ranks terms without", formula)
	case len(s.Classes) == 0 && o.Measure != rank.CF:
		o.Measure = rank.DF
	case !s.Squares && slices.Contains(rank.NeedsSquares(), o.Measure):
		return nil, usage.Errorf("%s needs the sums of squares of the terms, which the statistics do not have of documents with several labels or none: take the indexes, or another measure", o.Measure)
	}
	e := &Explorer{Source: s}
	r, err := rank.Terms(ctx, s, o)
	if err != nil {
		return nil, err
	}
	e.By, e.Warnings, e.Best = string(r.Measure), r.Warnings, rank.TopK(r.Values(), r.Len())
	if score.IsFormula(formula) {
		e.formulas = []string{formula}
	}
	if len(s.Classes) > 0 {
		err = e.test(ctx, o)
	}
	return e, err
}

// place returns the place of a class in the page, and the class of a place: of two corpora the target is first.
func (e *Explorer) place(class int) int {
	if e.Opposed {
		return len(e.Classes) - 1 - class
	}
	return class
}

// test adds p-values: of the measure of the options, if it has any, else of chi.
func (e *Explorer) test(ctx context.Context, o rank.Options) error {
	o.PValues = true
	p, err := o.Resolve()
	if err == nil {
		_, err = p.Test(ctx, e) // there is none for documents with several labels
	}
	if err != nil || !p.FromCells() {
		o = rank.Options{PValues: true, Threads: o.Threads}
	}
	if e.ranking, err = rank.Terms(ctx, e, o); err != nil {
		return err
	}
	o.Combine = rank.ByClass
	if cells, err := o.Resolve(); err == nil {
		e.cells = &cells
	}
	return nil
}

// Page returns the page of the n best terms, or of all if they are fewer.
func (e *Explorer) Page(ctx context.Context, n int) (*report.Explore, error) {
	n = min(n, len(e.Best))
	page := &report.Explore{
		Title: e.Title, Documents: uint64(e.Documents()), Tokens: uint64(e.Cells.Tokens), Sides: e.Opposed, Of: e.Terms(), Rank: e.By,
		Notes: slices.Concat(e.Notes, e.Warnings), Command: e.Command,
	}
	for i := range e.Classes {
		class := e.place(i)
		page.Classes = append(page.Classes, report.ExploreClass{
			Name: e.Classes[class], Documents: uint64(e.Cells.ClassDocs[class]), Tokens: uint64(e.Cells.ClassTokens[class]),
		})
	}
	if e.ranking != nil {
		page.By, page.Test = string(e.ranking.Measure), e.ranking.Test
	}
	page.Facts = e.facts(page)
	var err error
	if page.Formulas, err = rank.Script(rank.Options{}, e.formulas...); err != nil {
		return nil, err
	}
	classes, err := json.Marshal(append([]string{}, e.Table.Classes()...))
	if err != nil {
		return nil, err
	}
	provenance, err := json.Marshal(e.Provenance())
	if err != nil {
		return nil, err
	}
	page.Features = &report.ExploreFeatures{Classes: string(classes), Provenance: string(provenance)}
	return page, e.fill(ctx, page, n)
}

func (e *Explorer) facts(page *report.Explore) []report.Fact {
	p := e.Provenance().Analysis
	data := report.Count(e.Documents()) + " documents, " + report.Count(int(e.Cells.Tokens)) + " tokens"
	if n := len(e.Classes); n > 0 && !e.Opposed {
		data += fmt.Sprintf(", %s classes", report.Count(n))
	}
	facts := []report.Fact{
		{Name: "data", Value: data},
		{Name: "terms", Value: report.Count(e.Terms())},
		{Name: "tokens", Value: p.Tokens + ", stop list " + p.Stop + ", stemmer " + p.Stem},
	}
	if page.Test != "" {
		facts = append(facts, report.Fact{Name: "p-values", Value: page.By + ": " + page.Test})
	}
	return append(facts, report.Fact{Name: "termsift", Value: table.Version})
}

// fill sets the terms of a page to the n best.
func (e *Explorer) fill(ctx context.Context, page *report.Explore, n int) error {
	chosen := make([]bool, e.Terms())
	for _, term := range e.Best[:n] {
		chosen[term] = true
	}
	terms := make([]int, 0, n) // in the order of their bytes
	for _, term := range e.Names.Sorted() {
		if chosen[term] {
			terms = append(terms, int(term))
		}
	}
	var cellP []float64
	if e.cells != nil {
		var err error
		if cellP, err = e.cells.CellLog10P(ctx, e.Table, terms); err != nil {
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
		e.Cells.Read(&tile, term, term+1, true)
		to.Names = append(to.Names, e.Names.Term(term))
		to.DF, to.CF = append(to.DF, uint64(tile.DF[0])), append(to.CF, uint64(tile.CF[0]))
		first, cells := len(to.Class), len(tile.Class)
		if len(e.Classes) == 0 {
			cells = 0
		}
		for i := range cells {
			if e.Opposed { // the target first
				i = cells - 1 - i
			}
			to.Class = append(to.Class, uint32(e.place(int(tile.Class[i]))))
			to.A, to.S, to.Q = append(to.A, uint64(tile.A[i])), append(to.S, uint64(tile.S[i])), append(to.Q, uint64(tile.Q[i]))
			if e.cells != nil {
				to.CellLog10P = append(to.CellLog10P, cellP[first+i])
			}
		}
		to.Start = append(to.Start, len(to.Class))
		if e.ranking != nil {
			to.Log10P = append(to.Log10P, rank.Log10(e.ranking.LnP(term)))
		}
	}
	if !e.Squares {
		to.Q = nil
	}
	return nil
}

// AddEvidence adds documents of terms, and lines of them, to the evidence of the terms. side is the name of their corpus
// where there are two.
func AddEvidence(to []report.Evidence, side string, documents [][]words.Document, lines func(i int) []words.Line) {
	for i := range to {
		for _, d := range documents[i] {
			to[i].Documents = append(to[i].Documents, report.EvidenceDocument{
				Side: side, ID: d.ID, Labels: strings.Join(d.Labels, ", "), TF: int(d.TF), Length: int(d.Length),
			})
		}
		for _, l := range lines(i) {
			to[i].Lines = append(to[i].Lines, report.ContextLine{Side: side, ID: l.ID, Left: l.Left, Match: l.Match, Right: l.Right})
		}
	}
}

// EvidenceOf returns evidence of terms, to which documents and lines are added.
func EvidenceOf(terms []string) []report.Evidence {
	all := make([]report.Evidence, len(terms))
	for i, term := range terms {
		all[i].Term = term
	}
	return all
}

// BestTerms returns the names of the n best terms, or of all if they are fewer.
func (e *Explorer) BestTerms(n int) (terms []string) {
	for _, term := range e.Best[:min(n, len(e.Best))] {
		terms = append(terms, e.Names.Term(term))
	}
	return terms
}

// InShell returns an argument of the command that makes a page, in quotes if a shell would take it for something else.
func InShell(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-+=:,./@%", r) || r > 127
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
