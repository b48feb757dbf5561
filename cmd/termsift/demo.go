package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// This file shows on an embedded corpus why one selects terms.

// demoCorpus has messages on six subjects. demo_test.go assembles them from sentences that were written
// for it (demo/pieces.txt).
//
//go:embed demo/corpus.jsonl
var demoCorpus []byte

// fewTerms is the number of terms for which the demo compares measures. Its last table
// has other numbers.
const fewTerms = 400

func demoCommand(a *app) *command {
	return &command{
		use:      "demo",
		short:    "show on an embedded corpus why one selects terms",
		args:     noArgs,
		complete: cobra.NoFileCompletions,
		run:      func(c *cobra.Command, _ []string) error { return demo{a.stdout}.print(c.Context()) },
	}
}

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

// print prints the demo.
func (d demo) print(ctx context.Context) error {
	c, err := readMessages(ctx, demoCorpus)
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
	if err := cmp.Or(d.classes(ctx, stats), d.measures(ctx, stats), d.term(ctx, stats), d.folds(ctx, c)); err != nil {
		return err
	}
	_, err = fmt.Fprint(d.w, `
Your own FILE, or FOLDER of class folders (in a clone: go run ./cmd/termsift):
  termsift score --by chi --top 20 FILE
  termsift evaluate --folds 10 --by chi -k 400,all --classifier nb,svm FOLDER
  termsift select --by chi -k auto --classifier nb FOLDER -o features.tsv
`)
	return err
}

// classes prints the terms that distinguish each class from the rest. Chi-square
// has no sign: a term that avoids the class is marked.
func (d demo) classes(ctx context.Context, s *table.Table) error {
	fmt.Fprint(d.w, "\n1. The best terms of each club by chi-square\n")
	for _, class := range s.Classes() {
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
func (d demo) measures(ctx context.Context, s *table.Table) error {
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
func (d demo) term(ctx context.Context, s *table.Table) error {
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
	fmt.Fprintf(d.w, "   N(AD-BC)²/((A+B)(C+D)(A+C)(B+D)) with A=%d B=%d C=%d D=%d gives %s\n", t.A, t.B, t.C, t.D, tables.Short(chi.Value))
	fmt.Fprintf(d.w, "   of %d terms: 1. by chi, %s\n", chi.Of, strings.Join(ranks, ", "))
	return nil
}

// learners are textbook classifiers. Naive Bayes and nearest neighbours sum over
// all terms, so that uninformative terms disturb them; a linear SVM weighs its terms.
var learners = []learn.Learner{{Kind: "nb"}, {Kind: "bernoulli"}, {Kind: "knn"}, {Kind: "svm"}}

const numFolds = 10

// accuracies returns the points of the last table of the demo: the best terms by
// chi-square, with 0 for all terms, and the best by other measures.
func accuracies(ctx context.Context, c *corpus.Corpus) (chi, others *learn.Series, err error) {
	splits, err := learn.Folds(c.Documents(), numFolds, learn.Dividing{Strata: learn.Strata(c)})
	if err != nil {
		return nil, nil, err
	}
	run := func(k []int, measures ...rank.Measure) (*learn.Series, error) {
		g := learn.Grid{K: k, Classifiers: learners, Threads: 1} // too little work for several threads
		for _, m := range measures {
			g.Methods = append(g.Methods, methods.Measure{Options: rank.Options{Measure: m}})
		}
		return learn.RunSplits(ctx, c, splits, g, nil)
	}
	if chi, err = run([]int{100, 200, fewTerms, 800, 0}, "chi"); err != nil {
		return nil, nil, err
	}
	others, err = run([]int{fewTerms}, "df", "mi")
	return chi, others, err
}

// folds classifies every text with models that were not trained on it, with
// different numbers of terms.
func (d demo) folds(ctx context.Context, c *corpus.Corpus) error {
	chi, others, err := accuracies(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.w, "\n4. How many terms? %s:\n"+
		"   the fewest within one deviation of the best. %% of texts put into the right\n"+
		"   club, ± deviation over %d folds\n"+
		"   terms         naive Bayes   Bernoulli  10 nearest  linear SVM  models    time\n", enoughText(chi), numFolds)
	for _, s := range []*learn.Series{chi, others} {
		for first := 0; first < len(s.Points); first += len(learners) {
			if err := d.row(ctx, c, s, first); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(d.w, "   %-13s", fmt.Sprintf("%d : all", fewTerms))
	for i := range learners {
		won, lost := duel(chi, i, fewTerms)
		fmt.Fprintf(d.w, "%12s", fmt.Sprintf("%d : %d", won, lost))
	}
	fmt.Fprint(d.w, " folds won:lost\n"+
		"   What to see: naive Bayes and neighbours believe every term and gain; a linear\n"+
		"   SVM weighs terms itself and does not; by the wrong measure all of them lose.\n")
	return nil
}

// learnerNames are the names of the learners of the demo, in their order.
var learnerNames = []string{"naive Bayes", "Bernoulli", "10 nearest", "a linear SVM"}

// enoughText says how many terms by chi-square are enough for which classifiers.
func enoughText(s *learn.Series) string {
	var numbers []string
	names := map[string][]string{}
	for i, e := range learn.HowMany(s.Points, learn.Accuracy) {
		k := kText(e.Fewest.K)
		if names[k] == nil {
			numbers = append(numbers, k)
		}
		names[k] = append(names[k], learnerNames[i])
	}
	for i, k := range numbers {
		last := len(names[k]) - 1
		text := names[k][last]
		if last > 0 {
			text = strings.Join(names[k][:last], ", ") + " and " + text
		}
		numbers[i] = k + " for " + text
	}
	return strings.Join(numbers, ", ")
}

// row prints the results of all classifiers on the same terms. first is the first
// of their points.
func (d demo) row(ctx context.Context, c *corpus.Corpus, s *learn.Series, first int) error {
	points := s.Points[first : first+len(learners)]
	name := fmt.Sprintf("%d by %s", points[0].K, points[0].Method)
	if points[0].K == 0 {
		name = "all"
	}
	fmt.Fprintf(d.w, "   %-13s", name)
	for _, p := range points {
		fmt.Fprintf(d.w, "%7.1f ±%3.1f", 100*p.Accuracy.Mean, 100*p.Accuracy.Deviation)
	}
	size, err := modelSize(ctx, c, points[0])
	if err != nil {
		return err
	}
	ms, decimals := foldTime(s, first).Seconds()*1000, 1
	if ms >= 99.95 { // up to ten seconds there are four characters
		decimals = 0
	}
	_, err = fmt.Fprintf(d.w, "%5d kB %4.*f ms\n", size/1000, decimals, ms)
	return err
}

// foldTime returns the time of a fold: to train all classifiers and to predict. It is
// the median of the folds, since the system may delay one of them.
func foldTime(s *learn.Series, first int) time.Duration {
	var times []time.Duration
	for _, o := range s.Runs {
		var sum time.Duration
		for _, p := range o.Points[first : first+len(learners)] {
			sum += p.Times.Train + p.Times.Predict
		}
		times = append(times, sum)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// duel returns the numbers of folds in which a classifier is right more often, and
// less often, with the best k terms than with all.
func duel(s *learn.Series, learner, k int) (won, lost int) {
	right := func(o *learn.Outcome, k int) int {
		for p := learner; ; p += len(learners) {
			if o.Points[p].K == k {
				return o.Points[p].Result.Exact
			}
		}
	}
	for _, o := range s.Runs {
		switch few, all := right(o, k), right(o, 0); {
		case few > all:
			won++
		case few < all:
			lost++
		}
	}
	return won, lost
}

// modelSize returns the size of the model files, in bytes, for models of all texts on
// the terms of a point.
func modelSize(ctx context.Context, c *corpus.Corpus, p learn.Averages) (int, error) {
	s, err := selection.Select(ctx, c, selection.Options{By: rank.Options{Measure: rank.Measure(p.Method)}, Keep: selection.Best(cmp.Or(p.K, c.Terms()))})
	if err != nil {
		return 0, err
	}
	size := countedWriter{w: io.Discard}
	for _, l := range learners {
		t, err := vectors.New(s, table.Weighting(l.WeightOr("ltc")))
		if err != nil {
			return 0, err
		}
		rows, err := learn.Collect(t.Corpus(ctx, c), len(s.Features), s.Classes)
		if err != nil {
			return 0, err
		}
		m, err := l.Train(ctx, rows, learn.TrainOptions{})
		if err == nil {
			err = learn.Save(&size, m)
		}
		if err != nil {
			return 0, err
		}
	}
	return size.n, nil
}
