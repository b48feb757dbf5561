package compression

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

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
	for skipped := 0; skipped <= MostPadding; {
		if _, err := in.Peek(1); err != nil {
			return err
		}
		block, _ := in.Peek(in.Buffered())
		zeros := 0
		for zeros < len(block) && block[zeros] == 0 {
			zeros++
		}
		_, _ = in.Discard(zeros) // they are in the buffer
		if zeros < len(block) {
			return nil
		}
		skipped += zeros
	}
	return fmt.Errorf("more than %d zeros follow its end", MostPadding)
}
