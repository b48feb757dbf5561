package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// scoring reads a method: a measure with its combination and weighting, "ttest:avg" or "ocfs@tfidf".
func scoring(method string) rank.Options {
	name, weight, _ := strings.Cut(method, "@")
	o := testkit.Must(methods.ParseMeasure(name, rank.Options{Weight: table.Weighting(weight)}))
	testkit.OK(o.Validate())
	return o
}

// sizeName names a number of terms; 0 is all.
func sizeName(k int) string {
	if k == 0 {
		return "all"
	}
	return strconv.Itoa(k)
}

// classified keeps the figures of a classification.
func (m *measuring) classified(name string, result *learn.Result) {
	m.figures.set(100*result.Micro.F1(), name, "micro")
	m.figures.set(100*result.MacroF1, name, "macro")
}

// leastCPU is the least CPU time of some runs.
func leastCPU(runs int, run func()) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range runs {
		start := pool.CPU()
		run()
		least = min(least, pool.CPU()-start)
	}
	return least
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// grid measures methods x features x classifiers: "NAME CLASSIFIER METHOD K" with micro and macro. Classes are decided
// about by themselves where documents have several.
func grid(weight, by string, features []int, classifiers ...string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		g := learn.Grid{K: features, Weight: weight}
		for method := range strings.FieldsSeq(by) {
			g.Methods = append(g.Methods, methods.Measure{Label: method, Options: scoring(method)})
		}
		for _, text := range classifiers {
			g.Classifiers = append(g.Classifiers, learner(text))
		}
		for _, p := range testkit.Must(learn.Run(ctx, d.train, d.test, g, nil)).Points {
			m.classified(strings.Join([]string{name, p.Classifier, p.Method, sizeName(p.K)}, " "), p.Result)
		}
	}
}

// learner reads "svm = svm:loss=l1", or what names itself.
func learner(text string) learn.Learner {
	name, options, named := strings.Cut(text, " = ")
	if !named {
		options = name
	}
	l := testkit.Must(learn.ParseLearner(options))
	l.Name = name
	return l
}

// The classifiers of the papers.
const (
	knn      = "knn = knn:k=10"
	svm      = "svm = svm:loss=l1,bias=1"
	centroid = "centroid"
)

// ranking finds the places of some terms by each method: "NAME rank METHOD TERM" is the rank among all terms, "NAME
// order METHOD TERM" that among those asked for. A method with the combination class ranks by the values for a class.
func ranking(by, class, terms string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		for method := range strings.FieldsSeq(by) {
			o := scoring(method)
			var r *rank.Ranking
			if o.Combine == "class" {
				r = testkit.Must(rank.Class(ctx, d.train, class, o))
			} else {
				r = testkit.Must(rank.Several(ctx, d.train, o))[0]
			}
			m.places(name, method, terms, r)
			var best []string
			for e := range r.Best(10) {
				best = append(best, e.Term)
			}
			m.Lists[name+" best 10 by "+method] = strings.Join(best, " ")
		}
	}
}

// places gives the ranks of terms. Those that no training document has come behind all others.
func (m *measuring) places(name, method, terms string, r *rank.Ranking) {
	order, missing := 0, strings.Fields(terms)
	place := func(term string, rank int) {
		order++
		m.figures.set(float64(rank), name, "rank", method, term)
		m.figures.set(float64(order), name, "order", method, term)
	}
	for e := range r.Best(r.Len()) {
		if i := slices.Index(missing, e.Term); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
			place(e.Term, e.Rank)
		}
	}
	for _, term := range missing {
		place(term, r.Len()+1)
	}
}

// mostListed bounds the methods whose own terms are listed: three make six lists.
const mostListed = 3

// overlap counts the terms that every two methods share among their best: "NAME shared A B K". It lists those that one
// of two has alone at the smallest number, where there are few methods, and finds the places of some terms.
func overlap(by string, features []int, terms string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		of := strings.Fields(by)
		scorings := make([]rank.Options, len(of))
		for i, method := range of {
			scorings[i] = scoring(method)
		}
		rankings := testkit.Must(rank.Several(ctx, d.train, scorings...))
		c := testkit.Must(compare.Rankings(ctx, compare.Options{K: features, OverlapsOnly: true}, rankings...))
		for _, pair := range c.Pairs {
			for _, at := range pair.At {
				m.figures.set(float64(at.Shared), name, "shared", of[pair.A], of[pair.B], sizeName(at.K))
			}
			for _, side := range [][2]int{{pair.A, pair.B}, {pair.B, pair.A}} {
				if len(of) > mostListed {
					break
				}
				var own []string
				for _, t := range c.Only(c.K[0], side[0], side[1]) {
					own = append(own, t.Term)
				}
				m.Lists[fmt.Sprintf("%s best %d by %s, not %s", name, c.K[0], of[side[0]], of[side[1]])] = strings.Join(own, " ")
			}
		}
		for i, method := range of {
			m.places(name, method, terms, rankings[i])
		}
	}
}

// times measures the CPU time of ranking all terms by each method, on one thread, the least of five runs: "NAME
// counting METHOD" with the counting of the terms, "NAME scoring METHOD" from counts that are there. Milliseconds.
func times(by string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		for method := range strings.FieldsSeq(by) {
			o := scoring(method)
			o.Threads = 1
			counts := testkit.Must(d.train.Statistics(ctx, corpus.CountOptions{Weight: o.Weight, Threads: 1}))
			m.figures.set(milliseconds(leastCPU(5, func() { testkit.Must(rank.Several(ctx, d.train, o)) })), name, "counting", method)
			m.figures.set(milliseconds(leastCPU(5, func() { testkit.Must(rank.Terms(ctx, counts, o)) })), name, "scoring", method)
		}
	}
}
