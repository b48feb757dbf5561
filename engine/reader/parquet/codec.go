package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A codec is how the pages of a column are compressed.
type codec int64

const (
	stored   codec = 0
	inSnappy codec = 1
	inGzip   codec = 2
	inBrotli codec = 4
	inZstd   codec = 6
	inLZ4    codec = 7 // LZ4_RAW: a block without a frame
)

// codecNames has the names of the codecs by their numbers.
var codecNames = []string{"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"}

// The most bytes that a byte becomes in snappy, whose elements of 3 bytes give 64, in deflate,
// where two bits give 258, and in LZ4, where a byte adds 255 to a length. What a page claims
// beyond is refused before memory is allocated for it.
const (
	snappyMost = 22
	gzipMost   = 1032
	lz4Most    = 255
)

// firstRoom is allocated for what comes out of brotli, and of zstd whose header does not say how
// much: a few bytes of these can become millions.
const firstRoom = 1 << 20

// check refuses a codec that is not read.
func (c codec) check() error {
	switch c {
	case stored, inSnappy, inGzip, inBrotli, inZstd, inLZ4:
		return nil
	}
	if c < 0 || int(c) >= len(codecNames) {
		return damaged("the column has the unknown compression %d", c)
	}
	return notRead("write it with zstd, snappy, gzip, brotli, LZ4_RAW or without compression", "the column is compressed by %s", codecNames[c])
}

// decompress returns the size bytes that packed becomes, in a buffer of the file's. packed
// itself is returned by the codec that stores.
func (f *File) decompress(c codec, packed []byte, size int) ([]byte, error) {
	var out []byte
	var err error
	switch c {
	case stored:
		out = packed
	case inSnappy:
		out, err = f.unsnap(packed, size)
	case inGzip:
		out, err = f.unzip(packed, size)
	case inBrotli:
		out, err = unbrotli(packed, size)
	case inZstd:
		out, err = f.unzstd(packed, size)
	case inLZ4:
		out, err = unlz4(packed, size)
	default:
		return nil, c.check()
	}
	if err == nil && len(out) != size {
		err = fmt.Errorf("%d bytes come out, not %d", len(out), size)
	}
	if err != nil {
		return nil, &Error{
			Problem: "broken " + codecNames[c], Err: err,
			Remedy: "it may be damaged or cut: fetch or write it again",
		}
	}
	return out, nil
}

// errClaim is the error for a page that cannot become what its header says.
var errClaim = errors.New("it cannot become as many bytes as its header says")

func (f *File) unsnap(packed []byte, size int) ([]byte, error) {
	claimed, err := snappy.DecodedLen(packed)
	switch {
	case err != nil:
		return nil, err
	case claimed != size || int64(size) > snappyMost*int64(len(packed)):
		return nil, errClaim
	}
	return snappy.Decode(byteMemory.get(size)[:size], packed)
}

// gunzips has readers of gzip that nobody uses.
var gunzips sync.Pool

func (f *File) unzip(packed []byte, size int) ([]byte, error) {
	if int64(size) > gzipMost*int64(len(packed)) {
		return nil, errClaim
	}
	z, _ := gunzips.Get().(*gzip.Reader)
	if z == nil {
		z = new(gzip.Reader)
	}
	defer gunzips.Put(z)
	if err := z.Reset(bytes.NewReader(packed)); err != nil {
		return nil, err
	}
	out := byteMemory.get(size)[:size]
	n, err := io.ReadFull(z, out)
	if err != nil {
		return out[:n], err
	}
	var more [1]byte
	if n, err = z.Read(more[:]); n > 0 || !errors.Is(err, io.EOF) {
		return nil, errors.Join(errClaim, err)
	}
	return out, nil
}

// unbrotlis has readers of brotli that nobody uses.
var unbrotlis = sync.Pool{New: func() any { return brotli.NewReader(nil) }}

// unbrotli makes room for what has come out only.
func unbrotli(packed []byte, size int) ([]byte, error) {
	z := unbrotlis.Get().(*brotli.Reader)
	if err := z.Reset(bytes.NewReader(packed)); err != nil {
		return nil, err
	}
	out := byteMemory.get(min(size, firstRoom))
	for len(out) < size {
		if len(out) == cap(out) {
			longer := append(byteMemory.get(min(2*cap(out), size)), out...)
			byteMemory.put(out)
			out = longer
		}
		n, err := z.Read(out[len(out):min(cap(out), size)])
		out = out[:len(out)+n]
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
	var more [1]byte
	if n, err := io.ReadFull(z, more[:]); n > 0 || !errors.Is(err, io.EOF) {
		return nil, errors.Join(errClaim, err)
	}
	unbrotlis.Put(z) // one that failed may keep bytes of its input
	return out, nil
}

func unlz4(packed []byte, size int) ([]byte, error) {
	if int64(size) > lz4Most*int64(len(packed)) {
		return nil, errClaim
	}
	out := byteMemory.get(size)[:size]
	n, err := lz4.UncompressBlock(packed, out)
	return out[:max(n, 0)], err
}

// An unzstd is a decoder of zstd with the most bytes that may come out.
type unzstd struct {
	*zstd.Decoder
	most int64
}

// unzstds has those that nobody uses. A decoder has 300 KB of tables and buffers.
var unzstds sync.Pool

// newUnzstd returns a decoder that works on the goroutine that calls it, and may make most bytes.
func newUnzstd(most int64) (*unzstd, error) {
	if z, ok := unzstds.Get().(*unzstd); ok && z.most == most {
		return z, nil
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecoderMaxWindow(uint64(max(most, zstd.MinWindowSize))))
	return &unzstd{z, most}, err
}

func (f *File) unzstd(packed []byte, size int) ([]byte, error) {
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
	z, err := newUnzstd(f.limits.Page)
	if err != nil {
		return nil, err
	}
	defer unzstds.Put(z)
	return z.DecodeAll(packed, byteMemory.get(room))
}
