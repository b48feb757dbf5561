package learn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/usage"
)

// The file of a model (FORMAT.md): a header of 32 bytes, a body, and the xxh3-64 of
// both. Integers are little-endian. The body begins with what all models have, the
// rest belongs to the kind.

const (
	modelVersion = 1
	modelMagic   = "TERMSMDL"
	modelHeader  = 32
	sumSize      = 8
)

// ErrNoModel is returned for bytes that are not the file of a model. A file that is
// cut, changed or of another version gives [files.ErrTruncated], [files.ErrChecksum]
// or [files.ErrVersion].
var ErrNoModel = usage.NewError(usage.ErrData, "not a termsift model")

// newModel makes an empty model of a kind, nil if there is none.
func newModel(kind string) Model {
	switch kind {
	case kindSVM:
		return &linear{}
	case kindMultinomial, kindBernoulli:
		return &naiveBayes{}
	case kindCentroid:
		return &centroid{}
	case kindKNN:
		return &neighbours{}
	case kindScoped:
		return &scoped{}
	case kindRule, kindProjected:
		return &projected{}
	case kindThresholds:
		return &thresholds{}
	}
	return nil
}

// code codes what all models have but the kind.
func (h *header) code(c *coder) {
	c.count(&h.columns)
	c.count(&h.largest)
	list(c, &h.classes, 8, c.string)
	if c.hasRead() && h.largest >= len(h.classes) {
		c.fail("%d columns, %d classes, the largest is number %d", h.columns, len(h.classes), h.largest)
	}
}

// Save writes the file of a model. The same model gives the same bytes.
func Save(w io.Writer, m Model) error {
	if w == nil || m == nil {
		return usage.Errorf("a nil writer or model was given")
	}
	return seal(w, modelMagic, func(c *coder) {
		h := m.common()
		c.string(&h.kind)
		h.code(c)
		m.code(c)
	})
}

// seal writes a file.
func seal(w io.Writer, magic string, body func(*coder)) error {
	c := &coder{data: make([]byte, modelHeader)}
	if body(c); c.err != nil {
		return c.err
	}
	copy(c.data, magic)
	le.PutUint32(c.data[8:], modelVersion)
	le.PutUint64(c.data[16:], uint64(len(c.data)+sumSize))
	le.PutUint64(c.data[24:], xxh3.Hash(c.data[:24]))
	_, err := w.Write(le.AppendUint64(c.data, xxh3.Hash(c.data)))
	return err
}

// Load reads the file of a model, to its end. Every byte is verified before one is
// believed. Errors wrap [ErrNoModel] or a reason of package store; see [ErrNoModel].
func Load(r io.Reader) (Model, error) { return load(r, 0) }

// load reads the file of a model that is within as many others as depth says.
func load(r io.Reader, depth int) (m Model, err error) {
	err = unseal(r, modelMagic, func(c *coder) {
		var h header
		c.depth = depth
		c.string(&h.kind)
		if h.code(c); c.err != nil {
			return
		}
		if m = newModel(h.kind); m == nil {
			c.fail("this program knows no model of the kind %q", h.kind)
			return
		}
		*m.common() = h
		m.code(c)
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// unseal reads a whole file, verifies its sums and decodes its body. Memory grows with
// what is there, not with what the header promises.
func unseal(r io.Reader, magic string, body func(*coder)) error {
	if r == nil {
		return usage.Errorf("a nil reader was given")
	}
	head := make([]byte, modelHeader)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if !bytes.HasPrefix(head, []byte(magic)) {
		return fmt.Errorf("%w: the first bytes are %q", ErrNoModel, head[:min(n, len(magic))])
	}
	if n < modelHeader {
		return fmt.Errorf("model: %w: it has %d bytes", files.ErrTruncated, n)
	}
	if xxh3.Hash(head[:24]) != le.Uint64(head[24:]) {
		return fmt.Errorf("model: header: %w", files.ErrChecksum)
	}
	if v := le.Uint32(head[8:]); v != modelVersion {
		return fmt.Errorf("model: %w: version %d, this program reads %d: train it again", files.ErrVersion, v, modelVersion)
	}
	size := le.Uint64(head[16:])
	if size < modelHeader+sumSize || size > math.MaxInt64/2 {
		return fmt.Errorf("%w: it claims to have %d bytes", ErrNoModel, size)
	}
	rest, err := io.ReadAll(io.LimitReader(r, int64(size)-modelHeader+1))
	if err != nil {
		return err
	}
	data := append(head, rest...)
	switch {
	case uint64(len(data)) < size:
		return fmt.Errorf("model: %w: %d of %d bytes", files.ErrTruncated, len(data), size)
	case uint64(len(data)) > size:
		return fmt.Errorf("%w: foreign bytes behind its end", ErrNoModel)
	}
	end := len(data) - sumSize
	if xxh3.Hash(data[:end]) != le.Uint64(data[end:]) {
		return fmt.Errorf("model: %w", files.ErrChecksum)
	}
	c := &coder{data: data[modelHeader:end], reads: true}
	if body(c); len(c.data) > 0 {
		c.fail("%d bytes behind the end of the model", len(c.data))
	}
	return c.err
}

// mostNested is how deep models may be made of models: a hostile file could exhaust the
// stack.
const mostNested = 2

// model codes a model of which another is made, a string that is its file. It is nil after
// an error.
func (c *coder) model(m *Model) {
	var file strings.Builder
	if !c.reads {
		if err := Save(&file, *m); err != nil && c.err == nil {
			c.err = err
		}
	}
	text := file.String()
	c.string(&text)
	switch {
	case !c.hasRead():
	case c.depth == mostNested:
		c.fail("models within models, more than %d deep", mostNested)
	default:
		var err error
		if *m, err = load(strings.NewReader(text), c.depth+1); err != nil {
			c.fail("a model within: %v", err)
		}
	}
}

// isOf reports whether a model has these columns and classes.
func isOf(m Model, columns int, classes []string) bool {
	return m.Columns() == columns && slices.Equal(m.Classes(), classes)
}

// A coder writes the values of a file or reads them: the same calls, in the same order, do
// both. A list begins with its length, eight bytes.
//
// Reading keeps the first error, which wraps [ErrNoModel], and sets zeros and empty lists
// after it. A list that claims to be longer than the bytes that are left is an error, so
// that no file decides how much memory is taken.
type coder struct {
	data  []byte // what was written so far, or is left to be read
	reads bool
	err   error // the first
	depth int   // of models within models
}

var le = binary.LittleEndian

func (c *coder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrNoModel, fmt.Sprintf(format, args...))
	}
	if c.reads {
		c.data = nil
	}
}

// hasRead reports whether values were read, so that they must be checked.
func (c *coder) hasRead() bool { return c.reads && c.err == nil }

// bytes returns the next n bytes of the file: those to be read, or room for those to be
// written. It returns zeros if there are fewer to read.
func (c *coder) bytes(n int) []byte {
	if !c.reads {
		c.data = append(c.data, make([]byte, n)...)
		return c.data[len(c.data)-n:]
	}
	if n > len(c.data) {
		c.fail("%d bytes are missing", n-len(c.data))
		return make([]byte, min(n, 8))
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

func (c *coder) uint64(v *uint64) {
	if b := c.bytes(8); c.reads {
		*v = le.Uint64(b)
	} else {
		le.PutUint64(b, *v)
	}
}

func (c *coder) uint32(v *uint32) {
	if b := c.bytes(4); c.reads {
		*v = le.Uint32(b)
	} else {
		le.PutUint32(b, *v)
	}
}

func (c *coder) float(v *float64) {
	bits := math.Float64bits(*v)
	if c.uint64(&bits); c.reads {
		*v = math.Float64frombits(bits)
	}
}

// count codes a number that an int of any machine holds.
func (c *coder) count(v *int) {
	n := uint64(*v)
	c.uint64(&n)
	if !c.reads {
		return
	}
	if n > math.MaxInt32 {
		c.fail("%d is too large a number", n)
		n = 0
	}
	*v = int(n)
}

func (c *coder) bool(v *bool) {
	b := c.bytes(1)
	switch {
	case !c.reads && *v:
		b[0] = 1
	case c.reads:
		if *v = b[0] == 1; b[0] > 1 {
			c.fail("%d is neither 0 nor 1", b[0])
		}
	}
}

// length codes the length of a list whose elements have at least size bytes.
func (c *coder) length(n, size int) int {
	of := uint64(n)
	if c.uint64(&of); c.reads && of > uint64(len(c.data)/size) {
		c.fail("a list of %d elements in %d bytes", of, len(c.data))
		return 0
	}
	return int(of)
}

func (c *coder) string(s *string) {
	b := c.bytes(c.length(len(*s), 1))
	if c.reads {
		*s = string(b)
	} else {
		copy(b, *s)
	}
}

// list codes a list whose elements have at least size bytes.
func list[T any](c *coder, v *[]T, size int, element func(*T)) {
	if n := c.length(len(*v), size); c.reads {
		*v = make([]T, n)
	}
	for i := range *v {
		element(&(*v)[i])
	}
}

func (c *coder) uint32s(v *[]uint32) { list(c, v, 4, c.uint32) }
func (c *coder) floats(v *[]float64) { list(c, v, 8, c.float) }
