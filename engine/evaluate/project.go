package evaluate

import (
	"context"
	"fmt"
	"iter"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
)

const (
	weightCluster = "cluster" // of the weights of its rows
	learnerRule   = "rule"    // of the classifier that needs no training
)

// projections measures the points of term projection: for every k the rule, and the
// classifiers on cluster vectors, which have as many columns as there are classes.
func (r *runner) projections(ctx context.Context, m Method) error {
	for _, k := range r.grid.K {
		r.tell(fmt.Sprintf("project %s terms", kOrAll(k)))
		o := *m.Project
		o.K, o.Threads = k, r.grid.Threads
		var t Times
		var p *engine.Projection
		err := step(&t.Select, func() (err error) {
			p, err = r.train.Project(ctx, o)
			return err
		})
		if err != nil {
			return err
		}
		r.notes.add(p.Warnings...)
		if k > len(p.Terms) {
			r.notes.add(fmt.Sprintf("%s: k = %d is more than the %d terms that indicate a class: all of them are kept", m, k, len(p.Terms)))
		}
		if err := r.projected(ctx, m, k, p, t); err != nil {
			return fmt.Errorf("%d terms: %w", len(p.Terms), err)
		}
	}
	return nil
}

func kOrAll(k int) string {
	if k == 0 {
		return "all"
	}
	return fmt.Sprint(k)
}

// projected measures the points of a projection.
func (r *runner) projected(ctx context.Context, m Method, k int, p *engine.Projection, t Times) error {
	var x matrices
	var rule classify.Predictions
	err := step(&x.took, func() (err error) {
		if x.train, err = classify.Collect(clusterRows(p.Corpus(ctx, r.train), nil), len(p.Classes), p.Classes); err == nil {
			x.test, err = classify.Collect(clusterRows(p.Corpus(ctx, r.test), &rule), len(p.Classes), p.Classes)
		}
		return err
	})
	if err != nil {
		return err
	}
	t.Transform = x.took
	r.out.Times.add(t)
	point := Point{
		Method: m.String(), Classifier: learnerRule, Weight: weightCluster, K: k, Features: len(p.Terms),
		EmptyTrain: empty(x.train), EmptyTest: empty(x.test), Times: t,
	}
	byRule := point
	if byRule.Result, err = r.right.compare(r.out.Classes, &rule); err != nil {
		return err
	}
	if !r.grid.Confusion {
		byRule.Result.Confusion = nil
	}
	r.out.Points = append(r.out.Points, byRule)
	for _, l := range r.grid.Classifiers {
		trained := point
		trained.Classifier = l.String()
		if err := r.point(ctx, l, x, &trained); err != nil {
			return fmt.Errorf("%s: %w", l, err)
		}
		r.out.Points = append(r.out.Points, trained)
	}
	return nil
}

// clusterRows gives the rows of cluster vectors, and notes what the rule says of them.
func clusterRows(vectors iter.Seq2[engine.ClusterVector, error], rule *classify.Predictions) iter.Seq2[engine.Row, error] {
	return func(yield func(engine.Row, error) bool) {
		for v, err := range vectors {
			if rule != nil && err == nil {
				rule.Best = append(rule.Best, uint32(v.Predicted))
				rule.SetStart = append(rule.SetStart, len(rule.SetOf))
				rule.SetOf = append(rule.SetOf, uint32(v.Predicted))
			}
			if !yield(v.Row, err) {
				break
			}
		}
		if rule != nil {
			rule.SetStart = append(rule.SetStart, len(rule.SetOf))
		}
	}
}
