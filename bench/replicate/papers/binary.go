package papers

import (
	"context"
	"slices"
	"time"

	"github.com/termsift/termsift/bench/cputime"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/evaluate"
)

// A binarySet has the documents of a division as rows of ones over some terms, each class
// of which is decided about by itself.
type binarySet struct {
	train, test *classify.Matrix
	column      map[string]uint32 // of a term
}

func newBinarySet(ctx context.Context, d division, s *engine.Selection) (*binarySet, error) {
	b := &binarySet{column: make(map[string]uint32, len(s.Features))}
	for i, f := range s.Features {
		b.column[f.Term] = uint32(i)
	}
	for _, part := range []struct {
		from *engine.Corpus
		to   **classify.Matrix
	}{{d.train, &b.train}, {d.test, &b.test}} {
		t, err := engine.NewTransformer(s, "binary")
		if err != nil {
			return nil, err
		}
		if *part.to, err = classify.Collect(t.Corpus(ctx, part.from), len(s.Features), s.Classes); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// scope gives a class the best terms of a ranking of its own, and all documents.
func (b *binarySet) scope(class, k int, ranking *engine.Ranking) classify.Scope {
	s := classify.Scope{Class: uint32(class)}
	for e := range ranking.Best(k) {
		s.Columns = append(s.Columns, b.column[e.Term])
	}
	slices.Sort(s.Columns)
	return s
}

// A binaryLearner learns one class against the rest.
type binaryLearner struct {
	name  string
	train func(ctx context.Context, m *classify.Matrix) (classify.Model, error)
}

// binaryLearners are Bernoulli naive Bayes and a linear SVM. A c of 0 is the C that
// SVMlight takes: one over the mean square of the rows' lengths, with ones the mean
// number of terms.
func binaryLearners(c float64) []binaryLearner {
	return []binaryLearner{
		{"nb", func(ctx context.Context, m *classify.Matrix) (classify.Model, error) {
			return classify.TrainBernoulli(ctx, m, classify.NaiveBayesOptions{OneVsRest: true, Threads: 1})
		}},
		{"svm", func(ctx context.Context, m *classify.Matrix) (classify.Model, error) {
			c := c
			if c == 0 {
				c = float64(m.Rows()) / float64(max(1, len(m.Index)))
			}
			return classify.TrainSVM(ctx, m, classify.SVMOptions{Loss: classify.L1Loss, C: c, Bias: 1, Eps: .01, Threads: 1})
		}},
	}
}

// solve trains and tests all classes with a learner. One without a scope is given to no
// document. spent is the CPU time of the training, the cutting of the rows apart.
func (b *binarySet) solve(ctx context.Context, l binaryLearner, scopes []classify.Scope) (result *evaluate.Result, spent time.Duration, err error) {
	model, err := classify.TrainScoped(ctx, b.train, scopes, classify.ScopedOptions{
		Threads: 1, // one after the other, or the time of one would be that of others too
		Train: func(ctx context.Context, m *classify.Matrix) (classify.Model, error) {
			start := cputime.Now()
			model, err := l.train(ctx, m)
			spent += cputime.Now() - start
			return model, err
		},
	})
	if err != nil {
		return nil, 0, err
	}
	said, err := classify.Predict(ctx, model, b.test, classify.PredictOptions{Sets: true, Threads: 1})
	if err != nil {
		return nil, 0, err
	}
	right, predicted := make([][]int, b.test.Rows()), make([][]int, b.test.Rows())
	for i := range right {
		right[i], predicted[i] = ints(b.test.Labels(i)), ints(said.Set(i))
	}
	result, err = evaluate.Multi(b.test.Classes, right, predicted)
	return result, spent, err
}

func ints(list []uint32) (out []int) {
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}
