package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// learners are textbook classifiers. Naive Bayes and nearest neighbours sum over
// all terms, so that uninformative terms disturb them; a linear SVM weighs its terms.
var learners = []classify.Learner{{Kind: "nb"}, {Kind: "bernoulli"}, {Kind: "knn"}, {Kind: "svm"}}

const numFolds = 10

// accuracies returns the points of the last table of the demo: the best terms by
// chi-square, with 0 for all terms, and the best by other measures.
func accuracies(ctx context.Context, c *corpus.Corpus) (chi, others *evaluate.Series, err error) {
	splits, err := evaluate.Folds(c.Documents(), numFolds, evaluate.Dividing{Strata: evaluate.Strata(c)})
	if err != nil {
		return nil, nil, err
	}
	run := func(k []int, measures ...rank.Measure) (*evaluate.Series, error) {
		g := evaluate.Grid{K: k, Classifiers: learners, Threads: 1} // too little work for several threads
		for _, m := range measures {
			g.Methods = append(g.Methods, methods.Measure{Options: rank.Options{Measure: m}})
		}
		return evaluate.RunSplits(ctx, c, splits, g, nil)
	}
	if chi, err = run([]int{100, 200, fewTerms, 800, 0}, "chi"); err != nil {
		return nil, nil, err
	}
	others, err = run([]int{fewTerms}, "df", "mi")
	return chi, others, err
}

// folds classifies every text with models that were not trained on it, with
// different numbers of terms.
func (d demo) folds(ctx context.Context, c *corpus.Corpus, _ *table.Table) error {
	chi, others, err := accuracies(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.w, "\n4. How many terms? %s:\n"+
		"   the fewest within one deviation of the best. %% of texts put into the right\n"+
		"   club, ± deviation over %d folds\n"+
		"   terms         naive Bayes   Bernoulli  10 nearest  linear SVM  models    time\n", enoughText(chi), numFolds)
	for _, s := range []*evaluate.Series{chi, others} {
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
func enoughText(s *evaluate.Series) string {
	var numbers []string
	names := map[string][]string{}
	for i, e := range evaluate.HowMany(s.Points, evaluate.Accuracy) {
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
func (d demo) row(ctx context.Context, c *corpus.Corpus, s *evaluate.Series, first int) error {
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
	fmt.Fprintf(d.w, "%5d kB %4s ms\n", size/1000, milliseconds(foldTime(s, first)))
	return nil
}

// milliseconds returns a time in at most four characters, up to ten seconds.
func milliseconds(d time.Duration) string {
	ms := d.Seconds() * 1000
	if ms >= 99.95 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.1f", ms)
}

// foldTime returns the time of a fold: to train all classifiers and to predict. It is
// the median of the folds, since the system may delay one of them.
func foldTime(s *evaluate.Series, first int) time.Duration {
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
func duel(s *evaluate.Series, learner, k int) (won, lost int) {
	right := func(o *evaluate.Outcome, k int) int {
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
func modelSize(ctx context.Context, c *corpus.Corpus, p evaluate.Averages) (size counter, err error) {
	k := p.K
	if k == 0 {
		k = c.Terms()
	}
	s, err := selection.Select(ctx, c, selection.Options{By: rank.Options{Measure: rank.Measure(p.Method)}, Keep: selection.Best(k)})
	if err != nil {
		return 0, err
	}
	for _, l := range learners {
		t, err := vectors.New(s, table.Weighting(l.WeightOr("ltc")))
		if err != nil {
			return 0, err
		}
		rows, err := classify.Collect(t.Corpus(ctx, c), len(s.Features), s.Classes)
		if err != nil {
			return 0, err
		}
		m, err := l.Train(ctx, rows, classify.TrainOptions{})
		if err != nil {
			return 0, err
		}
		if err := classify.Save(&size, m); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// kText formats a number of terms, 0 for all.
func kText(k int) string {
	if k == 0 {
		return "all"
	}
	return strconv.Itoa(k)
}

// A counter counts the bytes that are written to it.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
