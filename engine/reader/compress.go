package reader

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/termsift/termsift/engine/document"
)

// The most memory that a compressed input may ask for: what zstd --long=27 and xz
// -9 make.
const (
	zstdWindow   = 128 << 20
	xzDictionary = 64 << 20
)

// A compression is known by the first bytes of a file.
type compression struct {
	name, magic, extension string
	open                   func(io.Reader) (io.Reader, func(), error)
}

var compressions = []compression{
	{"gzip", "\x1f\x8b", ".gz", openGzip},
	{"zstd", "\x28\xb5\x2f\xfd", ".zst", openZstd},
	{"xz", "\xfd7zXZ\x00", ".xz", openXZ},
	{"bzip2", "BZh", ".bz2", openBzip2},
}

func openGzip(r io.Reader) (io.Reader, func(), error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, nil, err
	}
	return z, func() { _ = z.Close() }, nil
}

// openZstd decodes on the goroutine that reads.
func openZstd(r io.Reader) (io.Reader, func(), error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

func openXZ(r io.Reader) (io.Reader, func(), error) {
	z, err := xz.NewReader(r, xzDictionary)
	return z, func() {}, err
}

func openBzip2(r io.Reader) (io.Reader, func(), error) {
	return bzip2.NewReader(r), func() {}, nil
}

// compressionOf names the compression that a prefix begins; nil for none.
func compressionOf(prefix []byte) *compression {
	for i := range compressions {
		if bytes.HasPrefix(prefix, []byte(compressions[i].magic)) {
			return &compressions[i]
		}
	}
	return nil
}

// decompressed gives what is inside a compression, or in itself where there is
// none. close ends it.
func (s *Source) decompressed(pos document.Position, in *bufio.Reader) (inside *bufio.Reader, closing func(), err error) {
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return nil, nil, s.failure(pos, "the input cannot be read", err)
	}
	c := compressionOf(prefix)
	if c == nil {
		return in, func() {}, nil
	}
	counted := &countingReader{r: in}
	z, end, err := c.open(counted)
	if err != nil {
		return nil, nil, s.failure(pos, "broken "+c.name, err)
	}
	inside = s.buffered(&expansionGuard{s: s, pos: pos, kind: c, in: counted, out: z})
	return inside, func() {
		end()
		s.recycle(inside)
	}, nil
}

// expansionFree is what may come out whatever went in.
const expansionFree = 64 << 20

// An expansionGuard stops where a small input becomes a huge output.
type expansionGuard struct {
	s    *Source
	pos  document.Position
	kind *compression
	in   *countingReader
	out  io.Reader
	size int64 // that came out
}

func (g *expansionGuard) Read(p []byte) (int, error) {
	n, err := g.out.Read(p)
	g.size += int64(n)
	if g.size > expansionFree && g.size/g.s.opt.MaxExpansion > g.in.size {
		return 0, &Error{
			Pos: g.pos, Problem: fmt.Sprintf("%d bytes have become more than %d, which is more than %d times as much", g.in.size, g.size, g.s.opt.MaxExpansion),
			Remedy: "if that is meant, raise the limit with --max-expansion",
		}
	}
	var read *fs.PathError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &read) && !strings.HasPrefix(err.Error(), g.kind.name) {
		err = fmt.Errorf("%s: %w", g.kind.name, err)
	}
	return n, err
}

type countingReader struct {
	r    io.Reader
	size int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.size += int64(n)
	return n, err
}

// peek gives the next bytes without taking them, fewer only at the end of the
// input or with an error.
func peek(in *bufio.Reader, size int) ([]byte, error) {
	prefix, err := in.Peek(size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return prefix, err
}

// An inputReader reads an input until its context ends. Its errors are
// fs.PathErrors, so that they are known from those of a format.
type inputReader struct {
	ctx  context.Context
	name string
	r    io.Reader
}

func (i inputReader) Read(p []byte) (int, error) {
	if i.ctx.Err() != nil {
		return 0, context.Cause(i.ctx)
	}
	n, err := i.r.Read(p)
	var known *fs.PathError
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, &known) {
		err = &fs.PathError{Op: "read", Path: i.name, Err: err}
	}
	return n, err
}
