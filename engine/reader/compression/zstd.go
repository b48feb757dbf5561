package compression

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/zstd"
)

// beginsZstd reports whether a prefix begins a zstd frame, or a skippable frame, which
// pzstd and others write before the first.
func beginsZstd(prefix []byte) bool {
	if len(prefix) < 4 {
		return false
	}
	return string(prefix[:4]) == "\x28\xb5\x2f\xfd" || prefix[0]&0xf0 == 0x50 && string(prefix[1:4]) == "\x2a\x4d\x18"
}

// maxWindow returns the option of a decoder that takes windows up to a limit, which it knows
// from a kilobyte on.
func maxWindow(window int64) zstd.DOption {
	return zstd.WithDecoderMaxWindow(uint64(max(window, zstd.MinWindowSize)))
}

// openZstd returns a reader that decodes on the goroutine that calls it.
func openZstd(in *bufio.Reader, window int64) (io.Reader, func(), error) {
	var h zstd.Header
	if head, _ := in.Peek(zstd.HeaderMaxSize); h.Decode(head) != nil { // an error comes again
		h.WindowSize = 0
	}
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), maxWindow(window))
	if err != nil {
		return nil, nil, err
	}
	return windowed(z, h.WindowSize, window), z.Close, nil
}

// ZipZstd returns what opens the members of a zip that zstd compressed.
func ZipZstd(window int64) func(in io.Reader) io.ReadCloser {
	open := zstd.ZipDecompressor(maxWindow(window))
	return func(in io.Reader) io.ReadCloser {
		z := open(in)
		return struct {
			io.Reader
			io.Closer
		}{windowed(z, 0, window), z}
	}
}
