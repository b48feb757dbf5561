package main

import (
	"context"
	"iter"
	"strings"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/vectors"
)

// projection classifies by term projection: "NAME rule T" by the largest weight, with
// micro, train and predict (seconds of CPU) and terms (that were projected), and "NAME
// svm T" by a linear SVM on the vectors over the classes (see svm). T is the number of
// terms to project.
func (r *runner) projection(ctx context.Context, s *Step, d division) {
	for _, k := range s.Features {
		o := s.Projecting
		o.K = k
		r.byRule(ctx, s.Name+" rule "+sizeName(k), d, o)
		o.Unit = true
		r.projectionSVM(ctx, s.Name+" svm "+sizeName(k), d, o)
	}
}

// workOfTesting begins and ends at the same places for all, whatever a way does in between.
const workOfTesting = "from the counted test documents to their classes"

// byRule predicts the class with the largest weight.
func (r *runner) byRule(ctx context.Context, name string, d division, o projection.Options) {
	start := lab.CPU()
	p := lab.Need(projection.Project(ctx, d.train, o))
	trained := lab.CPU() - start
	start = lab.CPU()
	var score projection.RuleScore
	for v, err := range p.Corpus(ctx, d.test) {
		lab.Check(err)
		score.Add(v)
	}
	r.took(name, "train", "projecting the terms", trained)
	r.took(name, "predict", workOfTesting, lab.CPU()-start)
	r.figures.set(Basis{Unit: unitMicro, Decisions: mostLikely, Scope: r.scope}, 100*score.MicroF1(), name, "micro")
	r.figures.set(Basis{Unit: "terms"}, float64(len(p.Terms)), name, "terms")
}

func (r *runner) projectionSVM(ctx context.Context, name string, d division, o projection.Options) {
	var p *projection.Projection
	r.svm(ctx, name, d, func() { p = lab.Need(projection.Project(ctx, d.train, o)) }, func(c *corpus.Corpus) *classify.Matrix {
		return lab.Need(classify.Collect(rowsOf(p.Corpus(ctx, c)), len(p.Classes), p.Classes))
	})
}

// svm trains a linear SVM on the rows of the training part, which rows makes of what
// choose has chosen, and tests it on those of the test part: micro and macro, and train
// and predict, the seconds of CPU from documents that are counted to a model and from
// there to classes. Whatever rows are made of, the work has the same beginning and end.
func (r *runner) svm(ctx context.Context, name string, d division, choose func(), rows func(c *corpus.Corpus) *classify.Matrix) {
	start := lab.CPU()
	choose()
	m := rows(d.train)
	model := lab.Need(classify.Learner{Kind: "svm", SVM: classify.SVMOptions{Loss: classify.L1Loss, Bias: 1}}.Train(ctx, m, classify.TrainOptions{}))
	trained := lab.CPU() - start
	start = lab.CPU()
	m = rows(d.test)
	predictions := lab.Need(classify.Predict(ctx, model, m, classify.PredictOptions{}))
	r.took(name, "train", "choosing the terms, the rows of the training documents and training", trained)
	r.took(name, "predict", workOfTesting, lab.CPU()-start)
	right, predicted := make([]int, m.Rows()), make([]int, m.Rows())
	for i := range right {
		right[i], predicted[i] = -1, int(predictions.Best[i])
		if labels := m.Labels(i); len(labels) > 0 {
			right[i] = int(labels[0])
		}
	}
	result := lab.Need(evaluate.Single(m.Classes, right, predicted))
	r.classified(name, mostLikely, result)
}

func rowsOf(rows iter.Seq2[projection.Vector, error]) iter.Seq2[vectors.Row, error] {
	return func(yield func(vectors.Row, error) bool) {
		for v, err := range rows {
			if !yield(v.Row, err) {
				return
			}
		}
	}
}

// grid measures methods x features x classifiers: "NAME CLASSIFIER METHOD K" with micro
// and macro. Classes are decided about by themselves where documents have several.
func (r *runner) grid(ctx context.Context, s *Step, d division) {
	g := evaluate.Grid{K: s.Features, Weight: s.Weight}
	for _, method := range s.Methods {
		g.Methods = append(g.Methods, methods.Measure{Label: method, Options: scoring(method)})
	}
	for _, text := range s.Classifiers {
		g.Classifiers = append(g.Classifiers, learner(text))
	}
	out := lab.Need(evaluate.Run(ctx, d.train, d.test, g, nil))
	decisions := mostLikely
	if out.Sets {
		decisions = eachClass
	}
	for _, p := range out.Points {
		r.classified(strings.Join([]string{s.Name, p.Classifier, p.Method, sizeName(p.K)}, " "), decisions, p.Result)
	}
}

// learner reads "svm = svm:loss=l1", or what names itself.
func learner(text string) classify.Learner {
	name, options, named := strings.Cut(text, " = ")
	if !named {
		options = name
	}
	l := lab.Need(classify.ParseLearner(options))
	l.Name = strings.TrimSpace(name)
	return l
}
