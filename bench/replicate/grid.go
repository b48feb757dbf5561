package main

import (
	"context"
	"strings"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
)

// grid measures methods x features x classifiers: "NAME CLASSIFIER METHOD K" with micro
// and macro. Classes are decided about by themselves where documents have several.
func (r *runner) grid(ctx context.Context, s *Step, d division) error {
	g := evaluate.Grid{K: s.Features, Weight: s.Weight}
	for _, method := range s.Methods {
		o, err := scoring(method)
		if err != nil {
			return err
		}
		g.Methods = append(g.Methods, methods.Measure{Label: method, Options: o})
	}
	for _, text := range s.Classifiers {
		l, err := learner(text)
		if err != nil {
			return err
		}
		g.Classifiers = append(g.Classifiers, l)
	}
	out, err := evaluate.Run(ctx, d.train, d.test, g, nil)
	if err != nil {
		return err
	}
	decisions := mostLikely
	if out.Sets {
		decisions = eachClass
	}
	for _, p := range out.Points {
		r.classified(strings.Join([]string{s.Name, p.Classifier, p.Method, sizeName(p.K)}, " "), decisions, p.Result)
	}
	return nil
}

// learner reads "svm = svm:loss=l1", or what names itself.
func learner(text string) (classify.Learner, error) {
	name, options, named := strings.Cut(text, " = ")
	if !named {
		options = name
	}
	l, err := classify.ParseLearner(options)
	l.Name = strings.TrimSpace(name)
	return l, err
}
