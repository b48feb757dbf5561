package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// This file classifies behind Best Terms and behind filters. Every class is decided
// about by itself, by the same classifiers on the same rows, whatever chose its terms:
// "NAME CLASSIFIER METHOD SIZE" with micro, macro, train (seconds of CPU for all
// classes) and choose (the same, from documents that are counted to the terms of all
// classes: the counting of the classes, or the view by documents, is part of it).
const (
	workOfChoosing = "choosing the terms of all classes from the counted documents"
	workOfTraining = "training for all classes, the rows of each being cut out"
)

// timesChosen is how often terms are chosen; the least time counts.
const timesChosen = 3

// bestTerms classifies behind Best Terms, every class with its own terms and documents:
// "NAME CLASSIFIER FUNCTION P".
func (r *runner) bestTerms(ctx context.Context, s *Step, d division) {
	eachChoice(ctx, s, d, func(setting string, b *bestterms.Choice, viewed, chosen time.Duration) {
		selected, err := b.Selection()
		if errors.Is(err, selection.ErrNothingSelected) {
			return
		}
		lab.Check(err)
		set := newBinarySet(ctx, d, selected, s.Weight)
		r.solve(ctx, s, set, lab.Need(classify.ScopesOf(b, selected)), setting, viewed+chosen)
	})
}

// eachChoice chooses by each function and p of a step, "FUNCTION P", and tells the times of the view by
// documents and of choosing, the least ones.
func eachChoice(ctx context.Context, s *Step, d division, do func(setting string, b *bestterms.Choice, viewed, chosen time.Duration)) {
	var forward *bestterms.Forward
	viewed := lab.LeastCPU(timesChosen, func() { forward = lab.Need(bestterms.NewForward(ctx, d.train, 1)) })
	for _, text := range s.Functions {
		function, damping := cutDamping(text)
		for _, p := range s.P {
			var b *bestterms.Choice
			chosen := lab.LeastCPU(timesChosen, func() {
				b = lab.Need(forward.Choose(ctx, bestterms.Options{Function: function, P: p, Rule: s.Rule, RSD: damping, Threads: 1}))
			})
			do(text+" "+shareName(p), b, viewed, chosen)
		}
	}
}

func shareName(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

// solve keeps the figures of all classifiers.
func (r *runner) solve(ctx context.Context, s *Step, set *binarySet, scopes []classify.Scope, setting string, chosen time.Duration) {
	for _, l := range binaryLearners(s.C) {
		result, spent := set.solve(ctx, l, scopes)
		name := strings.Join([]string{s.Name, l.name, setting}, " ")
		r.classified(name, eachClass, result)
		r.took(name, "train", workOfTraining, spent)
		r.took(name, "choose", workOfChoosing, chosen)
	}
}

// local classifies behind local filters: every class has its own best terms by a
// measure, and all documents. "NAME CLASSIFIER MEASURE K".
func (r *runner) local(ctx context.Context, s *Step, d division) {
	r.filters(ctx, s, d, localRankings)
}

// global classifies behind global filters: the best terms by a measure are those of all
// classes. "NAME CLASSIFIER METHOD K".
func (r *runner) global(ctx context.Context, s *Step, d division) {
	r.filters(ctx, s, d, globalRankings)
}

// A ranker ranks the terms by a method, for each class.
type ranker func(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking

// localRankings counts the classes once, for all of them.
func localRankings(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking {
	counts := lab.Need(c.Statistics(ctx, corpus.CountOptions{Threads: 1}))
	method, damping := cutDamping(method)
	rankings := make([]*rank.Ranking, len(c.Classes()))
	for i, class := range c.Classes() {
		rankings[i] = lab.Need(rank.Class(ctx, counts, class, rank.Options{Measure: rank.Measure(method), RSD: damping, Threads: 1}))
	}
	return rankings
}

// globalRankings gives every class the one ranking that there is.
func globalRankings(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking {
	method, damping := cutDamping(method)
	o := scoring(method)
	o.RSD, o.Threads = damping, 1
	ranking := lab.Need(rank.Several(ctx, c, o))[0]
	return slices.Repeat([]*rank.Ranking{ranking}, len(c.Classes()))
}

// cutDamping cuts the constant of the relevancy score off the name of a filter: that of "rs;d=10" is
// 10, and that of "rs" 0, which stands for the usual one.
func cutDamping(method string) (name string, damping float64) {
	name, text, found := strings.Cut(method, ";d=")
	if found {
		damping = lab.Need(strconv.ParseFloat(text, 64))
	}
	return name, damping
}

// filters classifies behind filters; 0 terms are all.
func (r *runner) filters(ctx context.Context, s *Step, d division, rank ranker) {
	all := lab.Need(selection.Select(ctx, d.train, selection.Options{Keep: selection.Best(d.train.Terms())}))
	set := newBinarySet(ctx, d, all, s.Weight)
	for _, method := range s.Methods {
		for _, k := range s.Features {
			var scopes []classify.Scope
			chosen := lab.LeastCPU(timesChosen, func() { scopes = set.scopes(rank(ctx, d.train, method), k) })
			r.solve(ctx, s, set, scopes, method+" "+sizeName(k), chosen)
		}
	}
}
