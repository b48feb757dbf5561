package bestterms

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
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

// OneAgainstRest yields the rows that a binary classifier of one class learns from, of rows
// over the features of a selection: those with a positive term of the class, with the single
// label 1 if they are in it and -1 if not. The others are outside the class, and no classifier
// need be asked for them. class is a place in Classes. The labels of a row are valid until the
// next one. A selection that lacks a positive term, or the class, would leave out documents of
// the class: it yields a [usage.ErrContradiction].
func (b *Choice) OneAgainstRest(s *selection.Selection, class int, in iter.Seq2[vectors.Row, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		positive, err := b.positiveFeatures(s, class)
		if err != nil {
			yield(vectors.Row{}, err)
			return
		}
		own := slices.Index(s.Classes, b.Classes[class].Class)
		var label [1]int
		for r, err := range in {
			if err == nil && !slices.ContainsFunc(r.Index, func(rank uint32) bool { return int(rank) < len(positive) && positive[rank] }) {
				continue
			}
			label[0] = -1
			if slices.Contains(r.Labels, own) {
				label[0] = 1
			}
			r.Labels, r.Target = label[:], ""
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// positiveFeatures returns which features of a selection are positive terms of a class, by rank.
func (b *Choice) positiveFeatures(s *selection.Selection, class int) ([]bool, error) {
	c := &b.Classes[class]
	if !slices.Contains(s.Classes, c.Class) {
		return nil, fmt.Errorf("%w: it does not have the class %q; take both from the same corpus", usage.ErrContradiction, usage.Cut(c.Class))
	}
	rank := make(map[string]int, len(s.Features))
	for i, f := range s.Features {
		rank[f.Term] = i + 1
	}
	positive := make([]bool, len(s.Features)+1)
	for _, t := range c.Positive {
		if rank[t.Term] == 0 {
			return nil, fmt.Errorf("%w: it lacks %q, a positive term of %q; take both from the same corpus",
				usage.ErrContradiction, usage.Cut(t.Term), usage.Cut(c.Class))
		}
		positive[rank[t.Term]] = true
	}
	return positive, nil
}
