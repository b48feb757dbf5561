// Package compression reads what gzip, zstd, xz and bzip2 compressed.
//
// It takes a buffered reader and gives one of what comes out. Begin reading at kinds.go. The
// package never starts a goroutine, and never takes more memory than the limit of a window says.
package compression

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"github.com/termsift/termsift/engine/usage"
)

// A Kind is a way to compress files that is recognised by their first bytes.
type Kind struct {
	Name      string
	extension string
	begins    func(prefix []byte) bool
	open      func(in *bufio.Reader, window int64) (io.Reader, func(), error)
}

var kinds = []Kind{
	{"gzip", ".gz", hasMagic("\x1f\x8b"), openGzip},
	{"zstd", ".zst", beginsZstd, openZstd},
	{"xz", ".xz", hasMagic("\xfd7zXZ\x00"), func(in *bufio.Reader, window int64) (io.Reader, func(), error) {
		z, err := xz.NewReader(in, uint32(min(window, math.MaxUint32)))
		return windowed(z, 0, window), func() {}, err
	}},
	{"bzip2", ".bz2", hasMagic("BZh"), func(in *bufio.Reader, _ int64) (io.Reader, func(), error) {
		return bzip2.NewReader(in), func() {}, nil
	}},
}

// Of returns the compression whose magic bytes a prefix begins with, or nil.
func Of(prefix []byte) *Kind {
	for i := range kinds {
		if kinds[i].begins(prefix) {
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
	r, end, err := k.open(in, window)
	if err != nil {
		return nil, nil, err
	}
	return Naming(r, k.Name), end, nil
}

// Naming returns a reader of r whose errors begin with a name, but for those of the input and
// those that have the name already.
func Naming(r io.Reader, name string) io.Reader {
	return errorReader{r, func(err error) error {
		if ofInput(err) || strings.Contains(err.Error(), name) {
			return err
		}
		return fmt.Errorf("%s: %w", name, err)
	}}
}

// An errorReader changes the errors of a reader, but for io.EOF.
type errorReader struct {
	r      io.Reader
	change func(err error) error
}

func (e errorReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = e.change(err)
	}
	return n, err
}

// ofInput reports whether an error is one of reading the input, or of its limits, and not of
// decompression.
func ofInput(err error) bool {
	var read *fs.PathError
	return errors.As(err, &read) || errors.Is(err, usage.ErrData)
}

// hasMagic returns a function that reports whether a prefix begins with the magic bytes.
func hasMagic(magic string) func(prefix []byte) bool {
	return func(prefix []byte) bool {
		return strings.HasPrefix(string(prefix[:min(len(prefix), len(magic))]), magic)
	}
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

// Is makes every WindowError a usage.ErrData.
func (e *WindowError) Is(target error) bool { return target == usage.ErrData }

// windowed returns a reader of r that has a [WindowError] where r asks for too much. asked is
// what it asks for, if that is known.
func windowed(r io.Reader, asked uint64, limit int64) io.Reader {
	return errorReader{r, func(err error) error {
		if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
			return &WindowError{asked, limit}
		}
		return err
	}}
}
