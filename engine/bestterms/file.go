package bestterms

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/tsv"
)

// This file writes a Choice as tab-separated text: lines that begin with "#" and record
// how it was made, one "#class" line for each class with its sizes, a header line, and
// one line for each class and term.

const (
	classTermsMark   = "#termsift class terms 1"
	classTermsHeader = "class\tsign\trank\tterm\tscore\tdf\ta\tb"
)

// classRecord is the content of a "#class" line.
type classRecord struct {
	Class     string `json:"class"`
	Documents int    `json:"documents"` // |D_C|
	Kept      int    `json:"kept"`      // |D_F|
	Positive  int    `json:"positive"`  // |F+|
	Negative  int    `json:"negative"`  // |F-|
	Entries   int64  `json:"entries"`
}

// WriteTSV writes the terms of every class, the positive ones (sign +) before the
// negative ones. It does not write Kept.
func (b *Choice) WriteTSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	record := func(name string, value any) error {
		data, err := json.Marshal(value)
		fmt.Fprintf(out, "#%s %s\n", name, data)
		return err
	}
	fmt.Fprintln(out, classTermsMark)
	err := errors.Join(
		record("function", b.Function), record("rs_d", b.RSD), record("p", b.P), record("rule", b.Rule), record("scope", b.Scope), record("counts", b.Counts),
		record("documents", b.Documents), record("classes", b.CorpusClasses), record("provenance", b.Provenance))
	for _, c := range b.Classes {
		err = errors.Join(err, record("class", classRecord{c.Class, c.Documents, c.KeptDocuments, len(c.Positive), len(c.Negative), c.Entries}))
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, classTermsHeader)
	for _, c := range b.Classes {
		c.writeRows(out, '+', c.Positive)
		c.writeRows(out, '-', c.Negative)
	}
	return out.Flush()
}

// writeRows writes a line for each term. An error of out comes from its Flush.
func (c *ClassTerms) writeRows(out *bufio.Writer, sign rune, terms []Term) {
	for i, t := range terms {
		fmt.Fprintf(out, "%s\t%c\t%d\t%s\t%s\t%d\t%d\t%d\n",
			tsv.Escape(c.Class), sign, i+1, tsv.Escape(t.Term), tsv.FormatValue(t.Score), t.DF, t.A, t.B)
	}
}
