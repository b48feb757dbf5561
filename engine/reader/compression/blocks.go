package compression

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/termsift/termsift/engine/usage"
)

// This file decompresses side by side what consists of units that need not know each other:
// frames of zstd, members of gzip that say how long they are. The goroutine that cuts finds
// where units end, which takes no decompression, and makes blocks of them. Blocks are handed
// out like frames of documents, so that the workers that parse and count also decompress, and
// no more goroutines run than were asked for. A block that nobody has begun when it is needed
// is decompressed by the goroutine that cuts. With one thread that is all of them.
//
// Whatever is out of the ordinary (a unit that is broken, cut, too long, or no unit at all) is
// left to the reader that decompresses one unit after another, from the beginning of that unit
// on. So the bytes before an error, and the error, are that reader's.

// A unit, and a block of them, is held in memory compressed and decompressed. A unit of more
// than mostPacked or mostUnpacked bytes is not.
const (
	mostPacked   = 8 << 20
	mostUnpacked = 8 << 20 // pzstd writes frames of 8 MiB up to level 8
	// A block has units of so many bytes or a little more: about as much work as a frame of
	// documents.
	blockPacked   = 64 << 10
	blockUnpacked = 256 << 10
	// aheadBytes bounds, for each thread, the blocks that were found and are not read yet,
	// but for one.
	aheadBytes = 8 << 20
	restBytes  = 256 << 10 // are read at a time of what is no block
)

// A blockFormat knows the units of a compression. Its decode is called by several goroutines.
type blockFormat interface {
	// next moves the unit at the front of in behind packed and returns the number of bytes
	// that it may become. ok is false if what is there is no unit that can be decompressed
	// alone; what was moved of it is behind packed then, too.
	next(in *bufio.Reader, packed []byte) (longer []byte, size int, ok bool)
	// decode appends to dst what whole units become.
	decode(dst, packed []byte) ([]byte, error)
	// rest opens the reader that reads one unit after another. place says where in begins.
	rest(in *bufio.Reader, place unitPlace) (io.Reader, func(), error)
}

// A unitPlace says where a unit begins.
type unitPlace struct {
	kind  string // of units
	units int    // before it
	bytes int64  // before it; 0 = not known
}

// after adds the place of a unit that is not the first to an error of decompression.
func (u unitPlace) after(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) || u.units == 0 || ofInput(err):
		return err
	case u.bytes == 0:
		return fmt.Errorf("after %d %s: %w", u.units, u.kind, err)
	}
	return fmt.Errorf("after %d %s, which end at byte %d: %w", u.units, u.kind, u.bytes, err)
}

// A block is a run of whole units.
type block struct {
	packed   []byte
	ends     []int // of the units in packed
	size     int   // the most bytes that it may become
	begun    atomic.Bool
	done     chan struct{} // closed when unpacked and err are known
	unpacked []byte
	err      error
}

// errBroken says that decompressing a block did not end. Nobody sees it.
var errBroken = errors.New("broken block")

// decompress decompresses a block unless somebody has begun to.
func (b *block) decompress(beside *Beside, format blockFormat) {
	if !b.begun.CompareAndSwap(false, true) {
		return
	}
	b.err = errBroken
	defer close(b.done)
	b.unpacked, b.err = format.decode(beside.Memory.Get(b.size+slack), b.packed)
}

// slack is what decoders write behind what comes out.
const slack = 64

// Beside is what decompressing side by side takes from its caller.
type Beside struct {
	Threads int
	// Out hands out work, which any goroutine may do, at any time, or never.
	Out func(work func()) error
	// Count counts bytes of the input that were read. They are counted when blocks are read,
	// not when they are found: the count does not depend on how many there are at a time.
	Count  func(bytes int)
	Memory interface {
		Get(size int) []byte // empty, with room for size bytes
		Put(b []byte)        // takes back what Get gave
	}
}

// A blockReader reads a compressed input by blocks, in order.
type blockReader struct {
	ctx    context.Context
	in     *bufio.Reader
	format blockFormat
	beside *Beside
	most   int // number of blocks at a time

	place  unitPlace // of the next unit that is read
	last   *block    // that is read
	left   []byte    // of it
	blocks []*block  // behind it
	size   int       // of these, compressed and decompressed
	found  bool      // all units that can be decompressed alone are in blocks or were
	odd    []byte    // what was moved of the unit behind them
	serial io.Reader // reads all that is left, unless nil
	ends   func()    // serial
	err    error     // the first; every later Read returns it
}

// OpenBeside is Open for an input that consists of blocks, which are decompressed side by side
// until ctx ends. It is not ok for any other.
func (k *Kind) OpenBeside(ctx context.Context, in *bufio.Reader, window int64, beside *Beside) (_ io.Reader, end func(), ok bool) {
	if k.blocks == nil {
		return nil, nil, false
	}
	format := k.blocks(in, window, beside.Threads)
	if format == nil {
		return nil, nil, false
	}
	r := &blockReader{ctx: ctx, in: in, format: format, beside: beside, most: 1, ends: func() {}}
	if beside.Threads > 1 {
		r.most = 2 * beside.Threads
	}
	return k.naming(r), func() { r.ends() }, true
}

func (r *blockReader) Read(p []byte) (n int, err error) {
	for len(r.left) == 0 && r.serial == nil && r.err == nil {
		r.err = r.nextBlock()
	}
	switch {
	case len(r.left) > 0:
		n = copy(p, r.left)
		r.left = r.left[n:]
	case r.err != nil:
		return 0, r.err
	default:
		n, r.err = r.serial.Read(p)
	}
	return n, r.err
}

// nextBlock makes left what the next block became, or opens serial where there is none.
func (r *blockReader) nextBlock() error {
	if r.last != nil {
		r.beside.Memory.Put(r.last.packed)
		r.beside.Memory.Put(r.last.unpacked)
		r.last = nil
	}
	for !r.found && (len(r.blocks) == 0 || len(r.blocks) < r.most && r.size < aheadBytes/2*r.most) {
		if err := r.findBlock(); err != nil {
			return err
		}
	}
	if len(r.blocks) == 0 {
		return r.openRest(nil)
	}
	b := r.blocks[0]
	b.decompress(r.beside, r.format)
	select {
	case <-b.done:
	case <-r.ctx.Done():
		return usage.Cause(r.ctx)
	}
	r.blocks = r.blocks[1:]
	r.size -= len(b.packed) + b.size
	if b.err != nil {
		return r.readBroken(b)
	}
	r.count(len(b.ends), len(b.packed))
	r.last, r.left = b, b.unpacked
	return nil
}

// count counts units as read.
func (r *blockReader) count(units, bytes int) {
	r.place.units += units
	r.place.bytes += int64(bytes)
	r.beside.Count(bytes)
}

// findBlock finds the next block and hands it out to be decompressed.
func (r *blockReader) findBlock() error {
	b := &block{packed: r.beside.Memory.Get(blockPacked), done: make(chan struct{})}
	for len(b.packed) < blockPacked && b.size < blockUnpacked {
		from := len(b.packed)
		longer, size, ok := r.format.next(r.in, b.packed)
		if !ok {
			r.found, r.odd, b.packed = true, bytes.Clone(longer[from:]), longer[:from]
			break
		}
		b.packed = longer
		b.size += size
		b.ends = append(b.ends, len(longer))
	}
	if len(b.ends) == 0 {
		return nil
	}
	r.blocks = append(r.blocks, b)
	r.size += len(b.packed) + b.size
	if r.most == 1 {
		return nil
	}
	return r.beside.Out(func() { b.decompress(r.beside, r.format) })
}

// readBroken makes left what the units of a block became up to the first that is broken. From
// there on one unit is read after another.
func (r *blockReader) readBroken(b *block) error {
	unpacked, from, units := []byte(nil), 0, 0
	for _, end := range b.ends {
		longer, err := r.format.decode(unpacked, b.packed[from:end])
		if err != nil {
			break
		}
		unpacked, from = longer, end
		units++
	}
	r.left = unpacked
	r.count(units, from)
	return r.openRest(b.packed[from:])
}

// openRest opens the reader of all that is left: first, the blocks that were found, and what
// was not looked at.
func (r *blockReader) openRest(first []byte) error {
	sources := []io.Reader{bytes.NewReader(first)}
	for _, b := range r.blocks {
		sources = append(sources, bytes.NewReader(b.packed))
	}
	r.blocks = nil
	sources = append(sources, bytes.NewReader(r.odd), r.in)
	in := bufio.NewReaderSize(countedReader{io.MultiReader(sources...), r.beside.Count}, restBytes)
	if _, err := in.Peek(1); err != nil {
		return err
	}
	serial, ends, err := r.format.rest(in, r.place)
	if err == nil {
		r.serial, r.ends = serial, ends
	}
	return err
}

// A countedReader counts the bytes that are read.
type countedReader struct {
	r     io.Reader
	count func(bytes int)
}

func (c countedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.count(n)
	return n, err
}
