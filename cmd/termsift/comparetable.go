package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/compare"
)

// This file prints comparisons.

// tableWidth is the width, in characters, that a table should not exceed.
const tableWidth = 100

// fewLists is the largest number of lists for which the terms of one list of a pair are
// printed: six pairs, twelve lines.
const fewLists = 4

type comparisonPrinter struct {
	tables.Style
	w     io.Writer
	names []string
	only  int // number of terms to show
	c     *compare.Comparison
}

// A comparedPair is a comparison of the first terms of two lists.
type comparedPair struct {
	compare.Pair
	at compare.Overlap
}

func (p *comparisonPrinter) print() error {
	if p.Format == "table" {
		return p.table()
	}
	t := tables.New(p.w, p.Style, p.columns())
	for _, pair := range p.c.Pairs {
		for _, at := range pair.At {
			t.Add(comparedPair{pair, at})
		}
	}
	return t.Close()
}

// columns returns the columns of all formats except the table, which prints matrices.
func (p *comparisonPrinter) columns() []tables.Column[comparedPair] {
	columns := []tables.Column[comparedPair]{
		{Key: "a", Left: true, Value: func(c comparedPair) any { return p.names[c.A] }},
		{Key: "b", Left: true, Value: func(c comparedPair) any { return p.names[c.B] }},
		{Key: "k", Value: func(c comparedPair) any { return c.at.K }},
		{Key: "overlap", Value: func(c comparedPair) any { return c.at.Shared }},
		{Key: "jaccard", Value: func(c comparedPair) any { return c.at.Jaccard }},
		{Key: "rbo", Value: func(c comparedPair) any { return c.at.RBO }},
		{Key: "tau", Value: func(c comparedPair) any { return c.Tau }},
	}
	if p.only > 0 {
		columns = append(columns,
			tables.Column[comparedPair]{Key: "only_a", In: tables.ForJSON, Value: func(c comparedPair) any { return p.onlyNames(c.at.K, c.A, c.B) }},
			tables.Column[comparedPair]{Key: "only_b", In: tables.ForJSON, Value: func(c comparedPair) any { return p.onlyNames(c.at.K, c.B, c.A) }})
	}
	return columns
}

// onlyNames returns the terms of list a that list b lacks, or nil if there are none.
func (p *comparisonPrinter) onlyNames(k, a, b int) any {
	names, _ := p.first(p.c.Only(k, a, b))
	if len(names) == 0 {
		return nil
	}
	return names
}

// first returns the terms to show and the number of remaining terms.
func (p *comparisonPrinter) first(terms []compare.ListedTerm) (names []string, more int) {
	for _, t := range terms[:min(p.only, len(terms))] {
		names = append(names, t.Term)
	}
	return names, len(terms) - len(names)
}

func (p *comparisonPrinter) table() error {
	m := p.matrix()
	one := func(int, int) float64 { return 1 }
	for i, k := range p.c.K {
		m.title("The %d best: terms in common", k)
		m.print(0, func(a, b int) float64 { return float64(p.c.Pair(a, b).At[i].Shared) },
			func(a, b int) float64 { return float64(max(p.c.Size(k, a), p.c.Size(k, b))) })
	}
	last := len(p.c.K) - 1
	m.title("RBO, p = %v, %d terms deep", p.c.P, p.c.K[last])
	m.print(3, func(a, b int) float64 { return p.c.Pair(a, b).At[last].RBO }, one)
	if !math.IsNaN(p.c.Pairs[0].Tau) {
		m.title("Kendall's tau-b, all terms")
		m.print(3, func(a, b int) float64 { return p.c.Pair(a, b).Tau }, one)
	}
	if p.only > 0 {
		p.onlyIn(p.c.K[0])
	}
	return m.err
}

// onlyIn prints the terms that are among the best of one list only.
func (p *comparisonPrinter) onlyIn(k int) {
	fmt.Fprintf(p.w, "Only there among the %d best\n", k)
	if len(p.names) > fewLists {
		for a := range p.names {
			p.onlyLine(p.names[a], p.c.Only(k, a))
		}
		return
	}
	for _, pair := range p.c.Pairs {
		a, b := p.names[pair.A], p.names[pair.B]
		p.onlyLine(a+", not "+b, p.c.Only(k, pair.A, pair.B))
		p.onlyLine(b+", not "+a, p.c.Only(k, pair.B, pair.A))
	}
}

func (p *comparisonPrinter) onlyLine(what string, terms []compare.ListedTerm) {
	names, more := p.first(terms)
	line := strings.Join(names, " ")
	switch {
	case more > 0:
		line += fmt.Sprintf(" and %d more", more)
	case len(names) == 0:
		line = "-"
	}
	fmt.Fprintf(p.w, "  %s: %s\n", terminal.Visible(what, p.Terminal), terminal.Visible(line, p.Terminal))
}

// A matrix prints a number for every pair of lists. If columns with the names of the
// lists do not fit, it prints their numbers and percentages, which take three
// characters each, so that all measures together fit into a line.
type matrix struct {
	w             io.Writer
	names         []string
	label, column int // widths
	narrow        bool
	err           error
}

func (p *comparisonPrinter) matrix() *matrix {
	m := &matrix{w: p.w, column: max(len("-0.123"), len(strconv.Itoa(p.c.K[len(p.c.K)-1]))) + 2}
	for _, name := range p.names {
		name = terminal.Visible(name, p.Terminal)
		m.names = append(m.names, name)
		m.label = max(m.label, terminal.DisplayWidth(name))
		m.column = max(m.column, terminal.DisplayWidth(name)+2)
	}
	if m.label+len(m.names)*m.column > tableWidth {
		m.narrow, m.column = true, 3
		for i, name := range m.names {
			m.names[i] = fmt.Sprintf("%2d %s", i+1, name)
		}
		m.label += 3
	}
	return m
}

func (m *matrix) title(format string, args ...any) {
	if m.narrow {
		format += ", percent"
	}
	m.printf(format+"\n", args...)
}

// print prints the values with the given number of decimals. most is the largest
// possible value: 100 percent, or the value of a list with itself.
func (m *matrix) print(digits int, value, most func(a, b int) float64) {
	m.printf("%-*s", m.label, "")
	for i, name := range m.names {
		if m.narrow {
			name = strconv.Itoa(i + 1)
		}
		m.printf("%s", terminal.Indented(name, m.column))
	}
	m.printf("\n")
	for a, name := range m.names {
		m.printf("%s", terminal.Padded(name, m.label))
		for b := range m.names {
			v := most(a, b)
			if a != b {
				v = value(a, b)
			}
			if m.narrow {
				m.printf("%*s", m.column, percent(v/most(a, b)))
			} else {
				m.printf("%*.*f", m.column, digits, v)
			}
		}
		m.printf("\n")
	}
	m.printf("\n")
}

// percent formats a share in two characters, or three if it is negative. "=" means
// exactly all.
func percent(share float64) string {
	if share == 1 {
		return "="
	}
	return strconv.Itoa(int(min(max(math.Round(100*share), -99), 99)))
}

func (m *matrix) printf(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format, args...)
	}
}
