package classify

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// The file of a model (FORMAT.md): a header of 32 bytes, a body, and the xxh3-64 of
// both. Integers are little-endian. The body begins with what all models have, the
// rest belongs to the kind.

const (
	// ModelVersion is the version of the files that this package writes and reads.
	ModelVersion = 1

	modelMagic  = "TERMSMDL"
	modelHeader = 32
	sumSize     = 8
)

// ErrNoModel is returned for bytes that are not the file of a model. A file that is
// cut, changed or of another version gives [files.ErrTruncated], [files.ErrChecksum]
// or [files.ErrVersion].
var ErrNoModel = usage.NewError(usage.ErrData, "not a termsift model")

// A stored model can be saved. A kind of model is added by these two methods and a
// case in newStored: decode reads what encode wrote, in the same order; the header is
// read and written around them. What a decoder says of lengths and types is checked,
// but not what the values mean: decode calls fail for a value that the model could
// not have. It must not allocate by a number from the file but through the slices
// that the decoder gives.
type stored interface {
	Model
	common() *header
	encode(e *encoder)
	decode(d *decoder)
}

// newStored makes an empty model of a kind, nil if there is none.
func newStored(kind string) stored {
	switch kind {
	case kindSVM:
		return &Linear{}
	case kindMultinomial, kindBernoulli:
		return &NaiveBayes{}
	case kindCentroid:
		return &Centroid{}
	case kindKNN:
		return &KNN{}
	case kindScoped:
		return &Scoped{}
	case kindRule, kindProjected:
		return &Projected{}
	case kindThresholds:
		return &Thresholds{}
	}
	return nil
}

func (h *header) common() *header { return h }

// Save writes the file of a model. The same model gives the same bytes.
func Save(w io.Writer, m Model) error {
	if w == nil || m == nil {
		return usage.Errorf("a nil writer or model was given")
	}
	s, ok := m.(stored)
	if !ok {
		return fmt.Errorf("classify: a model of the kind %q cannot be saved", m.Kind())
	}
	e := newEncoder()
	h := s.common()
	e.string(h.kind)
	e.count(h.columns)
	e.count(h.largest)
	e.strings(h.classes)
	s.encode(e)
	if e.err != nil {
		return e.err
	}
	return e.seal(w, modelMagic)
}

// Load reads the file of a model, to its end. Every byte is verified before one is
// believed. Errors wrap [ErrNoModel] or a reason of package store; see [ErrNoModel].
func Load(r io.Reader) (Model, error) {
	d, err := readSealed(r, modelMagic)
	if err != nil {
		return nil, err
	}
	return d.decodeModel()
}

// decodeModel reads a model to the end of its file.
func (d *decoder) decodeModel() (Model, error) {
	h := header{kind: d.string(), columns: d.count(), largest: d.count(), classes: d.strings()}
	if d.err != nil {
		return nil, d.err
	}
	if h.columns > math.MaxInt32 || h.largest >= len(h.classes) {
		return nil, fmt.Errorf("%w: %d columns, %d classes, the largest is number %d", ErrNoModel, h.columns, len(h.classes), h.largest)
	}
	m := newStored(h.kind)
	if m == nil {
		return nil, fmt.Errorf("%w: this program knows no model of the kind %q", ErrNoModel, h.kind)
	}
	*m.common() = h
	m.decode(d)
	if len(d.data) > 0 {
		d.fail("%d bytes behind the end of the model", len(d.data))
	}
	if d.err != nil {
		return nil, d.err
	}
	return m, nil
}

// model appends a model of which another is made, a string that is its file.
func (e *encoder) model(m Model) {
	var file bytes.Buffer
	if err := Save(&file, m); err != nil && e.err == nil {
		e.err = err
	}
	e.string(file.String())
}

// mostNested is how deep models may be made of models: a hostile file could exhaust the
// stack.
const mostNested = 2

// model reads what the encoder's model wrote; nil after an error.
func (d *decoder) model() Model {
	file := d.string()
	if d.err != nil {
		return nil
	}
	inner, err := readSealed(strings.NewReader(file), modelMagic)
	if err == nil {
		if inner.depth = d.depth + 1; inner.depth > mostNested {
			d.fail("models within models, more than %d deep", mostNested)
			return nil
		}
		var m Model
		if m, err = inner.decodeModel(); err == nil {
			return m
		}
	}
	d.fail("a model within: %v", err)
	return nil
}

var le = binary.LittleEndian
