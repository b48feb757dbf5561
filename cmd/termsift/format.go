package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/termsift/termsift/engine"
)

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A printer writes entries in one of the formats of score.
type printer struct {
	w        io.Writer
	format   string
	terminal bool
	byClass  bool
	pvalues  bool // were asked for
	header   bool // was written
	more     []column
}

// A column is a value that is printed behind those of an entry.
type column struct {
	name  string
	value float64
	text  string // in a table; "" is the name and the value
}

var formats = []string{"table", "tsv", "jsonl"}

// A jsonNumber is a value as JSON: infinities as text, undefined as null.
type jsonNumber float64

func (n jsonNumber) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte("null"), nil
	case math.IsInf(v, 0):
		return strconv.AppendQuote(nil, engine.FormatValue(v)), nil
	default:
		return json.Marshal(v)
	}
}

// print writes one entry of a measure, which may have been tested or not.
func (p *printer) print(measure, combine string, e engine.Entry, tested bool) error {
	more := p.more
	switch {
	case tested:
		more = append([]column{{"log10p", e.Log10P, fmt.Sprintf("log10 p %.2f", e.Log10P)}}, more...)
	case p.pvalues && p.format == "tsv": // whose lines have the same columns
		more = append([]column{{name: "log10p", value: math.NaN()}}, more...)
	}
	switch p.format {
	case "jsonl":
		return p.json(measure, combine, e, more)
	case "tsv":
		return p.tsv(measure, combine, e, more)
	}
	return p.table(measure, combine, e, more)
}

func (p *printer) json(measure, combine string, e engine.Entry, more []column) error {
	var line any = struct {
		Scorer  string     `json:"scorer"`
		Combine string     `json:"combine"`
		Term    string     `json:"term"`
		Value   jsonNumber `json:"value"`
		DF      int        `json:"df"`
	}{measure, combine, e.Term, jsonNumber(e.Value), e.DF}
	if p.byClass {
		line = struct {
			Scorer string     `json:"scorer"`
			Class  string     `json:"class"`
			Term   string     `json:"term"`
			Value  jsonNumber `json:"value"`
			A      int        `json:"a"`
			B      int        `json:"b"`
			C      int        `json:"c"`
			D      int        `json:"d"`
		}{measure, e.Class, e.Term, jsonNumber(e.Value), e.A, e.B, e.C, e.D}
	}
	return p.jsonWithMore(line, more)
}

// writeJSON writes a line, without the escapes of HTML.
func writeJSON(w io.Writer, line any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}

func (p *printer) tsv(measure, combine string, e engine.Entry, more []column) error {
	if !p.header {
		p.header = true
		header := "scorer\tcombine\tterm\tvalue\tdf"
		if p.byClass {
			header = "scorer\tclass\tterm\tvalue\ta\tb\tc\td"
		}
		if err := p.line(header, "\t", more, func(c column) string { return c.name }); err != nil {
			return err
		}
	}
	name, value := engine.EscapeTSV(e.Term), engine.FormatValue(e.Value)
	line := fmt.Sprintf("%s\t%s\t%s\t%s\t%d", measure, combine, name, value, e.DF)
	if p.byClass {
		line = fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d", measure, engine.EscapeTSV(e.Class), name, value, e.A, e.B, e.C, e.D)
	}
	return p.line(line, "\t", more, func(c column) string { return engine.FormatValue(c.value) })
}

func (p *printer) table(measure, combine string, e engine.Entry, more []column) error {
	rank := ""
	if e.Rank > 0 {
		rank = strconv.Itoa(e.Rank)
	}
	line := fmt.Sprintf("%4s  %-24s %12s  df %d", rank, p.visible(e.Term), short(e.Value), e.DF)
	if p.byClass {
		line = fmt.Sprintf("%4s  %-24s %12s  A=%d B=%d C=%d D=%d  %s", rank, p.visible(e.Term), short(e.Value), e.A, e.B, e.C, e.D, p.visible(e.Class))
	}
	return p.line(line, "  ", more, func(c column) string { return cmp.Or(c.text, c.name+" "+short(c.value)) })
}

// line writes a line with further columns at its end.
func (p *printer) line(line, between string, more []column, text func(column) string) error {
	for _, c := range more {
		line += between + text(c)
	}
	_, err := fmt.Fprintln(p.w, line)
	return err
}

// jsonWithMore writes an object with further keys behind its own.
func (p *printer) jsonWithMore(object any, more []column) error {
	if len(more) == 0 {
		return writeJSON(p.w, object)
	}
	var b bytes.Buffer
	if err := writeJSON(&b, object); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("}\n"))
	for _, c := range more {
		value, err := json.Marshal(jsonNumber(c.value))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, ",%q:%s", c.name, value)
	}
	b.WriteString("}\n")
	_, err := b.WriteTo(p.w)
	return err
}

// title heads a list in a table.
func (p *printer) title(format string, args ...any) {
	if p.format == "table" {
		fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// visible takes control characters out of what a terminal would obey.
func (p *printer) visible(s string) string {
	if !p.terminal {
		return s
	}
	return withoutControls(s, "")
}

// talk makes a message for stderr, which may have the names of files in it.
func talk(s string) string { return withoutControls(s, "\n\t") }

// withoutControls makes dots of control characters other than those to keep.
func withoutControls(s, keep string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !strings.ContainsRune(keep, r) {
			return '.'
		}
		return r
	}, s)
}
