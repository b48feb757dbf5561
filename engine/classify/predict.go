package classify

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// PredictOptions say what [Predict] keeps.
type PredictOptions struct {
	Scores  bool // all scores of every row
	Sets    bool // the set of classes of every row
	Threads int  // 0 is GOMAXPROCS
}

// Predictions are what a model says of rows.
type Predictions struct {
	Classes []string
	// Best is the class of each row with the highest score, the first of equal ones;
	// without evidence it is the largest class of the training.
	Best     []uint32
	Evidence []bool
	// Scores are those of all classes, row by row; nil unless asked for.
	Scores []float64
	// SetOf has the classes assigned to row i, SetOf[SetStart[i]:SetStart[i+1]],
	// ascending; nil unless asked for.
	SetStart []int
	SetOf    []uint32
}

// Row gives the scores of a row by class.
func (p *Predictions) Row(i int) []float64 {
	k := len(p.Classes)
	return p.Scores[i*k : (i+1)*k : (i+1)*k]
}

// Set gives the classes assigned to a row; it may be empty.
func (p *Predictions) Set(i int) []uint32 { return p.SetOf[p.SetStart[i]:p.SetStart[i+1]] }

// predictChunk is the number of rows that a worker takes at a time.
const predictChunk = 256

// Predict asks a model about rows. The predictions are the same for any number of
// threads.
func Predict(ctx context.Context, model Model, m *Matrix, o PredictOptions) (*Predictions, error) {
	if model == nil || m == nil {
		return nil, usage.Errorf("a nil model or matrix was given")
	}
	if err := fits(model, m); err != nil {
		return nil, err
	}
	rows, k := m.Rows(), len(model.Classes())
	p := &Predictions{Classes: model.Classes(), Best: make([]uint32, rows), Evidence: make([]bool, rows)}
	if o.Scores {
		p.Scores = make([]float64, rows*k)
	}
	chunks := (rows + predictChunk - 1) / predictChunk
	sets := make([]sets, chunks)
	threads := pool.Threads(o.Threads)
	workers := make([]*predictor, threads)
	err := pool.Run(ctx, threads, chunks, func(worker, chunk int) error {
		if workers[worker] == nil {
			workers[worker] = &predictor{model, m, o, p, model.NewScorer(), make([]float64, k)}
		}
		sets[chunk] = workers[worker].predict(chunk*predictChunk, min((chunk+1)*predictChunk, rows))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.Sets {
		p.join(sets)
	}
	return p, nil
}

// sets are the classes of some rows, and how many each has.
type sets struct {
	sizes []int
	of    []uint32
}

func (p *Predictions) join(chunks []sets) {
	p.SetStart, p.SetOf = make([]int, 1, len(p.Best)+1), []uint32{}
	for _, s := range chunks {
		for _, n := range s.sizes {
			p.SetStart = append(p.SetStart, p.SetStart[len(p.SetStart)-1]+n)
		}
		p.SetOf = append(p.SetOf, s.of...)
	}
}

// A predictor predicts rows on one goroutine.
type predictor struct {
	model  Model
	rows   *Matrix
	o      PredictOptions
	out    *Predictions
	scorer Scorer
	scores []float64
}

func (w *predictor) predict(from, to int) (s sets) {
	for i := from; i < to; i++ {
		index, value := w.rows.Row(i)
		scores := w.scores
		if w.o.Scores {
			scores = w.out.Row(i)
		}
		evidence := w.scorer.Score(index, value, scores)
		w.out.Evidence[i], w.out.Best[i] = evidence, uint32(w.model.Largest())
		if evidence {
			w.out.Best[i] = best(scores)
		}
		if w.o.Sets {
			before := len(s.of)
			s.of = w.model.Assign(s.of, scores, evidence)
			s.sizes = append(s.sizes, len(s.of)-before)
		}
	}
	return s
}

// best is the place of the first of the highest scores.
func best(scores []float64) (class uint32) {
	for c, score := range scores {
		if score > scores[class] {
			class = uint32(c)
		}
	}
	return class
}
