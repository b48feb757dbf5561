package tables

import (
	"io"
	"slices"

	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes tables as pages of HTML whose columns can be sorted.

// mostPageRows is the number of rows that a browser still sorts without a wait.
const mostPageRows = 20_000

// A page is a table as a page.
type page struct {
	style Style
	report.Table
}

// newPage returns a page without rows. left says which columns have texts.
func newPage(s Style, heads []string, left []bool) *page {
	p := &page{s, report.Table{Head: heads}}
	for i, is := range left {
		if is {
			p.Words = append(p.Words, i)
		}
	}
	return p
}

// add adds a row of values as those of [Column].
func (p *page) add(values []any) error {
	if len(p.Rows) == mostPageRows {
		return usage.Errorf("a page has %d rows at most, and the table has more: take fewer by --top, or write csv, xlsx or jsonl", mostPageRows)
	}
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = Plain(v)
		if _, isText := v.(string); isText && !slices.Contains(p.Words, i) && !slices.Contains(p.Ends, i) {
			p.Ends = append(p.Ends, i)
		}
	}
	p.Rows = append(p.Rows, row)
	return nil
}

// writeTo writes the page.
func (p *page) writeTo(w io.Writer) error {
	r := report.Report{Title: p.style.Name, Command: p.style.Command, Tables: []report.Table{p.Table}}
	return r.WriteHTML(w)
}
