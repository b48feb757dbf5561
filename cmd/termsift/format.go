package main

import (
	"bytes"
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
	header   bool // was written
	more     []column
}

// A column is a value that is printed behind those of an entry.
type column struct {
	name  string
	value float64
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

// print writes one entry of a measure.
func (p *printer) print(measure, combine string, e engine.Entry) error {
	switch p.format {
	case "jsonl":
		return p.json(measure, combine, e)
	case "tsv":
		return p.tsv(measure, combine, e)
	}
	return p.table(measure, combine, e)
}

func (p *printer) json(measure, combine string, e engine.Entry) error {
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
	return p.jsonWithMore(line)
}

// writeJSON writes a line, without the escapes of HTML.
func writeJSON(w io.Writer, line any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}

func (p *printer) tsv(measure, combine string, e engine.Entry) error {
	if !p.header {
		p.header = true
		header := "scorer\tcombine\tterm\tvalue\tdf\n"
		if p.byClass {
			header = "scorer\tclass\tterm\tvalue\ta\tb\tc\td\n"
		}
		if _, err := io.WriteString(p.w, p.withMore(header, "\t", func(c column) string { return c.name })); err != nil {
			return err
		}
	}
	name, value := engine.EscapeTSV(e.Term), engine.FormatValue(e.Value)
	line := fmt.Sprintf("%s\t%s\t%s\t%s\t%d\n", measure, combine, name, value, e.DF)
	if p.byClass {
		line = fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", measure, engine.EscapeTSV(e.Class), name, value, e.A, e.B, e.C, e.D)
	}
	_, err := io.WriteString(p.w, p.withMore(line, "\t", func(c column) string { return engine.FormatValue(c.value) }))
	return err
}

func (p *printer) table(measure, combine string, e engine.Entry) error {
	rank := ""
	if e.Rank > 0 {
		rank = strconv.Itoa(e.Rank)
	}
	line := fmt.Sprintf("%4s  %-24s %12s  df %d\n", rank, p.visible(e.Term), short(e.Value), e.DF)
	if p.byClass {
		line = fmt.Sprintf("%4s  %-24s %12s  A=%d B=%d C=%d D=%d  %s\n", rank, p.visible(e.Term), short(e.Value), e.A, e.B, e.C, e.D, p.visible(e.Class))
	}
	_, err := io.WriteString(p.w, p.withMore(line, "  ", func(c column) string { return c.name + " " + short(c.value) }))
	return err
}

// withMore puts further columns at the end of a line.
func (p *printer) withMore(line, between string, text func(column) string) string {
	if len(p.more) == 0 {
		return line
	}
	line = strings.TrimSuffix(line, "\n")
	for _, c := range p.more {
		line += between + text(c)
	}
	return line + "\n"
}

// jsonWithMore puts them behind the keys of a line.
func (p *printer) jsonWithMore(line any) error {
	if len(p.more) == 0 {
		return writeJSON(p.w, line)
	}
	var b bytes.Buffer
	if err := writeJSON(&b, line); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("}\n"))
	for _, c := range p.more {
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
