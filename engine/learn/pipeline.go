package learn

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// A Pipeline is a model with what leads from text to its rows: one file says all that
// prediction needs.
type Pipeline struct {
	Selection *selection.Selection // the columns, how text becomes terms, and idf
	Weight    string               // of the rows
	Sets      bool                 // classes are decided about one by one
	Model     Model
}

// TrainPipeline learns from rows, which are those of a transformer of the selection and
// the weighting. Classes are decided about one by one if o says so or a row has several
// labels.
func TrainPipeline(ctx context.Context, s *selection.Selection, weight string, rows iter.Seq2[vectors.Row, error], l Learner, o TrainOptions) (*Pipeline, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if err := s.Provenance.RequireClasses(len(s.Classes), "a classifier"); err != nil {
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
func (p *Pipeline) Predict(ctx context.Context, rows iter.Seq2[vectors.Row, error], threads int) iter.Seq2[Prediction, error] {
	return func(yield func(Prediction, error) bool) {
		wait := newMatrix(p.Model.Columns(), p.Model.Classes())
		var heads []Prediction
		for r, err := range rows {
			if err != nil {
				yield(Prediction{}, err)
				return
			}
			heads = append(heads, Prediction{ID: r.ID, Labels: slices.Clone(r.Labels), UnseenLabels: len(r.Unseen)})
			wait.append(r)
			if len(heads) == predictBatch {
				if !p.predict(ctx, wait, heads, threads, yield) {
					return
				}
				wait, heads = newMatrix(p.Model.Columns(), p.Model.Classes()), heads[:0]
			}
		}
		p.predict(ctx, wait, heads, threads, yield)
	}
}

// predict yields the predictions for rows, which have heads, and says whether more is wanted.
func (p *Pipeline) predict(
	ctx context.Context, m *Matrix, heads []Prediction, threads int, yield func(Prediction, error) bool,
) bool {
	said, err := Predict(ctx, p.Model, m, PredictOptions{Scores: true, Sets: p.Sets, Threads: threads})
	if err != nil {
		yield(Prediction{}, err)
		return false
	}
	for i, x := range heads {
		x.Class, x.Evidence, x.Scores = int(said.Best[i]), said.Evidence[i], said.Row(i)
		x.Score = x.Scores[x.Class]
		if p.Sets {
			x.Set = make([]int, 0, 1)
			for _, c := range said.Sets[i] {
				x.Set = append(x.Set, int(c))
			}
		}
		if !yield(x, nil) {
			return false
		}
	}
	return true
}

const pipelineMagic = "TERMSPIP"

// Save writes the file of a pipeline (FORMAT.md). The same pipeline gives the same
// bytes.
func (p *Pipeline) Save(w io.Writer) error {
	var features strings.Builder
	if err := p.Selection.WriteTSV(&features); err != nil {
		return err
	}
	return seal(w, pipelineMagic, func(c *coder) {
		text := features.String()
		c.string(&p.Weight)
		c.bool(&p.Sets)
		c.string(&text)
		c.model(&p.Model)
	})
}

// LoadPipeline reads the file of a pipeline; name is what errors call it. Errors are
// those of [Load] and [selection.Read].
func LoadPipeline(r io.Reader, name string) (*Pipeline, error) {
	p, err := loadPipeline(r, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func loadPipeline(r io.Reader, name string) (*Pipeline, error) {
	p := &Pipeline{}
	var features, model string
	err := unseal(r, pipelineMagic, func(c *coder) {
		c.string(&p.Weight)
		c.bool(&p.Sets)
		c.string(&features)
		c.string(&model)
	})
	if err != nil {
		return nil, err
	}
	if _, err := selection.FactorOf(table.Weighting(p.Weight)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	if p.Selection, err = selection.Read(strings.NewReader(features), "features of "+name); err != nil {
		return nil, err
	}
	p.Selection.Warnings = nil // the whole file has a sum, the features need no seal
	if p.Model, err = Load(strings.NewReader(model)); err != nil {
		return nil, err
	}
	if n := len(p.Selection.Features); !isOf(p.Model, n, p.Selection.Classes) {
		return nil, fmt.Errorf("%w: it has %d columns and %d classes, its selection %d and %d", ErrNoModel,
			p.Model.Columns(), len(p.Model.Classes()), n, len(p.Selection.Classes))
	}
	return p, nil
}

// IsPipeline says whether a file that begins with these bytes claims to be one.
func IsPipeline(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(pipelineMagic)) }
