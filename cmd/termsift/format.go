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
	pvalues  bool // were asked for
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

// print writes one entry of a measure, which may have been tested or not.
func (p *printer) print(measure, combine string, e engine.Entry, tested bool) error {
	log10p := math.NaN()
	if tested {
		log10p = e.Log10P
	}
	switch p.format {
	case "jsonl":
		return p.json(measure, combine, e, log10p)
	case "tsv":
		return p.tsv(measure, combine, e, log10p)
	}
	return p.table(measure, combine, e, log10p)
}

func (p *printer) json(measure, combine string, e engine.Entry, log10p float64) error {
	var tested *jsonNumber // left out where there is none
	if v := jsonNumber(log10p); !math.IsNaN(log10p) {
		tested = &v
	}
	var line any = struct {
		Scorer  string      `json:"scorer"`
		Combine string      `json:"combine"`
		Term    string      `json:"term"`
		Value   jsonNumber  `json:"value"`
		DF      int         `json:"df"`
		Log10P  *jsonNumber `json:"log10p,omitempty"`
	}{measure, combine, e.Term, jsonNumber(e.Value), e.DF, tested}
	if p.byClass {
		line = struct {
			Scorer string      `json:"scorer"`
			Class  string      `json:"class"`
			Term   string      `json:"term"`
			Value  jsonNumber  `json:"value"`
			A      int         `json:"a"`
			B      int         `json:"b"`
			C      int         `json:"c"`
			D      int         `json:"d"`
			Log10P *jsonNumber `json:"log10p,omitempty"`
		}{measure, e.Class, e.Term, jsonNumber(e.Value), e.A, e.B, e.C, e.D, tested}
	}
	return writeJSON(p.w, line)
}

// writeJSON writes a line, without the escapes of HTML.
func writeJSON(w io.Writer, line any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}

func (p *printer) tsv(measure, combine string, e engine.Entry, log10p float64) error {
	last := ""
	if p.pvalues {
		last = "\t" + engine.FormatValue(log10p)
	}
	if !p.header {
		p.header = true
		header := "scorer\tcombine\tterm\tvalue\tdf"
		if p.byClass {
			header = "scorer\tclass\tterm\tvalue\ta\tb\tc\td"
		}
		if p.pvalues {
			header += "\tlog10p"
		}
		if _, err := fmt.Fprintln(p.w, header); err != nil {
			return err
		}
	}
	name, value := engine.EscapeTSV(e.Term), engine.FormatValue(e.Value)
	var err error
	if p.byClass {
		_, err = fmt.Fprintf(p.w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d%s\n", measure, engine.EscapeTSV(e.Class), name, value, e.A, e.B, e.C, e.D, last)
	} else {
		_, err = fmt.Fprintf(p.w, "%s\t%s\t%s\t%s\t%d%s\n", measure, combine, name, value, e.DF, last)
	}
	return err
}

func (p *printer) table(measure, combine string, e engine.Entry, log10p float64) error {
	rank, tested := "", ""
	if e.Rank > 0 {
		rank = strconv.Itoa(e.Rank)
	}
	if !math.IsNaN(log10p) {
		tested = fmt.Sprintf("  log10 p %.2f", log10p)
	}
	var err error
	if p.byClass {
		_, err = fmt.Fprintf(p.w, "%4s  %-24s %12s  A=%d B=%d C=%d D=%d  %s%s\n", rank, p.visible(e.Term), short(e.Value), e.A, e.B, e.C, e.D, p.visible(e.Class), tested)
	} else {
		_, err = fmt.Fprintf(p.w, "%4s  %-24s %12s  df %d%s\n", rank, p.visible(e.Term), short(e.Value), e.DF, tested)
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
