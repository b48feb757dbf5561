package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/reader"
)

// The corpus of the demo: short texts on six subjects, written for it.
//
//go:embed demo/corpus.jsonl
var demoCorpus []byte

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "do the main job on an embedded corpus",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.demo(c.Context()) },
	}
}

func demoSource(ctx context.Context, split string) (*reader.Source, error) {
	return reader.Read(ctx, []string{"-"}, reader.Options{Stdin: bytes.NewReader(demoCorpus), Format: reader.JSONL, Split: split})
}

func (a *app) demo(ctx context.Context) error {
	source, err := demoSource(ctx, "train")
	if err != nil {
		return err
	}
	corpus, err := engine.Build(ctx, source.Documents(), engine.Options{})
	if err != nil {
		return err
	}
	stats, err := corpus.Statistics(ctx, engine.StatisticsOptions{})
	if err != nil {
		return err
	}
	i, err := corpus.Info(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%d short texts on %d subjects: %d terms, %d tokens, %d (document, term) pairs.\n",
		i.Documents, i.Classes, i.Terms, i.Tokens, i.Postings)
	for _, part := range []func(context.Context, *engine.Corpus, *engine.Statistics) error{
		a.demoClasses, a.demoMeasures, a.demoTerm, a.demoAccuracy,
	} {
		if err := part(ctx, corpus, stats); err != nil {
			return err
		}
	}
	fmt.Fprint(a.out, "\nYour own: termsift score --by chi --class NAME FOLDER (a folder of files for each class).\n")
	return nil
}

// demoClasses lists the terms that tell each class from the rest. Chi-square
// has no sign: a term that avoids the class is marked.
func (a *app) demoClasses(ctx context.Context, c *engine.Corpus, s *engine.Statistics) error {
	fmt.Fprint(a.out, "\nThe terms of each subject by chi-square (-term: the subject avoids it)\n")
	for _, class := range c.Classes() {
		r, err := s.RankClass(ctx, class, engine.Scoring{By: "chi"})
		if err != nil {
			return err
		}
		var terms []string
		for _, e := range r.Top(8) {
			if float64(e.A)*float64(e.D) < float64(e.B)*float64(e.C) {
				e.Term = "-" + e.Term
			}
			terms = append(terms, e.Term)
		}
		fmt.Fprintf(a.out, "  %-11s %s\n", class, strings.Join(terms, " "))
	}
	return nil
}

func (a *app) demoMeasures(ctx context.Context, _ *engine.Corpus, s *engine.Statistics) error {
	measures := []string{"df", "chi", "ig", "bns", "ttest"}
	fmt.Fprint(a.out, "\nThe ten best terms of all\n  rank")
	tops := make([][]engine.Entry, len(measures))
	for i, m := range measures {
		fmt.Fprintf(a.out, "  %-13s", m)
		r, err := s.Rank(ctx, engine.Scoring{By: m})
		if err != nil {
			return err
		}
		tops[i] = r.Top(10)
	}
	for rank := range 10 {
		fmt.Fprintf(a.out, "\n  %4d", rank+1)
		for _, top := range tops {
			fmt.Fprintf(a.out, "  %-13s", top[rank].Term)
		}
	}
	fmt.Fprint(a.out, "\nFrequent words lead by df, and no stop list is needed to keep them out of the others.\n")
	return nil
}

// demoTerm explains the best term by chi.
func (a *app) demoTerm(ctx context.Context, _ *engine.Corpus, s *engine.Statistics) error {
	r, err := s.Rank(ctx, engine.Scoring{By: "chi"})
	if err != nil {
		return err
	}
	x, err := s.Explain(ctx, r.Top(1)[0].Term, engine.Scoring{})
	if err != nil {
		return err
	}
	var ranks []string
	var chi engine.Explained
	for _, m := range x.Measures {
		switch m.Measure {
		case "chi":
			chi = m
		case "df", "mi", "ig", "or", "ttest":
			ranks = append(ranks, fmt.Sprintf("%d by %s", m.Rank, m.Measure))
		}
	}
	t := x.Tables[chi.Best]
	fmt.Fprintf(a.out, "\nWhy %q leads by chi: its table for %s\n", x.Term, t.Class)
	fmt.Fprintf(a.out, "                 %-12s other\n", t.Class)
	fmt.Fprintf(a.out, "  with the term  A = %-8d B = %d\n  without it     C = %-8d D = %d\n", t.A, t.B, t.C, t.D)
	fmt.Fprintf(a.out, "  chi = N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)) = %d·(%d·%d - %d·%d)²/(%d·%d·%d·%d) = %s\n",
		x.N, t.A, t.D, t.B, t.C, t.A+t.B, t.C+t.D, t.A+t.C, t.B+t.D, short(chi.Value))
	fmt.Fprintf(a.out, "  rank of %d terms: 1 by chi, %s\n", chi.Of, strings.Join(ranks, ", "))
	return nil
}

// demoAccuracy classifies the held-back texts by the nearest centroid.
func (a *app) demoAccuracy(ctx context.Context, c *engine.Corpus, _ *engine.Statistics) error {
	fmt.Fprint(a.out, "\nHeld-back texts put into the right subject (nearest centroid, ltc weights)\n  terms  ")
	measures := []string{"chi", "ig", "df", "mi"}
	for _, m := range measures {
		fmt.Fprintf(a.out, "  by %-5s", m)
	}
	for _, k := range []int{20, 60, 200, c.Terms()} {
		fmt.Fprintf(a.out, "\n  %-7d", k)
		for _, m := range measures {
			right, all, err := accuracy(ctx, c, m, k)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "  %5.1f %% ", 100*float64(right)/float64(all))
		}
	}
	fmt.Fprint(a.out, "\n")
	return nil
}

// accuracy selects k terms, sums the training vectors of each class, and counts
// the held-back texts whose own class has the most similar sum.
func accuracy(ctx context.Context, c *engine.Corpus, measure string, k int) (right, all int, err error) {
	s, err := c.Select(ctx, engine.Selecting{Scoring: engine.Scoring{By: measure}, K: k})
	if err != nil {
		return 0, 0, err
	}
	t, err := engine.NewTransformer(s, "ltc")
	if err != nil {
		return 0, 0, err
	}
	centroids := make([][]float64, len(s.Classes))
	for i := range centroids {
		centroids[i] = make([]float64, len(s.Features))
	}
	for row, err := range t.Corpus(ctx, c) {
		if err != nil {
			return 0, 0, err
		}
		for i, index := range row.Index {
			centroids[row.Labels[0]][index-1] += float64(row.Value[i])
		}
	}
	for _, v := range centroids {
		normalise(v)
	}
	source, err := demoSource(ctx, "test")
	if err != nil {
		return 0, 0, err
	}
	for row, err := range t.Documents(ctx, source.Documents()) {
		if err != nil {
			return 0, 0, err
		}
		all++
		if nearest(centroids, row) == row.Labels[0] {
			right++
		}
	}
	return right, all, nil
}

func normalise(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	if sum == 0 {
		return
	}
	for i := range v {
		v[i] /= math.Sqrt(sum)
	}
}

// nearest gives the class of the largest cosine; -1 for a text without any of
// the terms.
func nearest(centroids [][]float64, row engine.Row) int {
	best, class := 0.0, -1
	for c, v := range centroids {
		dot := 0.0
		for i, index := range row.Index {
			dot += float64(v[index-1] * float64(row.Value[i]))
		}
		if dot > best {
			best, class = dot, c
		}
	}
	return class
}
