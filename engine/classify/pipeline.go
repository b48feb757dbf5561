package classify

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/termsift/termsift/engine"
)

// A Pipeline is a model with what leads from text to its rows: one file says all that
// prediction needs.
type Pipeline struct {
	Selection *engine.Selection // the columns, how text becomes terms, and idf
	Weight    string            // of the rows
	Sets      bool              // classes are decided about one by one
	Model     Model
}

const pipelineMagic = "TERMSPIP"

// TrainPipeline learns from rows, which are those of a transformer of the selection and
// the weighting. Classes are decided about one by one if o says so or a row has several
// labels.
func TrainPipeline(ctx context.Context, s *engine.Selection, weight string, rows iter.Seq2[engine.Row, error], l Learner, o TrainOptions) (*Pipeline, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	m, err := Collect(rows, len(s.Features), s.Classes)
	if err != nil {
		return nil, err
	}
	for i := range m.Rows() {
		o.Sets = o.Sets || len(m.Labels(i)) > 1
	}
	model, err := l.Train(ctx, m, o)
	if err != nil {
		return nil, err
	}
	return &Pipeline{s, weight, o.Sets, model}, nil
}

// A Prediction is what a pipeline says of a document.
type Prediction struct {
	ID       string
	Class    int     // with the highest score, or what a model falls back on
	Score    float64 // of Class
	Evidence bool    // something in the document spoke for or against a class
	Set      []int   // of a pipeline of Sets: the classes assigned, ascending; may be empty
	Scores   []float64
	// Labels are the document's own, as places in the model's classes, and UnseenLabels
	// the number of those that the model does not know.
	Labels       []int
	UnseenLabels int
}

// predictBatch is how many documents are predicted at a time.
const predictBatch = 4096

// Predict yields predictions for rows, in their order: those of the transformer of the
// pipeline's selection and weight. Memory is bounded by that of 4,096 rows.
func (p *Pipeline) Predict(ctx context.Context, rows iter.Seq2[engine.Row, error], threads int) iter.Seq2[Prediction, error] {
	return func(yield func(Prediction, error) bool) {
		b := batch{p: p, threads: threads}
		b.reset()
		for r, err := range rows {
			if err == nil {
				err = b.add(r)
			}
			if err != nil {
				yield(Prediction{}, err)
				return
			}
			if b.m.Rows() == predictBatch && !b.flush(ctx, yield) {
				return
			}
		}
		b.flush(ctx, yield)
	}
}

// A batch is documents that wait for their prediction.
type batch struct {
	p       *Pipeline
	threads int
	m       *Matrix
	heads   []Prediction
}

func (b *batch) reset() {
	b.m = &Matrix{Columns: b.p.Model.Columns(), Classes: b.p.Model.Classes(), Start: []int{0}, LabelStart: []int{0}}
	b.heads = b.heads[:0]
}

func (b *batch) add(r engine.Row) error {
	b.heads = append(b.heads, Prediction{ID: r.ID, Labels: slices.Clone(r.Labels), UnseenLabels: r.UnseenLabels})
	return b.m.append(r)
}

// flush predicts, and says whether more is wanted.
func (b *batch) flush(ctx context.Context, yield func(Prediction, error) bool) bool {
	said, err := Predict(ctx, b.p.Model, b.m, PredictOptions{Scores: true, Sets: b.p.Sets, Threads: b.threads})
	if err != nil {
		yield(Prediction{}, err)
		return false
	}
	for i, x := range b.heads {
		x.Class, x.Evidence, x.Scores = int(said.Best[i]), said.Evidence[i], said.Row(i)
		x.Score = x.Scores[x.Class]
		if b.p.Sets {
			x.Set = make([]int, 0, 1)
			for _, c := range said.Set(i) {
				x.Set = append(x.Set, int(c))
			}
		}
		if !yield(x, nil) {
			return false
		}
	}
	b.reset()
	return true
}

// Save writes the file of a pipeline (FORMAT.md). The same pipeline gives the same
// bytes.
func (p *Pipeline) Save(w io.Writer) error {
	var features, model bytes.Buffer
	if err := p.Selection.WriteTSV(&features); err != nil {
		return err
	}
	if err := Save(&model, p.Model); err != nil {
		return err
	}
	e := newEncoder()
	e.string(p.Weight)
	e.bool(p.Sets)
	e.string(features.String())
	e.string(model.String())
	return e.seal(w, pipelineMagic)
}

// LoadPipeline reads the file of a pipeline; name is what errors call it. Errors are
// those of [Load] and [engine.ReadSelection].
func LoadPipeline(r io.Reader, name string) (*Pipeline, error) {
	p, err := loadPipeline(r, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func loadPipeline(r io.Reader, name string) (*Pipeline, error) {
	d, err := readSealed(r, pipelineMagic)
	if err != nil {
		return nil, err
	}
	p := &Pipeline{Weight: d.string(), Sets: d.bool()}
	features, model := d.string(), d.string()
	if len(d.data) > 0 {
		d.fail("%d bytes behind the end of the model", len(d.data))
	}
	if d.err != nil {
		return nil, d.err
	}
	if _, err := engine.FactorOf(p.Weight); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	if p.Selection, err = engine.ReadSelection(bytes.NewReader([]byte(features)), "features of "+name); err != nil {
		return nil, err
	}
	if p.Model, err = Load(bytes.NewReader([]byte(model))); err != nil {
		return nil, err
	}
	if n := len(p.Selection.Features); p.Model.Columns() != n || !slices.Equal(p.Model.Classes(), p.Selection.Classes) {
		return nil, fmt.Errorf("%w: it has %d columns and %d classes, its selection %d and %d", ErrNoModel,
			p.Model.Columns(), len(p.Model.Classes()), n, len(p.Selection.Classes))
	}
	return p, nil
}

// IsPipeline says whether a file that begins with these bytes claims to be one.
func IsPipeline(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(pipelineMagic)) }
