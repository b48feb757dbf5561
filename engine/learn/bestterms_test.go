package learn_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// Best Terms with its document filter and Bernoulli naive Bayes, by the reference from
// the counts to F1: for each class the terms, the documents that are left, a model of
// these, and its decisions on the test documents with a positive term.
func TestBestTermsAgainstNaive(t *testing.T) {
	compared, several, assigned := 0, 0, 0
	settings := []struct {
		method bestterms.Options
		naive  naive.BestTermsOptions
	}{
		{bestterms.Options{}, naive.BestTermsOptions{Function: "chi"}},
		{bestterms.Options{Function: "ig", P: .25, Rule: bestterms.RuleMax}, naive.BestTermsOptions{Function: "ig", P: .25, Max: true}},
		{bestterms.Options{Function: "or", P: .5, Scope: bestterms.ScopeAll}, naive.BestTermsOptions{Function: "or", P: .5, All: true}},
	}
	eachDivided(t, 24, func(t *testing.T, c naive.Corpus, split learn.Split, train, test *corpus.Corpus) {
		for _, s := range settings {
			g := learn.Grid{Methods: []selection.Method{methods.BestTerms{Options: s.method}}, K: []int{1, 2}, Classifiers: learners("bernoulli")}
			o, err := learn.Run(t.Context(), train, test, g, nil)
			if errors.Is(err, selection.ErrNothingSelected) {
				continue
			}
			testkit.OK(err)
			if !o.Sets {
				continue // the class with the highest score is another rule
			}
			several++
			if len(o.Points) != 1 || g.Points() != 1 || o.Points[0].K != 0 {
				t.Fatalf("%d points, %d announced: there is no k", len(o.Points), g.Points())
			}
			part := trainPart(c, split, train)
			binary, reference := naive.BinaryOf(part), s.naive
			predicted := make([][]int, len(split.Test))
			even := false // odds of 1, which rounding decides about
			for k := range part.Classes {
				in, undecided := deciding(part, binary.BestTerms(k, reference), k, c, split.Test)
				for _, d := range in {
					predicted[d] = append(predicted[d], k)
					assigned++
				}
				even = even || undecided
			}
			if even {
				continue
			}
			gold := make([][]int, len(split.Test))
			for i, d := range split.Test {
				for _, l := range c.Docs[d].Labels {
					k := slices.Index(part.Classes, c.Classes[l])
					if k < 0 {
						k = len(part.Classes)
					}
					gold[i] = append(gold[i], k)
				}
			}
			compared++
			agrees(t, o.Points[0].Result, naive.Evaluate(gold, predicted, len(part.Classes)+1), len(part.Classes))
		}
	})
	if compared < shortened(100) || assigned < 10*compared {
		t.Errorf("only %d runs of %d were compared, %d decisions for a class", compared, several, assigned)
	}
}

// trainPart is the training part of a corpus, with the classes that the engine has.
func trainPart(c naive.Corpus, split learn.Split, train *corpus.Corpus) naive.Corpus {
	part := naive.Corpus{Terms: c.Terms, Classes: train.Classes()}
	for _, d := range split.Train {
		doc := naive.Doc{Counts: c.Docs[d].Counts}
		for _, l := range c.Docs[d].Labels {
			doc.Labels = append(doc.Labels, slices.Index(part.Classes, c.Classes[l]))
		}
		part.Docs = append(part.Docs, doc)
	}
	return part
}

// deciding gives the places of the test documents that are decided to be in a class, and
// whether the odds of one are even.
func deciding(part naive.Corpus, b naive.BestTerms, class int, all naive.Corpus, test []int) (in []int, even bool) {
	if len(b.Positive) == 0 {
		return nil, false
	}
	terms := slices.Concat(b.Positive, b.Negative)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	row := func(counts map[int]float64) map[int]float64 {
		own := map[int]float64{}
		for i, t := range terms {
			if counts[t] > 0 {
				own[i] = 1
			}
		}
		return own
	}
	reduced := naive.Corpus{Terms: make([]string, len(terms)), Classes: []string{"in", "out"}}
	for _, d := range b.Kept {
		doc := naive.Doc{Labels: []int{1}, Counts: row(part.Docs[d].Counts)}
		if slices.Contains(part.Docs[d].Labels, class) {
			doc.Labels[0] = 0
		}
		reduced.Docs = append(reduced.Docs, doc)
	}
	odds := naive.Tabulate(reduced).BernoulliRest(1)
	for i, d := range test {
		counts := all.Docs[d].Counts
		if !slices.ContainsFunc(b.Positive, func(t int) bool { return counts[t] > 0 }) {
			continue
		}
		dense := make([]float64, len(terms))
		for t, v := range row(counts) {
			dense[t] = v
		}
		score := odds(dense)[0]
		if score > 0 {
			in = append(in, i)
		}
		even = even || math.Abs(score) < 1e-9
	}
	return in, even
}

// One run has Best Terms beside measures, the same for any number of threads.
func TestBestTermsInAGrid(t *testing.T) {
	var all []selection.Method
	for _, text := range []string{"chi", "best-terms:function=ig,p=0.25,rule=max,scope=all,counts=reduced", "ttest:avg", "best-terms"} {
		all = append(all, testkit.Must(methods.Parse(text, methods.Options{Scoring: rank.Options{RSD: .5}})))
	}
	g := learn.Grid{Methods: all, K: []int{2, 0}, Classifiers: learners("svm,nb,knn:k=2,bernoulli,centroid"), Seed: 1}
	testkit.Equal(t, g.Points(), 5*(2+1+2+1))
	runs := 0
	eachDivided(t, 1, func(t *testing.T, _ naive.Corpus, _ learn.Split, train, test *corpus.Corpus) {
		var outcomes [3]*learn.Outcome
		for i := range outcomes {
			g.Threads = i + 1
			o, err := learn.Run(t.Context(), train, test, g, nil)
			if errors.Is(err, selection.ErrNothingSelected) {
				return
			}
			testkit.OK(err)
			testkit.Equal(testkit.Stop(t), len(o.Points), g.Points())
			o.Times = learn.Times{}
			for j := range o.Points {
				o.Points[j].Times = learn.Times{}
			}
			outcomes[i] = o
		}
		testkit.Same(t, outcomes[0], outcomes[1], "threads change the outcome")
		testkit.Same(t, outcomes[0], outcomes[2], "threads change the outcome")
		runs++
	})
	if runs < 5 {
		t.Errorf("%d runs", runs)
	}
}
