package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
)

// This file makes the page of score: a card for each class or measure, and a table of all terms on them.

const (
	pageTerms = 500  // of a list
	pageRows  = 5000 // of all lists
)

// A scorePage collects the lists of terms for a page. A nil one collects none.
type scorePage struct {
	lists []scoredList
	tests []string // how p-values were computed
}

// A scoredList has the best terms of a list, out of so many that the command prints.
type scoredList struct {
	class   string
	rows    []scoredTerm
	printed int
}

// add adds a list, of which the command prints so many terms, best first.
func (p *scorePage) add(class string, printed int, rows iter.Seq[scoredTerm]) {
	if p == nil {
		return
	}
	l := scoredList{class: class, printed: printed}
	for row := range rows {
		if l.rows = append(l.rows, row); len(l.rows) == pageTerms {
			break
		}
	}
	p.lists = append(p.lists, l)
}

// tested keeps how the p-values of a measure are computed.
func (p *scorePage) tested(measure, how string) {
	if text := fmt.Sprintf("p-values of %s: %s", measure, how); p != nil && !slices.Contains(p.tests, text) {
		p.tests = append(p.tests, text)
	}
}

// scoredRows returns entries as rows, each of which begins as line does.
func scoredRows(line scoredTerm, entries iter.Seq[rank.Entry]) iter.Seq[scoredTerm] {
	return func(yield func(scoredTerm) bool) {
		for line.Entry = range entries {
			if !yield(line) {
				return
			}
		}
	}
}

// method names the list of a row as the command does.
func (x *scoredTerm) method() string {
	if x.combine == string(rank.ByClass) {
		return x.measure
	}
	return x.measure + ", " + x.combine
}

// writePage writes the page of the lists that were printed, if one was asked for.
func (s *scorer) writePage(inputs []string) error {
	if s.page == nil {
		return nil
	}
	r, err := s.newReport(s.ctx, fmt.Sprintf("Terms of %s by %s", nameOf(inputs...), strings.Join(s.texts, ", ")), s.of, append(inputs, s.reference)...)
	if err != nil {
		return err
	}
	s.page.fill(r, s.columns)
	return s.writeHTML(s.html, r)
}

// onPage are the keys of columns that every table of best terms has.
var onPage = []string{"measure", "combine", "class", "rank", "term", "value", "df", "a", "b", "tf", "tf_all", "sign"}

// fill fills the report with the lists.
func (p *scorePage) fill(r *report.Report, columns []tables.Column[scoredTerm]) {
	most := max(1, min(pageTerms, pageRows/max(1, len(p.lists))))
	shown := p.lists[:min(len(p.lists), pageRows)]
	cut, longest := false, 0
	for i := range shown {
		l := &shown[i]
		l.rows = l.rows[:min(len(l.rows), most)]
		cut, longest = cut || len(l.rows) < l.printed, max(longest, l.printed)
	}
	further := slices.DeleteFunc(slices.Clone(columns), func(c tables.Column[scoredTerm]) bool {
		return slices.Contains(onPage, c.Key) || !slices.ContainsFunc(shown, func(l scoredList) bool {
			return slices.ContainsFunc(l.rows, func(x scoredTerm) bool { return c.Printed(x) != "" })
		})
	})
	for _, c := range further {
		head := cmp.Or(map[string]string{"c": "in class without it", "d": "elsewhere without it"}[c.Key], c.Head, c.Key)
		r.TermColumns = append(r.TermColumns, head)
	}
	for _, l := range shown {
		r.TopTerms = append(r.TopTerms, l.onPage(further))
	}
	r.TermsNote = strings.Join(p.tests, ". ")
	if cut || len(shown) < len(p.lists) {
		r.Findings = append(r.Findings, fmt.Sprintf("This page has the best %s of %s terms of a list, and %s of %s lists; the others are in the output of the command.",
			report.Count(most), report.Count(longest), report.Count(len(shown)), report.Count(len(p.lists))))
	}
}

// onPage returns the list for the page, with further columns.
func (l *scoredList) onPage(further []tables.Column[scoredTerm]) report.TermList {
	list := report.TermList{Class: l.class}
	for _, x := range l.rows {
		list.Method = x.method()
		term := report.Term{Term: x.Term, Score: x.Value, Shown: tables.Short(x.Value), DF: x.DF, A: x.A, B: x.B, Against: x.Class != "" && x.Sign < 0}
		if l.class == "" {
			term.Class = x.Class
		}
		if x.ofTokens {
			term.TF, term.TFAll = x.TF, x.TFAll
		}
		for _, c := range further {
			term.More = append(term.More, c.Printed(x))
		}
		list.Terms = append(list.Terms, term)
	}
	return list
}
