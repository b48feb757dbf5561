package evaluate

import (
	"context"
	"fmt"
	"time"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/methods"
)

const (
	weightCluster = "cluster" // the Weight of points on cluster vectors
	learnerRule   = "rule"    // the Classifier of points that need no training
)

func kOrAll(k int) string {
	if k == 0 {
		return "all"
	}
	return fmt.Sprint(k)
}

// projection measures the points of the projection of k terms: that of the rule, and those of
// the classifiers on cluster vectors, which have one column for each class.
func (r *runner) projection(ctx context.Context, m methods.Projection, k int) error {
	r.reportStep(fmt.Sprintf("project %s terms", kOrAll(k)))
	point := Point{Method: m.Name(), Weight: weightCluster, K: k}
	start := time.Now()
	p, err := m.Project(ctx, r.train, k)
	if err != nil {
		return err
	}
	point.Times.Select = time.Since(start)
	point.Features = len(p.Terms)
	r.notes.addOnce(p.Warnings...)
	if k > len(p.Terms) {
		r.notes.addOnce(fmt.Sprintf("%s: k = %d is more than the %d terms that indicate a class: all of them are kept", m.Name(), k, len(p.Terms)))
	}
	var x matrices
	var rule *classify.Predictions
	err = step(&point.Times.Transform, func() (err error) {
		if x.train, _, err = classify.CollectClusters(ctx, p, r.train); err == nil {
			x.test, rule, err = classify.CollectClusters(ctx, p, r.test)
		}
		return err
	})
	if err == nil {
		err = r.projected(ctx, point, x, rule)
	}
	if err != nil {
		return fmt.Errorf("%d terms: %w", len(p.Terms), err)
	}
	return nil
}

// projected measures and adds the points of a projection: that of its rule, and one for
// each classifier.
func (r *runner) projected(ctx context.Context, point Point, x matrices, rule *classify.Predictions) error {
	r.out.Times.addTimes(point.Times)
	point.EmptyTrain, point.EmptyTest = empty(x.train), empty(x.test)
	point.Classifier = learnerRule
	if err := r.add(point, rule); err != nil {
		return err
	}
	for _, l := range r.grid.Classifiers {
		point.Classifier = l.String()
		if err := r.measurePoint(ctx, l, x, point); err != nil {
			return fmt.Errorf("%s: %w", l, err)
		}
	}
	return nil
}
