package main

import (
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
	return writeJSON(p.w, line)
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
		if _, err := io.WriteString(p.w, header); err != nil {
			return err
		}
	}
	name, value := engine.EscapeTSV(e.Term), engine.FormatValue(e.Value)
	var err error
	if p.byClass {
		_, err = fmt.Fprintf(p.w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", measure, engine.EscapeTSV(e.Class), name, value, e.A, e.B, e.C, e.D)
	} else {
		_, err = fmt.Fprintf(p.w, "%s\t%s\t%s\t%s\t%d\n", measure, combine, name, value, e.DF)
	}
	return err
}

func (p *printer) table(measure, combine string, e engine.Entry) error {
	rank := ""
	if e.Rank > 0 {
		rank = strconv.Itoa(e.Rank)
	}
	var err error
	if p.byClass {
		_, err = fmt.Fprintf(p.w, "%4s  %-24s %12s  A=%d B=%d C=%d D=%d  %s\n", rank, p.visible(e.Term), short(e.Value), e.A, e.B, e.C, e.D, p.visible(e.Class))
	} else {
		_, err = fmt.Fprintf(p.w, "%4s  %-24s %12s  df %d\n", rank, p.visible(e.Term), short(e.Value), e.DF)
	}
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
