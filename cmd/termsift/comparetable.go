package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine"
)

// This file prints comparisons.

// tableWidth is what a table should fit in.
const tableWidth = 100

// fewLists is the most lists whose pairs are gone through for terms of one only: six
// pairs, twelve lines.
const fewLists = 4

type comparisonPrinter struct {
	printer
	names []string
	only  int // terms to show
	c     *engine.Comparison
}

func (p *comparisonPrinter) print() error {
	switch p.format {
	case "tsv":
		return p.tsv()
	case "jsonl":
		return p.jsonl()
	}
	return p.table()
}

func (p *comparisonPrinter) tsv() error {
	fmt.Fprintln(p.w, "a\tb\tk\toverlap\tjaccard\trbo\ttau")
	for _, pair := range p.c.Pairs {
		a, b := engine.EscapeTSV(p.names[pair.A]), engine.EscapeTSV(p.names[pair.B])
		for _, at := range pair.At {
			if _, err := fmt.Fprintf(p.w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\n", a, b, at.K, at.Shared,
				engine.FormatValue(at.Jaccard), engine.FormatValue(at.RBO), engine.FormatValue(pair.Tau)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *comparisonPrinter) jsonl() error {
	for _, pair := range p.c.Pairs {
		for _, at := range pair.At {
			line := struct {
				A       string     `json:"a"`
				B       string     `json:"b"`
				K       int        `json:"k"`
				Overlap int        `json:"overlap"`
				Jaccard float64    `json:"jaccard"`
				RBO     float64    `json:"rbo"`
				Tau     jsonNumber `json:"tau"`
				OnlyA   []string   `json:"only_a,omitempty"`
				OnlyB   []string   `json:"only_b,omitempty"`
			}{A: p.names[pair.A], B: p.names[pair.B], K: at.K, Overlap: at.Shared, Jaccard: at.Jaccard, RBO: at.RBO, Tau: jsonNumber(pair.Tau)}
			if p.only > 0 {
				line.OnlyA, _ = p.first(p.c.Only(at.K, pair.A, pair.B))
				line.OnlyB, _ = p.first(p.c.Only(at.K, pair.B, pair.A))
			}
			if err := writeJSON(p.w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// first gives the terms to show and the number of the others.
func (p *comparisonPrinter) first(terms []engine.ListedTerm) (names []string, more int) {
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

func (p *comparisonPrinter) onlyLine(what string, terms []engine.ListedTerm) {
	names, more := p.first(terms)
	line := strings.Join(names, " ")
	switch {
	case more > 0:
		line += fmt.Sprintf(" and %d more", more)
	case len(names) == 0:
		line = "-"
	}
	fmt.Fprintf(p.w, "  %s: %s\n", p.visible(what), p.visible(line))
}

// A matrix prints a number for every two lists. Where columns with the lists' names do
// not fit it has the lists' numbers and percent, for which three characters do: all
// measures together fill a line.
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
		name = p.visible(name)
		m.names = append(m.names, name)
		m.label = max(m.label, utf8.RuneCountInString(name))
		m.column = max(m.column, utf8.RuneCountInString(name)+2)
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

// print shows values, with digits behind the point. most is the largest that a value
// could be: 100 percent, and what a list has with itself.
func (m *matrix) print(digits int, value, most func(a, b int) float64) {
	m.printf("%-*s", m.label, "")
	for i, name := range m.names {
		if m.narrow {
			name = strconv.Itoa(i + 1)
		}
		m.printf("%*s", m.column, name)
	}
	m.printf("\n")
	for a, name := range m.names {
		m.printf("%-*s", m.label, name)
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

// percent takes two characters, three where it is negative; "=" is all, and only that.
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
