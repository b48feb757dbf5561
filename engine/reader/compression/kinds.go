// Package compression reads what gzip, zstd, xz and bzip2 compressed.
//
// It takes a buffered reader and gives one of what comes out. Begin reading at kinds.go. The
// package never starts a goroutine, and never takes more memory than the limit of a window says.
package compression

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/termsift/termsift/engine/usage"
)

// A Kind is a way to compress files that is recognised by their first bytes.
type Kind struct {
	Name      string
	extension string
	magic     string
	open      func(in *bufio.Reader, window int64) (io.Reader, func(), error)
}

const zstdMagic = "\x28\xb5\x2f\xfd"

var kinds = []Kind{
	{"gzip", ".gz", "\x1f\x8b", openGzip},
	{"zstd", ".zst", zstdMagic, func(in *bufio.Reader, window int64) (io.Reader, func(), error) { // on the goroutine that calls it
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), maxWindow(window))
		return z, z.Close, err
	}},
	{"xz", ".xz", "\xfd7zXZ\x00", func(in *bufio.Reader, window int64) (io.Reader, func(), error) {
		z, err := xz.NewReader(in, uint32(min(window, math.MaxUint32)))
		return z, func() {}, err
	}},
	{"bzip2", ".bz2", "BZh", func(in *bufio.Reader, _ int64) (io.Reader, func(), error) {
		return bzip2.NewReader(in), func() {}, nil
	}},
}

// Of returns the compression whose magic bytes a prefix begins with, or nil.
func Of(prefix []byte) *Kind {
	if len(prefix) >= 4 && prefix[0]&0xf0 == 0x50 && string(prefix[1:4]) == "\x2a\x4d\x18" {
		prefix = []byte(zstdMagic) // it is a frame to be skipped, which pzstd and others write before the first
	}
	for i := range kinds {
		if bytes.HasPrefix(prefix, []byte(kinds[i].magic)) {
			return &kinds[i]
		}
	}
	return nil
}

// TrimExtension returns a file's name without the extension of a compression.
func TrimExtension(name string) string {
	for i := range kinds {
		name = strings.TrimSuffix(name, kinds[i].extension)
	}
	return name
}

// Open returns a reader of what in holds, decompressed, and a function that releases it. What
// asks for more memory than window bytes is a [WindowError].
func (k *Kind) Open(in *bufio.Reader, window int64) (io.Reader, func(), error) {
	var h zstd.Header
	if head, _ := in.Peek(zstd.HeaderMaxSize); h.Decode(head) != nil { // it is no zstd, or the error comes again
		h.WindowSize = 0
	}
	r, end, err := k.open(in, window)
	if err != nil {
		return nil, nil, err
	}
	return namingReader{r, k.Name, h.WindowSize, window}, end, nil
}

// Naming returns a reader of r, which asks for window bytes at most, whose errors begin with a name, but for those of the
// input and those that have the name already.
func Naming(r io.Reader, name string, window int64) io.Reader {
	return namingReader{r, name, 0, window}
}

// A namingReader changes the errors of a reader: it has a [WindowError] where that asks for too much.
type namingReader struct {
	r     io.Reader
	name  string
	asked uint64 // 0 = not known
	limit int64
}

func (n namingReader) Read(p []byte) (int, error) {
	size, err := n.r.Read(p)
	switch {
	case err == nil || errors.Is(err, io.EOF) || ofInput(err):
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, xz.ErrMemlimit):
		err = &WindowError{n.asked, n.limit}
	case !strings.Contains(err.Error(), n.name):
		err = fmt.Errorf("%s: %w", n.name, err)
	}
	return size, err
}

// ofInput reports whether an error is one of reading the input, or of its limits, and not of
// decompression.
func ofInput(err error) bool {
	var read *fs.PathError
	return errors.As(err, &read) || errors.Is(err, usage.ErrData)
}

// A WindowError says that a compressed input asks for more memory than the limit. The input is
// sound.
type WindowError struct {
	Asked uint64 // 0 = not known
	Limit int64
}

func (e *WindowError) Error() string {
	much := "more"
	if e.Asked > uint64(e.Limit) {
		much = fmt.Sprintf("%d bytes, more", e.Asked)
	}
	return fmt.Sprintf("the file is sound, and to unpack it takes a window of %s than the limit of %d bytes", much, e.Limit)
}

// MostPadding is the most zero bytes that are read after the end of gzip and tar. Tapes and
// disks pad to a block, of some megabytes at most.
const MostPadding = 64 << 20

// A gzipReader reads the members of a gzip file one after the other. Zero bytes after the
// last are padding, as they are for gzip itself.
type gzipReader struct {
	in      *bufio.Reader
	z       *gzip.Reader
	members int   // before the one that is read
	err     error // the first error; every later Read returns it
}

func openGzip(in *bufio.Reader, _ int64) (io.Reader, func(), error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, nil, err
	}
	z.Multistream(false)
	return &gzipReader{in: in, z: z}, func() { _ = z.Close() }, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for n := 0; ; {
		if g.err != nil || n > 0 || len(p) == 0 {
			return n, g.err
		}
		if n, g.err = g.z.Read(p); errors.Is(g.err, io.EOF) {
			g.members++
			g.err = g.next()
		}
		if g.members > 0 && g.err != nil && !errors.Is(g.err, io.EOF) && !ofInput(g.err) {
			g.err = fmt.Errorf("after %d members: %w", g.members, g.err)
		}
	}
}

// next begins the next member. It returns io.EOF if there is none.
func (g *gzipReader) next() error {
	if err := skipZeros(g.in); err != nil {
		return err
	}
	if err := g.z.Reset(g.in); err != nil {
		return err
	}
	g.z.Multistream(false)
	return nil
}

// skipZeros discards zero bytes. It returns io.EOF if nothing else follows.
func skipZeros(in *bufio.Reader) error {
	for range MostPadding + 1 {
		if c, err := in.ReadByte(); err != nil {
			return err
		} else if c != 0 {
			return in.UnreadByte()
		}
	}
	return fmt.Errorf("more than %d zeros follow its end", MostPadding)
}

// maxWindow returns the option of a decoder that takes windows up to a limit, which it knows
// from a kilobyte on.
func maxWindow(window int64) zstd.DOption {
	return zstd.WithDecoderMaxWindow(uint64(max(window, zstd.MinWindowSize)))
}

// ZipZstd returns what opens the members of a zip that zstd compressed.
func ZipZstd(window int64) func(in io.Reader) io.ReadCloser {
	return zstd.ZipDecompressor(maxWindow(window))
}
