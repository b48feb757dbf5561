package classify

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
)

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
