package main

import (
	"context"
	"strings"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
)

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
