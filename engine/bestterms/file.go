package bestterms

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes a Choice as tab-separated text: lines that begin with "#" and record
// how it was made, one "#class" line for each class with its sizes, a header line, and
// one line for each class and term. The file filereader.go reads it.

const (
	classTermsMark   = "#termsift class terms 1"
	classTermsHeader = "class\tsign\trank\tterm\tscore\tdf\ta\tb"
)

// ErrBadClassTerms is returned for a file of class terms that cannot be read.
var ErrBadClassTerms = usage.NewError(usage.ErrData, "not a file of class terms")

// classRecord is the content of a "#class" line.
type classRecord struct {
	Class     string `json:"class"`
	Documents int    `json:"documents"` // |D_C|
	Kept      int    `json:"kept"`      // |D_F|
	Positive  int    `json:"positive"`  // |F+|
	Negative  int    `json:"negative"`  // |F-|
	Entries   int64  `json:"entries"`
}

// records returns the names of the "#"-lines in their order, without "#class", and where
// their values are in b.
func (b *Choice) records() []struct {
	name string
	of   any
} {
	return []struct {
		name string
		of   any
	}{
		{"function", &b.Function},
		{"rs_d", &b.RSD},
		{"p", &b.P},
		{"rule", &b.Rule},
		{"scope", &b.Scope},
		{"counts", &b.Counts},
		{"documents", &b.Documents},
		{"classes", &b.CorpusClasses},
		{"provenance", &b.Provenance},
	}
}

// WriteTSV writes the terms of every class, the positive ones (sign +) before the
// negative ones, with what [Read] needs. It does not write Kept.
func (b *Choice) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, classTermsMark)
	for _, r := range b.records() {
		if err := writeRecord(out, r.name, r.of); err != nil {
			return err
		}
	}
	for _, c := range b.Classes {
		sizes := classRecord{c.Class, c.Documents, c.KeptDocuments, len(c.Positive), len(c.Negative), c.Entries}
		if err := writeRecord(out, "class", sizes); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, classTermsHeader)
	for _, c := range b.Classes {
		c.writeRows(out, '+', c.Positive)
		c.writeRows(out, '-', c.Negative)
	}
	return out.Flush()
}

// writeRecord writes a "#"-line with the value as JSON.
func writeRecord(out io.Writer, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "#%s %s\n", name, data)
	return err
}

// writeRows writes a line for each term. An error of out comes from its Flush.
func (c *ClassTerms) writeRows(out *bufio.Writer, sign rune, terms []Term) {
	for i, t := range terms {
		fmt.Fprintf(out, "%s\t%c\t%d\t%s\t%s\t%d\t%d\t%d\n",
			tsv.Escape(c.Class), sign, i+1, tsv.Escape(t.Term), tsv.FormatValue(t.Score), t.DF, t.A, t.B)
	}
}
