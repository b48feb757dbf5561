package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A binarySet has the documents of a division as rows over some terms, each class of
// which is decided about by itself.
type binarySet struct {
	train, test *classify.Matrix
	column      map[string]uint32 // of a term
}

// newBinarySet makes the rows, of ones where no other weighting is asked for.
func newBinarySet(ctx context.Context, d division, s *selection.Selection, weight string) *binarySet {
	b := &binarySet{column: make(map[string]uint32, len(s.Features))}
	for i, f := range s.Features {
		b.column[f.Term] = uint32(i)
	}
	for _, part := range []struct {
		from *corpus.Corpus
		to   **classify.Matrix
	}{{d.train, &b.train}, {d.test, &b.test}} {
		t := lab.Need(vectors.New(s, table.Weighting(cmp.Or(weight, "binary"))))
		*part.to = lab.Need(classify.Collect(t.Corpus(ctx, part.from), len(s.Features), s.Classes))
	}
	return b
}

// scopes gives every class the best terms of its ranking, all for 0, and all documents.
// Classes of one ranking share the work.
func (b *binarySet) scopes(rankings []*rank.Ranking, k int) []classify.Scope {
	scopes := make([]classify.Scope, len(rankings))
	for i, ranking := range rankings {
		scopes[i].Class = uint32(i)
		if i > 0 && ranking == rankings[i-1] {
			scopes[i].Columns = scopes[i-1].Columns
			continue
		}
		n := k
		if n == 0 {
			n = ranking.Len()
		}
		for e := range ranking.Best(n) {
			scopes[i].Columns = append(scopes[i].Columns, b.column[e.Term])
		}
		slices.Sort(scopes[i].Columns)
	}
	return scopes
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
			return classify.Learner{Kind: "bernoulli"}.Train(ctx, m, classify.TrainOptions{Sets: true, Threads: 1})
		}},
		{"svm", func(ctx context.Context, m *classify.Matrix) (classify.Model, error) {
			c := c
			if c == 0 {
				c = float64(m.Rows()) / float64(max(1, len(m.Index)))
			}
			l := classify.Learner{Kind: "svm", SVM: classify.SVMOptions{Loss: classify.L1Loss, C: c, Bias: 1, Eps: .01}}
			return l.Train(ctx, m, classify.TrainOptions{Threads: 1})
		}},
	}
}

// solve trains and tests all classes with a learner. One without a scope is given to no
// document. spent is the CPU time of the training, the cutting of the rows apart.
func (b *binarySet) solve(ctx context.Context, l binaryLearner, scopes []classify.Scope) (result *evaluate.Result, spent time.Duration) {
	// One after the other, or the time of one would be that of others too.
	model, err := classify.TrainScoped(ctx, b.train, scopes, 1, func(ctx context.Context, m *classify.Matrix) (classify.Model, error) {
		start := lab.CPU()
		model, err := l.train(ctx, m)
		spent += lab.CPU() - start
		return model, err
	})
	lab.Check(err)
	said := lab.Need(classify.Predict(ctx, model, b.test, classify.PredictOptions{Sets: true, Threads: 1}))
	right, predicted := make([][]int, b.test.Rows()), make([][]int, b.test.Rows())
	for i := range right {
		right[i], predicted[i] = ints(b.test.Labels(i)), ints(said.Set(i))
	}
	return lab.Need(evaluate.Multi(b.test.Classes, right, predicted)), spent
}

func ints(list []uint32) (out []int) {
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}
