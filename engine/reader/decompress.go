package reader

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/termsift/termsift/engine/document"
)

// defaultWindow is the most memory that a compressed input may ask for: what zstd --long=27
// makes, and twice what xz -9 does.
const defaultWindow = 128 << 20

// A compression is a way to compress files that is recognised by their first bytes.
type compression struct {
	name, extension string
	begins          func(prefix []byte) bool
	open            func(in *bufio.Reader, window int64) (io.Reader, func(), error)
	// blocks returns how to decompress what in begins side by side; nil where it cannot be.
	blocks func(s *Source, in *bufio.Reader) blockFormat
}

var compressions = []compression{
	{"gzip", ".gz", hasMagic("\x1f\x8b"), openGzip, newBGZFBlocks},
	{"zstd", ".zst", beginsZstd, openZstd, newZstdBlocks},
	{"xz", ".xz", hasMagic("\xfd7zXZ\x00"), openXZ, nil},
	{"bzip2", ".bz2", hasMagic("BZh"), openBzip2, nil},
}

// hasMagic returns a function that reports whether a prefix begins with the magic bytes.
func hasMagic(magic string) func(prefix []byte) bool {
	return func(prefix []byte) bool { return len(prefix) >= len(magic) && string(prefix[:len(magic)]) == magic }
}

// beginsZstd reports whether a prefix begins a zstd frame, or a skippable frame, which
// pzstd and others write before the first.
func beginsZstd(prefix []byte) bool {
	if len(prefix) < 4 {
		return false
	}
	return string(prefix[:4]) == "\x28\xb5\x2f\xfd" || prefix[0]&0xf0 == 0x50 && string(prefix[1:4]) == "\x2a\x4d\x18"
}

// openZstd returns a reader that decodes on the goroutine that calls it.
func openZstd(r *bufio.Reader, window int64) (io.Reader, func(), error) {
	z, err := newZstd(r, 1, window)
	if err != nil {
		return nil, nil, err
	}
	return &windowReader{r: z, in: r, limit: window}, z.Close, nil
}

// newZstd returns a decoder of zstd that takes windows up to a limit, which it knows from
// a kilobyte on.
func newZstd(r io.Reader, threads int, window int64, more ...zstd.DOption) (*zstd.Decoder, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(threads), zstd.WithDecoderMaxWindow(uint64(max(window, zstd.MinWindowSize)))}
	return zstd.NewReader(r, append(options, more...)...)
}

func openXZ(r *bufio.Reader, window int64) (io.Reader, func(), error) {
	z, err := xz.NewReader(r, uint32(min(window, math.MaxUint32)))
	return &windowReader{r: z, limit: window}, func() {}, err
}

func openBzip2(r *bufio.Reader, _ int64) (io.Reader, func(), error) {
	return bzip2.NewReader(r), func() {}, nil
}

// A windowReader returns an [Error] without a place where a compressed input asks for more
// memory than the limit.
type windowReader struct {
	r     io.Reader
	in    *bufio.Reader // at the frame of zstd that is first read; nil = unknown
	limit int64
	begun bool
	asked uint64 // by the first frame; 0 = unknown
}

func (w *windowReader) Read(p []byte) (int, error) {
	if !w.begun && w.in != nil {
		head, _ := w.in.Peek(zstd.HeaderMaxSize) // an error comes again
		var h zstd.Header
		if h.Decode(head) == nil {
			w.asked = h.WindowSize
		}
	}
	w.begun = true
	n, err := w.r.Read(p)
	if !errors.Is(err, zstd.ErrWindowSizeExceeded) && !errors.Is(err, xz.ErrMemlimit) {
		return n, err
	}
	much := "more"
	if w.asked > uint64(w.limit) {
		much = fmt.Sprintf("%d bytes, more", w.asked)
	}
	return n, &Error{
		Kind: "large window", Problem: fmt.Sprintf("the file is sound, and to unpack it takes a window of %s than the limit of %d bytes", much, w.limit),
		Remedy: "raise the limit with --max-window; so much memory is taken",
	}
}

// compressionOf returns the compression whose magic bytes a prefix begins with, or nil.
func compressionOf(prefix []byte) *compression {
	for i := range compressions {
		if compressions[i].begins(prefix) {
			return &compressions[i]
		}
	}
	return nil
}

// decompressed returns a reader of what in holds decompressed, or in itself where it is
// not compressed. closing releases the reader. The meter, unless nil, bounds what comes
// out.
func (s *Source) decompressed(pos document.Position, m *meter, in *bufio.Reader) (inside *bufio.Reader, closing func(), err error) {
	return s.decompressedBeside(pos, m, in, nil)
}

// decompressedBeside is decompressed, and passes to out what can be decompressed side by side,
// unless out is nil.
func (s *Source) decompressedBeside(pos document.Position, m *meter, in *bufio.Reader, out func(frame) error) (inside *bufio.Reader, closing func(), err error) {
	prefix, err := peek(in, prefixBytes)
	if err != nil && len(prefix) == 0 {
		return nil, nil, s.failure(pos, "the input cannot be read", err)
	}
	c := compressionOf(prefix)
	if c == nil {
		return in, func() {}, nil
	}
	z, end, err := s.openCompressed(pos, m, in, c, out)
	if err != nil {
		return nil, nil, s.failure(pos, "broken "+c.name, err)
	}
	inside = buffered(&expansionGuard{meter: m, pos: pos, kind: c, out: z})
	return inside, func() {
		end()
		recycle(inside)
	}, nil
}

// openCompressed opens the reader of a compression, side by side where out and the input allow
// it.
func (s *Source) openCompressed(pos document.Position, m *meter, in *bufio.Reader, c *compression, out func(frame) error) (io.Reader, func(), error) {
	if out != nil && c.blocks != nil {
		if format := c.blocks(s, in); format != nil {
			r := s.newBlockReader(pos, m, in, format, out)
			return r, r.end, nil
		}
	}
	return c.open(in, s.opt.MaxWindow)
}

// peek returns the next size bytes without consuming them; fewer only at the end of the
// input or with an error.
func peek(in *bufio.Reader, size int) ([]byte, error) {
	prefix, err := in.Peek(size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return prefix, err
}
