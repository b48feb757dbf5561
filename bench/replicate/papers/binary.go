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

// A binarySet has the documents of a division as rows of ones over some terms, to be cut
// into one problem for each class: terms of its own, and perhaps documents of its own.
type binarySet struct {
	train, test *classify.Matrix
	// trainWith and testWith are the rows that have a column.
	trainWith, testWith [][]uint32
	column              map[string]uint32 // of a term
	place               []uint32          // of a column within the problem, from 1 on
}

func newBinarySet(ctx context.Context, d division, s *engine.Selection) (*binarySet, error) {
	b := &binarySet{column: make(map[string]uint32, len(s.Features)), place: make([]uint32, len(s.Features))}
	for i, f := range s.Features {
		b.column[f.Term] = uint32(i)
	}
	for _, part := range []struct {
		from *engine.Corpus
		to   **classify.Matrix
		with *[][]uint32
	}{{d.train, &b.train, &b.trainWith}, {d.test, &b.test, &b.testWith}} {
		t, err := engine.NewTransformer(s, "binary")
		if err != nil {
			return nil, err
		}
		m, err := classify.Collect(t.Corpus(ctx, part.from), len(s.Features), s.Classes)
		if err != nil {
			return nil, err
		}
		*part.to, *part.with = m, rowsWith(m)
	}
	return b, nil
}

// rowsWith lists the rows of every column.
func rowsWith(m *classify.Matrix) [][]uint32 {
	with := make([][]uint32, m.Columns)
	for i := range m.Rows() {
		index, _ := m.Row(i)
		for _, c := range index {
			with[c] = append(with[c], uint32(i))
		}
	}
	return with
}

// A problem is one class against the rest.
type problem struct {
	class   uint32
	columns []uint32 // ascending
	// needs are columns of which a document must have one: without any it is outside the
	// class. nil asks for none, and takes all documents.
	needs []uint32
}

// rows lists the documents of a problem, ascending.
func (p *problem) rows(m *classify.Matrix, with [][]uint32) []uint32 {
	var rows []uint32
	if p.needs == nil {
		for i := range m.Rows() {
			rows = append(rows, uint32(i))
		}
		return rows
	}
	for _, c := range p.needs {
		rows = append(rows, with[c]...)
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// cut makes the rows of a problem.
func (b *binarySet) cut(p *problem, m *classify.Matrix, rows []uint32) *classify.Matrix {
	for i, c := range p.columns {
		b.place[c] = uint32(i) + 1
	}
	out := &classify.Matrix{Columns: len(p.columns), Classes: m.Classes[p.class : p.class+1], Start: []int{0}, LabelStart: []int{0}}
	for _, r := range rows {
		index, value := m.Row(int(r))
		for j, c := range index {
			if at := b.place[c]; at > 0 {
				out.Index, out.Value = append(out.Index, at-1), append(out.Value, value[j])
			}
		}
		if slices.Contains(m.Labels(int(r)), p.class) {
			out.LabelOf = append(out.LabelOf, 0)
		}
		out.Start, out.LabelStart = append(out.Start, len(out.Index)), append(out.LabelStart, len(out.LabelOf))
	}
	for _, c := range p.columns {
		b.place[c] = 0
	}
	return out
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

// solve trains and tests all problems with a learner. A class without a problem is
// given to no document. spent is the CPU time of the training, the cutting of the rows
// apart.
func (b *binarySet) solve(ctx context.Context, l binaryLearner, problems []problem) (result *evaluate.Result, spent time.Duration, err error) {
	right, predicted := make([][]int, b.test.Rows()), make([][]int, b.test.Rows())
	for i := range right {
		for _, c := range b.test.Labels(i) {
			right[i] = append(right[i], int(c))
		}
	}
	for i := range problems {
		p := &problems[i]
		train := b.cut(p, b.train, p.rows(b.train, b.trainWith))
		start := cputime.Now()
		model, err := l.train(ctx, train)
		if err != nil {
			return nil, 0, err
		}
		spent += cputime.Now() - start
		rows := p.rows(b.test, b.testWith)
		test := b.cut(p, b.test, rows)
		scorer, scores := model.NewScorer(), make([]float64, 1)
		for j, r := range rows {
			index, value := test.Row(j)
			if scorer.Score(index, value, scores); scores[0] > 0 {
				predicted[r] = append(predicted[r], int(p.class))
			}
		}
	}
	result, err = evaluate.Multi(b.test.Classes, right, predicted)
	return result, spent, err
}
