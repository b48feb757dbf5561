package naive

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// classifiers checks naive Bayes, neighbours and centroids.
func (g *golden) classifiers() {
	c := g.corpus("single_label")
	tb := Tabulate(c)
	const bayes, knn = "classifiers_single/naive_bayes_laplace1", "classifiers_single/knn_centroid_ltc"
	multinomial, bernoulli := tb.Multinomial(1), tb.Bernoulli(1)
	for i := range g.at(bayes).([]any) {
		at := fmt.Sprintf("%s/%d", bayes, i)
		row := g.row(at + "/counts")
		g.numbers(at+"/counts", row)
		g.scores(at+"/multinomial_log_joint", at+"/multinomial_pred", c.Classes, multinomial(row))
		g.scores(at+"/bernoulli_log_joint", at+"/bernoulli_pred", c.Classes, bernoulli(row))
	}
	rows := tb.Weights("ltc")
	for i := range g.at(knn).([]any) {
		at := fmt.Sprintf("%s/%d", knn, i)
		g.numbers(at+"/counts", g.row(at+"/counts"))
		row := tb.unitLTC(g.row(at + "/counts"))
		g.numbers(at+"/ltc_unit", row)
		nearest, _ := Nearest(rows, row, 3)
		for j, d := range nearest {
			g.number(fmt.Sprintf("%s/neighbours_k3/%d", at, j), float64(d))
		}
		g.scores(at+"/knn_scores", at+"/knn_pred", c.Classes, KNN(rows, tb.labels, len(tb.NC), 3)(row))
		g.scores(at+"/centroid_cosines", at+"/centroid_pred", c.Classes, Rocchio(rows, tb.labels, len(tb.NC))(row))
	}
}

// row reads a list of numbers.
func (g *golden) row(path string) (row []float64) {
	g.Helper()
	for _, v := range g.at(path).([]any) {
		x, err := parse(v)
		if err != nil {
			g.Fatal(err)
		}
		row = append(row, x)
	}
	return row
}

// scores checks the score of every class and the class with the highest.
func (g *golden) scores(path, predicted string, classes []string, scores []float64) {
	g.Helper()
	for k, class := range classes {
		g.number(join(path, class), scores[k])
	}
	g.equal(predicted, classes[slices.Index(scores, slices.Max(scores))])
}

// unitLTC weighs a document that the tables do not have.
func (tb *Tables) unitLTC(counts []float64) []float64 {
	row, sum := make([]float64, len(counts)), 0.
	for t, tf := range counts {
		if tf > 0 && tb.DF[t] > 0 {
			row[t] = weight("ltc", tf, tb.N, tb.DF[t])
			sum += row[t] * row[t]
		}
	}
	for t := range row {
		row[t] = div(row[t], math.Sqrt(sum))
	}
	return row
}

// evaluation checks the measures of predictions.
func (g *golden) evaluation() {
	classes := g.strings("categories")
	for _, part := range []string{"single", "multi"} {
		at := "evaluation/" + part
		gold, predicted := g.sets(at+"/gold", classes), g.sets(at+"/pred", classes)
		e := Evaluate(gold, predicted, len(classes))
		for c, class := range classes {
			g.number(at+"/per_class_f1/"+class, e.F1[c])
		}
		for key, v := range map[string]float64{
			"micro_p": e.MicroP, "micro_r": e.MicroR, "micro_f1": e.MicroF1, "macro_p": e.MacroP, "macro_r": e.MacroR,
			"macro_f1_mean_of_f1": e.MeanF1, "macro_f1_of_mean_pr": e.F1OfMeans,
		} {
			g.number(at+"/"+key, v)
		}
	}
}

// sets reads and strikes off a list of lists of classes.
func (g *golden) sets(path string, classes []string) (sets [][]int) {
	g.Helper()
	for i := range g.at(path).([]any) {
		at := fmt.Sprintf("%s/%d", path, i)
		names := g.strings(at)
		g.words(at, names)
		var set []int
		for _, name := range names {
			set = append(set, slices.Index(classes, name))
		}
		sets = append(sets, set)
	}
	return sets
}

// TestPublishedBayes is the worked example of naive Bayes in chapter 13 of Manning,
// Raghavan and Schuetze: Chinese Beijing Chinese; Chinese Chinese Shanghai; Chinese
// Macao; Tokyo Japan Chinese, the last not of China, then Chinese three times, Tokyo
// Japan.
func TestPublishedBayes(t *testing.T) {
	tb := Tabulate(Corpus{Terms: make([]string, 6), Classes: []string{"china", "other"}, Docs: []Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 2, 1: 1}},
		{Labels: []int{0}, Counts: map[int]float64{0: 2, 2: 1}},
		{Labels: []int{0}, Counts: map[int]float64{0: 1, 3: 1}},
		{Labels: []int{1}, Counts: map[int]float64{0: 1, 4: 1, 5: 1}},
	}})
	row := []float64{3, 0, 0, 0, 1, 1}
	for _, want := range []struct {
		name   string
		scores []float64
		joint  [2]float64
	}{
		{"multinomial", tb.Multinomial(1)(row), [2]float64{3.0121377997263045e-4, 1.3548070246744229e-4}},
		{"bernoulli", tb.Bernoulli(1)(row), [2]float64{0.0051840000000000000, 0.021947873799725652}},
	} {
		for c, joint := range want.joint {
			if got := math.Exp(want.scores[c]); !near(got, joint) {
				t.Errorf("%s: joint %v of class %d, want %v", want.name, got, c, joint)
			}
		}
	}
}
