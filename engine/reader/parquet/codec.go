package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/dsnet/compress/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A codec is how the pages of a column are compressed.
type codec int64

// stored is the codec of pages that are not compressed.
const stored codec = 0

// codecs has the names of the codecs by their numbers, and what decompresses a page to so many
// bytes; nil = they are not read. LZ4_RAW is a block without a frame.
var codecs = [...]struct {
	name   string
	decode func(f *File, packed []byte, size int) ([]byte, error)
}{
	{"UNCOMPRESSED", func(_ *File, packed []byte, _ int) ([]byte, error) { return packed, nil }},
	{"SNAPPY", unsnap},
	{"GZIP", unzip},
	{"LZO", nil},
	{"BROTLI", unbrotli},
	{"LZ4", nil},
	{"ZSTD", unzstd},
	{"LZ4_RAW", unlz4},
}

// The most bytes that a byte becomes in snappy, whose elements of 3 bytes give 64, in deflate,
// where two bits give 258, and in LZ4, where a byte adds 255 to a length. What a page claims
// beyond is refused before memory is allocated for it.
const (
	snappyMost = 22
	gzipMost   = 1032
	lz4Most    = 255
)

// firstRoom is allocated for what comes out of gzip and brotli, and of zstd whose header does not say
// how much: a few bytes of these can become millions.
const firstRoom = 1 << 20

// check refuses a codec that is not read.
func (c codec) check() error {
	if c < 0 || int(c) >= len(codecs) {
		return damaged("the column has the unknown compression %d", c)
	}
	if codecs[c].decode == nil {
		return notRead("write it with zstd, snappy, gzip, brotli, LZ4_RAW or without compression", "the column is compressed by %s", codecs[c].name)
	}
	return nil
}

// decompress returns the size bytes that packed becomes: packed itself by the codec that stores. The
// codec must have been checked.
func (f *File) decompress(c codec, packed []byte, size int) ([]byte, error) {
	out, err := codecs[c].decode(f, packed, size)
	if err == nil && len(out) != size {
		err = fmt.Errorf("%d bytes come out, not %d", len(out), size)
	}
	if err != nil {
		return nil, &Error{Problem: "broken " + codecs[c].name, Err: err, Remedy: remedyDamaged}
	}
	return out, nil
}

// errClaim is the error for a page that cannot become what its header says.
var errClaim = errors.New("it cannot become as many bytes as its header says")

func unsnap(_ *File, packed []byte, size int) ([]byte, error) {
	claimed, err := snappy.DecodedLen(packed)
	switch {
	case err != nil:
		return nil, err
	case claimed != size || int64(size) > snappyMost*int64(len(packed)):
		return nil, errClaim
	}
	return snappy.Decode(make([]byte, size), packed)
}

func unzip(_ *File, packed []byte, size int) ([]byte, error) {
	if int64(size) > gzipMost*int64(len(packed)) {
		return nil, errClaim
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return inflate(z, size)
}

func unbrotli(_ *File, packed []byte, size int) ([]byte, error) {
	z, err := brotli.NewReader(bytes.NewReader(packed), nil)
	if err != nil {
		return nil, err
	}
	out, err := inflate(z, size)
	if err == nil && z.InputOffset < int64(len(packed)) {
		err = errors.New("bytes follow the end")
	}
	return out, err
}

// inflate reads all of z, which has size bytes.
func inflate(z io.Reader, size int) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, min(size, firstRoom)+bytes.MinRead))
	_, err := out.ReadFrom(io.LimitReader(z, int64(size)+1))
	if out.Len() > size {
		err = errClaim
	}
	return out.Bytes(), err
}

func unlz4(_ *File, packed []byte, size int) ([]byte, error) {
	if int64(size) > lz4Most*int64(len(packed)) {
		return nil, errClaim
	}
	out := make([]byte, size)
	n, err := lz4.UncompressBlock(packed, out)
	return out[:max(n, 0)], err
}

// newZstd returns a decoder of pages of most bytes. It starts no goroutine, and any may use it.
func newZstd(most int64) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0),
		zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecoderMaxWindow(uint64(max(most, zstd.MinWindowSize))))
}

func unzstd(f *File, packed []byte, size int) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(packed); err != nil {
		return nil, err
	}
	room := min(size, firstRoom)
	if h.HasFCS {
		if h.FrameContentSize > uint64(size) {
			return nil, errClaim
		}
		room = size
	}
	z, err := f.zstd()
	if err != nil {
		return nil, err
	}
	return z.DecodeAll(packed, make([]byte, 0, room))
}
