package papers

import (
	"context"
	"iter"
	"time"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
)

// projection classifies by term projection: "NAME rule T" by the largest weight and "NAME
// svm T" by a linear SVM on the vectors over the classes, with micro (F1 in percent),
// train and predict (seconds on the clock, projecting and the vectors included) and terms
// (that were projected). T is the number of terms to project.
func (r *runner) projection(ctx context.Context, s *Step, d division) error {
	if d.test == nil {
		return errNoTest
	}
	for _, k := range s.Features {
		r.opt.Progress(s.Name + ": " + sizeName(k))
		o := s.Projecting
		o.K, o.Threads = k, r.opt.Threads
		start := time.Now()
		p, err := d.train.Project(ctx, o)
		if err != nil {
			return err
		}
		trained := time.Since(start)
		start = time.Now()
		var score engine.RuleScore
		for v, err := range p.Corpus(ctx, d.test) {
			if err != nil {
				return err
			}
			score.Add(v)
		}
		r.classified(s.Name+" rule "+sizeName(k), score.MicroF1(), trained, time.Since(start))
		r.figures.set(float64(len(p.Terms)), s.Name, "rule", sizeName(k), "terms")
		o.Unit = true
		if err := r.projectionSVM(ctx, s.Name+" svm "+sizeName(k), d, o); err != nil {
			return err
		}
	}
	return nil
}

// classified keeps the figures of a classification.
func (r *runner) classified(name string, f1 float64, train, predict time.Duration) {
	r.figures.set(100*f1, name, "micro")
	r.figures.set(train.Seconds(), name, "train")
	r.figures.set(predict.Seconds(), name, "predict")
}

func (r *runner) projectionSVM(ctx context.Context, name string, d division, o engine.Projecting) error {
	start := time.Now()
	p, err := d.train.Project(ctx, o)
	if err != nil {
		return err
	}
	vectors := func(c *engine.Corpus) (*classify.Matrix, error) {
		return classify.Collect(rowsOf(p.Corpus(ctx, c)), len(p.Classes), p.Classes)
	}
	return r.svm(ctx, name, start, func() (*classify.Matrix, error) { return vectors(d.train) }, func() (*classify.Matrix, error) { return vectors(d.test) })
}

// svm trains a linear SVM on rows and tests it on others, each made when they are wanted.
func (r *runner) svm(ctx context.Context, name string, start time.Time, train, test func() (*classify.Matrix, error)) error {
	m, err := train()
	if err != nil {
		return err
	}
	model, err := classify.TrainSVM(ctx, m, classify.SVMOptions{Loss: classify.L1Loss, Bias: 1, Threads: r.opt.Threads})
	if err != nil {
		return err
	}
	trained := time.Since(start)
	start = time.Now()
	if m, err = test(); err != nil {
		return err
	}
	predictions, err := classify.Predict(ctx, model, m, classify.PredictOptions{Threads: r.opt.Threads})
	if err != nil {
		return err
	}
	right, predicted := make([]int, m.Rows()), make([]int, m.Rows())
	for i := range right {
		right[i], predicted[i] = -1, int(predictions.Best[i])
		if labels := m.Labels(i); len(labels) > 0 {
			right[i] = int(labels[0])
		}
	}
	result, err := evaluate.Single(m.Classes, right, predicted)
	if err != nil {
		return err
	}
	r.classified(name, result.Micro.F1(), trained, time.Since(start))
	return nil
}

func rowsOf(vectors iter.Seq2[engine.ClusterVector, error]) iter.Seq2[engine.Row, error] {
	return func(yield func(engine.Row, error) bool) {
		for v, err := range vectors {
			if !yield(v.Row, err) {
				return
			}
		}
	}
}
