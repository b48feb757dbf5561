package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/usage"
)

func newEncoder() *encoder { return &encoder{data: make([]byte, modelHeader)} }

// seal writes the file of a body.
func (e *encoder) seal(w io.Writer, magic string) error {
	copy(e.data, magic)
	le.PutUint32(e.data[8:], ModelVersion)
	le.PutUint64(e.data[16:], uint64(len(e.data)+sumSize))
	le.PutUint64(e.data[24:], xxh3.Hash(e.data[:24]))
	e.data = le.AppendUint64(e.data, xxh3.Hash(e.data))
	_, err := w.Write(e.data)
	return err
}

// readSealed reads a whole file, verifies its sums and gives its body. Memory grows with
// what is there, not with what the header promises.
func readSealed(r io.Reader, magic string) (*decoder, error) {
	if r == nil {
		return nil, usage.Errorf("a nil reader was given")
	}
	head := make([]byte, modelHeader)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if !bytes.HasPrefix(head, []byte(magic)) {
		return nil, fmt.Errorf("%w: the first bytes are %q", ErrNoModel, head[:min(n, len(magic))])
	}
	if n < modelHeader {
		return nil, fmt.Errorf("model: %w: it has %d bytes", files.ErrTruncated, n)
	}
	if xxh3.Hash(head[:24]) != le.Uint64(head[24:]) {
		return nil, fmt.Errorf("model: header: %w", files.ErrChecksum)
	}
	if v := le.Uint32(head[8:]); v != ModelVersion {
		return nil, fmt.Errorf("model: %w: version %d, this program reads %d: train it again", files.ErrVersion, v, ModelVersion)
	}
	size := le.Uint64(head[16:])
	if size < modelHeader+sumSize || size > math.MaxInt64/2 {
		return nil, fmt.Errorf("%w: it claims to have %d bytes", ErrNoModel, size)
	}
	rest, err := io.ReadAll(io.LimitReader(r, int64(size)-modelHeader+1))
	if err != nil {
		return nil, err
	}
	data := append(head, rest...)
	switch {
	case uint64(len(data)) < size:
		return nil, fmt.Errorf("model: %w: %d of %d bytes", files.ErrTruncated, len(data), size)
	case uint64(len(data)) > size:
		return nil, fmt.Errorf("%w: foreign bytes behind its end", ErrNoModel)
	}
	body := data[:len(data)-sumSize]
	if xxh3.Hash(body) != le.Uint64(data[len(body):]) {
		return nil, fmt.Errorf("model: %w", files.ErrChecksum)
	}
	return &decoder{data: body[modelHeader:]}, nil
}
