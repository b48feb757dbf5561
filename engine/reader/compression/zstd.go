package compression

import (
	"bufio"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// zstdBlockMost is the most bytes that a block within a frame becomes.
const zstdBlockMost = 128 << 10

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

// zstdBlocks finds the frames of zstd, as pzstd and the seekable format write them, by the
// headers of the frames and of the blocks within.
type zstdBlocks struct {
	decoder *zstd.Decoder
	window  int64 // the largest
}

func newZstdBlocks(_ *bufio.Reader, window int64, threads int) blockFormat {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(threads), maxWindow(window), zstd.WithDecoderMaxMemory(2*mostUnpacked))
	if err != nil {
		return nil
	}
	return zstdBlocks{decoder, window}
}

func (z zstdBlocks) next(in *bufio.Reader, packed []byte) (longer []byte, size int, ok bool) {
	head, _ := in.Peek(zstd.HeaderMaxSize) // an error comes again
	var h zstd.Header
	if h.Decode(head) != nil {
		return packed, 0, false
	}
	if h.Skippable {
		if h.SkippableSize > mostPacked {
			return packed, 0, false
		}
		longer, ok = moveBytes(in, packed, h.HeaderSize+int(h.SkippableSize))
		return longer, 0, ok
	}
	if h.DictionaryID != 0 || h.FrameContentSize > mostUnpacked {
		return packed, 0, false
	}
	from := len(packed)
	if packed, ok = moveBytes(in, packed, h.HeaderSize); !ok {
		return packed, 0, false
	}
	if packed, size, ok = moveZstdBlocks(in, packed, from+mostPacked); !ok {
		return packed, 0, false
	}
	if h.HasCheckSum {
		packed, ok = moveBytes(in, packed, 4)
	}
	if h.HasFCS {
		size = int(h.FrameContentSize)
	}
	return packed, size, ok
}

// moveZstdBlocks moves the blocks of a frame behind packed, and returns the number of bytes
// that they may become.
func moveZstdBlocks(in *bufio.Reader, packed []byte, most int) (longer []byte, size int, ok bool) {
	for last := false; !last; {
		head, err := in.Peek(3)
		if err != nil {
			return packed, 0, false
		}
		number := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
		last = number&1 != 0
		content := number >> 3
		switch kind := number >> 1 & 3; kind {
		case 0: // as it is
			size += content
		case 1: // one byte, repeated
			size += content
			content = 1
		case 2: // compressed
			size += zstdBlockMost
		default:
			return packed, 0, false
		}
		if size > mostUnpacked || len(packed)+content > most {
			return packed, 0, false
		}
		if packed, ok = moveBytes(in, packed, 3+content); !ok {
			return packed, 0, false
		}
	}
	return packed, size, true
}

// moveBytes moves n bytes of in behind packed. If in ends before, ok is false.
func moveBytes(in *bufio.Reader, packed []byte, n int) (longer []byte, ok bool) {
	from := len(packed)
	packed = slices.Grow(packed, n)[:from+n]
	got, err := io.ReadFull(in, packed[from:])
	return packed[:from+got], err == nil
}

func (z zstdBlocks) decode(dst, packed []byte) ([]byte, error) {
	return z.decoder.DecodeAll(packed, dst)
}

func (z zstdBlocks) rest(in *bufio.Reader, place unitPlace) (io.Reader, func(), error) {
	place.kind = "frames"
	r, end, err := openZstd(in, z.window)
	return errorReader{r, place.after}, end, err
}
