package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// This file classifies behind Best Terms and behind filters. Every class is decided about by itself, by the same
// classifiers on the same rows, whatever chose its terms: "NAME CLASSIFIER METHOD SIZE" with micro, macro, train
// (seconds of CPU for all classes, the rows of each being cut out) and choose (the same, from the counted documents to
// the terms of all classes: the counting of the classes, or the view by documents, is part of it).

// timesChosen is how often terms are chosen; the least time counts.
const timesChosen = 3

// A scoped solves the problem of each class on its own terms.
type scoped struct {
	weight string  // of the rows; "" is ones
	c      float64 // of the SVM; 0 is SVMlight's, one over the mean square length of a problem's rows
}

// behindBestTerms classifies behind Best Terms, every class with its own terms and documents: "NAME CLASSIFIER FUNCTION
// P".
func (s scoped) behindBestTerms(functions string, p []float64, rule string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		eachChoice(ctx, d, functions, p, rule, func(setting string, b *bestterms.Choice, _, chosen time.Duration) {
			selected, err := b.Selection()
			if errors.Is(err, selection.ErrNothingSelected) {
				return
			}
			testkit.OK(err)
			set := newBinarySet(ctx, d, selected, s.weight)
			s.solve(ctx, m, set, testkit.Must(learn.ScopesOf(b, selected)), name, setting, chosen)
		})
	}
}

// eachChoice chooses by each function and p, "FUNCTION P", and tells the times of the view by documents and of
// choosing, to which it belongs, the least ones.
func eachChoice(ctx context.Context, d division, functions string, ps []float64, rule string, do func(setting string, b *bestterms.Choice, viewed, chosen time.Duration)) {
	lists := testkit.Must(corpus.Lists(ctx, d.train))
	viewed := leastCPU(timesChosen, func() { testkit.Must(lists.Forward(ctx)) })
	for text := range strings.FieldsSeq(functions) {
		function, damping := cutDamping(text)
		for _, p := range ps {
			var b *bestterms.Choice
			chosen := leastCPU(timesChosen, func() {
				o := bestterms.Options{Function: function, P: p, Rule: rule, RSD: damping, Threads: 1}
				b = testkit.Must(bestterms.Choose(ctx, d.train, o))
			})
			do(text+" "+shareName(p), b, viewed, chosen)
		}
	}
}

func shareName(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

// cutDamping cuts the constant of the relevancy score off the name of a filter: that of "rs;d=10" is 10, and that of
// "rs" 0, which stands for the usual one.
func cutDamping(method string) (name string, damping float64) {
	name, text, found := strings.Cut(method, ";d=")
	if found {
		damping = testkit.Must(strconv.ParseFloat(text, 64))
	}
	return name, damping
}

// A filter ranks the terms for each class by a measure.
type filter func(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking

// localRankings ranks by local filters, where every class has its own best terms by a measure. It counts the classes
// once, for all of them.
func localRankings(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking {
	counts := testkit.Must(c.Statistics(ctx, corpus.CountOptions{Threads: 1}))
	method, damping := cutDamping(method)
	rankings := make([]*rank.Ranking, len(c.Classes()))
	for i, class := range c.Classes() {
		rankings[i] = testkit.Must(rank.Class(ctx, counts, class, rank.Options{Measure: rank.Measure(method), RSD: damping, Threads: 1}))
	}
	return rankings
}

// globalRankings gives every class the one ranking that there is of a global filter.
func globalRankings(ctx context.Context, c *corpus.Corpus, method string) []*rank.Ranking {
	method, damping := cutDamping(method)
	o := scoring(method)
	o.RSD, o.Threads = damping, 1
	return slices.Repeat(testkit.Must(rank.Several(ctx, c, o)), len(c.Classes()))
}

// behind classifies behind filters, which rank the terms for each class, and all documents: "NAME CLASSIFIER METHOD K".
// 0 terms are all.
func (s scoped) behind(filter filter, by string, features ...int) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		all := testkit.Must(selection.Select(ctx, d.train, selection.Options{Keep: selection.Best(d.train.Terms())}))
		set := newBinarySet(ctx, d, all, s.weight)
		for method := range strings.FieldsSeq(by) {
			for _, k := range features {
				var scopes []learn.Scope
				chosen := leastCPU(timesChosen, func() { scopes = set.scopes(filter(ctx, d.train, method), k) })
				s.solve(ctx, m, set, scopes, name, method+" "+sizeName(k), chosen)
			}
		}
	}
}

// A binarySet has the documents of a division as rows over some terms.
type binarySet struct {
	train, test *learn.Matrix
	column      map[string]uint32 // of a term
}

func newBinarySet(ctx context.Context, d division, s *selection.Selection, weight string) *binarySet {
	rows := func(from *corpus.Corpus) *learn.Matrix {
		t := testkit.Must(vectors.New(s, table.Weighting(cmp.Or(weight, "binary"))))
		return testkit.Must(learn.Collect(t.Corpus(ctx, from), len(s.Features), s.Classes))
	}
	b := &binarySet{rows(d.train), rows(d.test), make(map[string]uint32, len(s.Features))}
	for i, f := range s.Features {
		b.column[f.Term] = uint32(i)
	}
	return b
}

// scopes gives every class the best terms of its ranking, all for 0, and all documents. Classes of one ranking share
// the work.
func (b *binarySet) scopes(rankings []*rank.Ranking, k int) []learn.Scope {
	scopes := make([]learn.Scope, len(rankings))
	for i, ranking := range rankings {
		scopes[i].Class = uint32(i)
		if i > 0 && ranking == rankings[i-1] {
			scopes[i].Columns = scopes[i-1].Columns
			continue
		}
		for e := range ranking.Best(cmp.Or(k, ranking.Len())) {
			scopes[i].Columns = append(scopes[i].Columns, b.column[e.Term])
		}
		slices.Sort(scopes[i].Columns)
	}
	return scopes
}

// solve trains and tests all classes with Bernoulli naive Bayes and a linear SVM, one after the other: else the time of
// one would be that of others, too.
func (s scoped) solve(ctx context.Context, m *measuring, set *binarySet, scopes []learn.Scope, name, setting string, chosen time.Duration) {
	for _, kind := range []string{"nb", "svm"} {
		var spent time.Duration
		model := testkit.Must(learn.TrainScoped(ctx, set.train, scopes, 1, func(ctx context.Context, rows *learn.Matrix) (learn.Model, error) {
			start := pool.CPU()
			defer func() { spent += pool.CPU() - start }()
			if kind == "nb" {
				return learn.Learner{Kind: "bernoulli"}.Train(ctx, rows, learn.TrainOptions{Sets: true, Threads: 1})
			}
			l := learn.Learner{Kind: "svm", SVM: learn.SVMOptions{Loss: learn.L1Loss, C: s.c, SVMlightC: s.c == 0, Bias: 1, Eps: .01}}
			return l.Train(ctx, rows, learn.TrainOptions{Threads: 1})
		}))
		said := testkit.Must(learn.Predict(ctx, model, set.test, learn.PredictOptions{Sets: true, Threads: 1}))
		of := name + " " + kind + " " + setting
		m.told(of, set.test, func(i int) []int { return ints(said.Sets[i]) })
		m.figures.set(spent.Seconds(), of, "train")
		m.figures.set(chosen.Seconds(), of, "choose")
	}
}

func ints(list []uint32) (out []int) {
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}

// leaves tells what Best Terms leaves: "NAME FUNCTION P FIGURE", and "NAME A B P FIGURE" of pairs of functions.
func leaves(functions string, ps []float64, rule string, pairs ...string) step {
	return func(ctx context.Context, m *measuring, name string, d division) {
		info := testkit.Must(d.train.Info(ctx))
		members := 0
		for _, n := range info.ClassSizes {
			members += n
		}
		m.figures.set(float64(members), name, "members train")
		m.figures.set(float64(info.Postings), name, "postings train")
		choices := map[string]*bestterms.Choice{}
		eachChoice(ctx, d, functions, ps, rule, func(setting string, b *bestterms.Choice, viewed, chosen time.Duration) {
			choices[setting] = b
			m.left(name+" "+setting, d, b)
			m.figures.set(milliseconds(viewed), name, "view train")
			m.figures.set(milliseconds(chosen), name, setting, "time")
		})
		for _, p := range ps {
			for _, pair := range pairs {
				a, b, _ := strings.Cut(pair, " ")
				m.pair(name+" "+pair+" "+shareName(p), choices[a+" "+shareName(p)], choices[b+" "+shareName(p)])
			}
		}
	}
}

// left tells the documents that a choice keeps (of all, and those of their class), its terms for a class in the mean,
// the classes without a positive one, and how terms go with the size of a class.
func (m *measuring) left(name string, d division, c *bestterms.Choice) {
	var kept, own, positive, negative, without int
	var ratio float64
	var sizes, terms []float64
	classes := float64(len(c.Classes))
	for i, x := range c.Classes {
		kept += x.KeptDocuments
		for _, doc := range x.Kept.ToArray() {
			for _, l := range d.train.Labels(int(doc)) {
				if int(l) == i {
					own++
				}
			}
		}
		ratio += float64(x.KeptDocuments) / float64(x.Documents) / classes
		positive += len(x.Positive)
		negative += len(x.Negative)
		if len(x.Positive) == 0 {
			without++
		}
		sizes, terms = append(sizes, float64(x.Documents)), append(terms, float64(len(x.Positive)+len(x.Negative)))
	}
	m.figures.set(float64(kept), name, "kept")
	m.figures.set(float64(own), name, "own")
	m.figures.set(ratio, name, "ratio")
	m.figures.set(float64(positive)/classes, name, "positive")
	m.figures.set(float64(negative)/classes, name, "negative")
	m.figures.set(float64(positive+negative)/classes, name, "both")
	m.figures.set(float64(without), name, "without")
	m.figures.set(spearman(sizes, terms), name, "growth")
	m.figures.set(float64(c.Entries), name, "visited")
}

// pair tells how many classes have the same terms and documents by two choices, and the mean Jaccard index of a class's
// terms.
func (m *measuring) pair(name string, a, b *bestterms.Choice) {
	identical, jaccard := 0, 0.0
	for i, x := range a.Classes {
		y := b.Classes[i]
		plus, eitherPlus := overlapOf(x.Positive, y.Positive)
		minus, eitherMinus := overlapOf(x.Negative, y.Negative)
		if plus == eitherPlus && minus == eitherMinus && x.Kept.Equals(y.Kept) {
			identical++
		}
		index := 1.0 // of two empty sets, which are equal
		if eitherPlus+eitherMinus > 0 {
			index = float64(plus+minus) / float64(eitherPlus+eitherMinus)
		}
		jaccard += index / float64(len(a.Classes))
	}
	m.figures.set(float64(identical), name, "identical")
	m.figures.set(jaccard, name, "jaccard")
}

// overlapOf returns the sizes of the intersection and the union.
func overlapOf(a, b []bestterms.Term) (both, either int) {
	in := make(map[string]bool, len(a))
	for _, t := range a {
		in[t.Term] = true
	}
	for _, t := range b {
		if in[t.Term] {
			both++
		}
	}
	return both, len(a) + len(b) - both
}
