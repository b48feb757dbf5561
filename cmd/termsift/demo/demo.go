// Package demo shows on an embedded corpus why one selects terms.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/table"
)

// embedded is the corpus of the demo: messages on six subjects. corpus_test.go
// assembles them from sentences that were written for it (pieces.txt).
//
//go:embed corpus.jsonl
var embedded []byte

// fewTerms is the number of terms for which the demo compares measures. Its last table
// has other numbers.
const fewTerms = 400

// readMessages returns the corpus of messages in lines of JSON.
func readMessages(ctx context.Context, lines []byte) (*corpus.Corpus, error) {
	source, err := reader.Read(ctx, []string{"-"}, reader.Options{Stdin: bytes.NewReader(lines), Format: reader.JSONL})
	if err != nil {
		return nil, err
	}
	return corpus.Build(ctx, source.Documents(), corpus.Options{})
}

// A demo prints to w.
type demo struct{ w io.Writer }

// Print prints the demo.
func Print(ctx context.Context, w io.Writer) error {
	d := demo{w}
	c, err := readMessages(ctx, embedded)
	if err != nil {
		return err
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintf(d.w, "%d messages of %d clubs, put together by a program from sentences of ours: a few\n"+
		"words on the subject, the rest chatter, names, typing errors: %d terms in all.\n",
		c.Documents(), len(c.Classes()), c.Terms())
	for _, part := range []func(context.Context, *corpus.Corpus, *table.Table) error{
		d.classes, d.measures, d.term, d.folds,
	} {
		if err := part(ctx, c, stats); err != nil {
			return err
		}
	}
	fmt.Fprint(d.w, `
Your own FILE, or FOLDER of class folders (in a clone: go run ./cmd/termsift):
  termsift score --by chi --top 20 FILE
  termsift evaluate --folds 10 --by chi -k 400,all --classifier nb,svm FOLDER
  termsift select --by chi -k auto --classifier nb FOLDER -o features.tsv
`)
	return nil
}

// classes prints the terms that distinguish each class from the rest. Chi-square
// has no sign: a term that avoids the class is marked.
func (d demo) classes(ctx context.Context, c *corpus.Corpus, s *table.Table) error {
	fmt.Fprint(d.w, "\n1. The best terms of each club by chi-square\n")
	for _, class := range c.Classes() {
		r, err := rank.Class(ctx, s, class, rank.Options{Measure: "chi"})
		if err != nil {
			return err
		}
		var terms []string
		for _, e := range r.Top(8) {
			if e.Sign < 0 {
				e.Term = "-" + e.Term
			}
			terms = append(terms, e.Term)
		}
		fmt.Fprintf(d.w, "   %-10s %s\n", class, strings.Join(terms, " "))
	}
	return nil
}

// measures prints the best terms by several measures, and how many of the best are
// too rare to be useful.
func (d demo) measures(ctx context.Context, _ *corpus.Corpus, s *table.Table) error {
	fmt.Fprintf(d.w, "\n2. Measures differ: their best terms; how many of the best %d are in one text\n", fewTerms)
	for _, m := range []rank.Measure{"chi", "ig", "df", "mi"} {
		r, err := rank.Terms(ctx, s, rank.Options{Measure: m})
		if err != nil {
			return err
		}
		var terms []string
		once := 0
		for i, e := range r.Top(fewTerms) {
			if i < 7 {
				terms = append(terms, e.Term)
			}
			if e.DF == 1 {
				once++
			}
		}
		fmt.Fprintf(d.w, "   %-4s %-61s %4d\n", m, strings.Join(terms, " "), once)
	}
	fmt.Fprint(d.w, "   df keeps what is everywhere; mi, mutual information, what is rare, names and\n"+
		"   typing errors in the smallest clubs; chi and ig what tells the clubs apart.\n")
	return nil
}

// term explains the best term by chi-square.
func (d demo) term(ctx context.Context, _ *corpus.Corpus, s *table.Table) error {
	r, err := rank.Terms(ctx, s, rank.Options{Measure: "chi"})
	if err != nil {
		return err
	}
	x, err := rank.Explain(ctx, s, r.Top(1)[0].Term, rank.Options{})
	if err != nil {
		return err
	}
	var ranks []string
	var chi rank.Explained
	for _, m := range x.Measures {
		switch m.Measure {
		case "chi":
			chi = m
		case "ig", "ttest", "df", "mi":
			ranks = append(ranks, fmt.Sprintf("%d. by %s", m.Rank, m.Measure))
		}
	}
	t := x.Tables[chi.Best]
	fmt.Fprintf(d.w, "\n3. Why %q leads by chi: in %d of %d %s texts, %d of %d others\n",
		x.Term, t.A, t.A+t.C, t.Class, t.B, t.B+t.D)
	fmt.Fprintf(d.w, "   N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)) with A=%d B=%d C=%d D=%d gives %s\n",
		t.A, t.B, t.C, t.D, strconv.FormatFloat(chi.Value, 'g', 6, 64))
	fmt.Fprintf(d.w, "   of %d terms: 1. by chi, %s\n", chi.Of, strings.Join(ranks, ", "))
	return nil
}
