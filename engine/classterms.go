package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// This file writes what Best Terms chose for every class: lines that begin with "#"
// and record how it was chosen, one "#class" line for each class with its sizes, a
// header line, and one line for each class and term. classtermsreader.go reads it.

const (
	classTermsMark   = "#termsift class terms 1"
	classTermsHeader = "class\tsign\trank\tterm\tscore\tdf\ta\tb"
)

// recordedClass is a "#class" line.
type recordedClass struct {
	Class     string `json:"class"`
	Documents int    `json:"documents"` // |D_C|
	Kept      int    `json:"kept"`      // |D_F|
	Positive  int    `json:"positive"`  // |F+|
	Negative  int    `json:"negative"`  // |F-|
	Entries   int64  `json:"entries"`
}

// records are the "#"-lines but for those of the classes, in their order.
func (b *BestTerms) records() []struct {
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
// negative ones, with what [ReadBestTerms] needs. It does not write Kept.
func (b *BestTerms) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, classTermsMark)
	for _, r := range b.records() {
		if err := writeRecord(out, r.name, r.of); err != nil {
			return err
		}
	}
	for _, c := range b.Classes {
		sizes := recordedClass{c.Class, c.Documents, c.KeptDocuments, len(c.Positive), len(c.Negative), c.Entries}
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

func writeRecord(out io.Writer, name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "#%s %s\n", name, data)
	return err
}

// writeRows leaves its errors to Flush.
func (c *ClassTerms) writeRows(out *bufio.Writer, sign rune, terms []BestTerm) {
	for i, t := range terms {
		fmt.Fprintf(out, "%s\t%c\t%d\t%s\t%s\t%d\t%d\t%d\n",
			EscapeTSV(c.Class), sign, i+1, EscapeTSV(t.Term), FormatValue(t.Score), t.DF, t.A, t.B)
	}
}
