package classify

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

const pipelineMagic = "TERMSPIP"

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
// those of [Load] and [selection.Read].
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
	if _, err := selection.FactorOf(vectors.Weighting(p.Weight)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	if p.Selection, err = selection.Read(bytes.NewReader([]byte(features)), "features of "+name); err != nil {
		return nil, err
	}
	p.Selection.Warnings = nil // the whole file has a sum, the features need no seal
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
