// Package store has the files of indexes and of tables: it writes and opens them, verifies what it reads, and merges
// them. Both are one container, [FORMAT.md] has it byte by byte. An opened index is mapped; lists and columns are
// verified and unpacked when they are first read. A [TableFile] is read block by block, so that [MergeTables] holds one
// block of each file. Begin reading at [Write] and [Open], then [Merge].
//
// [FORMAT.md]: https://github.com/termsift/termsift/blob/main/FORMAT.md
package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
)

// A file (FORMAT.md) consists of a header, sections, their contents and a footer. Sections are aligned and
// padded with zeros. The contents have an xxh3-64 sum for each block of a section, the footer has theirs, so
// that every byte is covered. Nothing in the file depends on what follows it.

const (
	// FormatVersion is the version that this package reads and writes.
	FormatVersion = 5

	indexMagic  = "TERMSIFT" // with documents and postings
	tableMagic  = "TERMSSTA" // a table alone
	footerMagic = "TFISMRET"
	endianMark  = 0x01020304
	headerSize  = 64
	footerSize  = 64
	align       = 64

	// blockSize is the number of bytes of a section that share a sum, and so the least
	// that must be read to verify any of them. Hashing a block takes 4 µs. Blocks of cells have their own size.
	blockSize = 1 << 16
)

var le = binary.LittleEndian

// A sectionKind is the number of a section in the contents. Sections are stored in this order.
type sectionKind int

const (
	documentText sectionKind = iota
	documentLengths
	inputPlaces
	labelStarts
	labelSection
	termText
	termLengths
	dfRuns
	denseSection
	flatSection
	denseOffsets
	countSection
	escapePlaces
	escapeSection
	valueSection
	exactSection
	cellSection
	marginSection
	metaSection
	numSections
)

// sectionNames are the names of the sections in FORMAT.md and in errors,
// sectionElements the sizes of their elements in bytes.
var (
	sectionNames = [numSections]string{
		"document-text", "document-lengths", "input-places", "label-starts", "labels",
		"term-text", "term-lengths", "df-runs", "dense", "flat", "dense-offsets",
		"counts", "escape-places", "escapes", "values", "exact-values", "cells", "margins", "meta",
	}
	sectionElements = [numSections]int{1, 1, 4, 4, 4, 1, 1, 8, 1, 1, 8, 1, 8, 4, 4, 8, 1, 8, 1}
)

func (k sectionKind) String() string { return sectionNames[k] }

// aligned returns n rounded up to a multiple of 64.
func aligned(n int) int { return (n + align - 1) &^ (align - 1) }

// IsIndex reports whether a file that begins with prefix has the signature of an index.
func IsIndex(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(indexMagic)) }

// IsTable reports whether a file that begins with prefix has the signature of statistics.
func IsTable(prefix []byte) bool { return bytes.HasPrefix(prefix, []byte(tableMagic)) }

// A writer writes the parts of a file one behind the other.
type writer struct {
	w        io.Writer
	n        int // bytes written
	contents []byte

	// Of the section that is written:
	length  int
	entry   []byte // the lengths and sums of its blocks
	hash    *xxh3.Hasher
	inBlock int // bytes
}

// newWriter begins a file with its header.
func newWriter(w io.Writer, magic string) (*writer, error) {
	o := &writer{w: w, hash: xxh3.New()}
	h := make([]byte, headerSize)
	copy(h, magic)
	le.PutUint32(h[8:], FormatVersion)
	le.PutUint32(h[12:], endianMark)
	le.PutUint64(h[56:], xxh3.Hash(h[:56]))
	return o, o.write(h)
}

func (o *writer) write(data []byte) error {
	n, err := o.w.Write(data)
	o.n += n
	return err
}

// put appends bytes to the current block.
func (o *writer) put(data []byte) error {
	_, _ = o.hash.Write(data) // hashing cannot fail
	o.inBlock += len(data)
	return o.write(data)
}

// append appends a part of a section, in blocks of equal size.
func (o *writer) append(data []byte) error {
	for len(data) > 0 {
		if o.inBlock == blockSize {
			o.endBlock()
		}
		part := data[:min(len(data), blockSize-o.inBlock)]
		if err := o.put(part); err != nil {
			return err
		}
		o.length, data = o.length+len(part), data[len(part):]
	}
	return nil
}

// appendBlock appends a block to a section.
func (o *writer) appendBlock(data []byte) error {
	o.endBlock()
	o.length += len(data)
	return o.put(data)
}

func (o *writer) endBlock() {
	if o.inBlock == 0 {
		return
	}
	o.entry = le.AppendUint64(le.AppendUint32(o.entry, uint32(o.inBlock)), o.hash.Sum64())
	o.hash.Reset()
	o.inBlock = 0
}

// endSection pads the section that was appended.
func (o *writer) endSection(kind sectionKind) error {
	if o.length == 0 {
		return nil
	}
	if err := o.put(make([]byte, aligned(o.length)-o.length)); err != nil {
		return err
	}
	o.endBlock()
	o.contents = le.AppendUint32(o.contents, uint32(kind))
	o.contents = le.AppendUint32(o.contents, uint32(len(o.entry)/blockEntry))
	o.contents = append(le.AppendUint64(o.contents, uint64(o.length)), o.entry...)
	o.length, o.entry = 0, o.entry[:0]
	return nil
}

// section writes a section.
func (o *writer) section(kind sectionKind, data []byte) error {
	if err := o.append(data); err != nil {
		return err
	}
	return o.endSection(kind)
}

// end writes the contents and the footer.
func (o *writer) end() error {
	f := make([]byte, footerSize)
	le.PutUint64(f, uint64(o.n))
	le.PutUint64(f[8:], uint64(len(o.contents)))
	le.PutUint64(f[16:], xxh3.Hash(o.contents))
	le.PutUint64(f[24:], uint64(o.n+len(o.contents)+footerSize))
	le.PutUint64(f[48:], xxh3.Hash(f[:48]))
	copy(f[56:], footerMagic)
	return o.write(append(o.contents, f...))
}

// The bytes of a section in the contents, but for its blocks, and of a block.
const (
	sectionEntry = 16
	blockEntry   = 12
)

// A container is a file of which header, contents and footer have been verified. Blocks are verified when
// they are first read; several goroutines may verify the same block.
type container struct {
	data     []byte      // nil if they are read by calls alone
	calls    io.ReaderAt // nil if the bytes are in memory
	size     int
	sections [numSections]section
	blocks   []fileBlock
	verified []atomic.Uint64 // one bit per block
}

// A section is a part of the file.
type section struct {
	length        int // without its padding
	offset        int // in the file
	first, blocks int // of container.blocks
}

// A fileBlock is a part of a section that has a sum.
type fileBlock struct {
	offset, length int // in the file, with the padding of the section
	sum            uint64
}

// openContainer verifies header, footer and contents of a file that begins with magic. Its bytes are in data
// or, if that is nil, behind calls.
func openContainer(data []byte, calls io.ReaderAt, size int64, magic string) (*container, error) {
	if size > math.MaxInt {
		return nil, files.Broken("header", 0, files.ErrFormat, "%d bytes are more than this machine can address", size)
	}
	f := &container{data: data, calls: calls, size: int(size)}
	header, err := f.read(nil, 0, min(f.size, headerSize))
	if err != nil {
		return nil, err
	}
	if err := checkHeader(header, magic); err != nil {
		return nil, err
	}
	if f.size < headerSize+footerSize {
		return nil, files.Broken("footer", f.size, files.ErrTruncated, "")
	}
	contents, at, err := f.readContents()
	if err != nil {
		return nil, err
	}
	if err := f.place(contents, at); err != nil {
		return nil, err
	}
	f.verified = make([]atomic.Uint64, (len(f.blocks)+63)/64)
	return f, nil
}

// read returns n bytes from an offset on, which are in the file, in buffer if they are read by a call.
func (f *container) read(buffer []byte, offset, n int) ([]byte, error) {
	if f.calls == nil {
		return f.data[offset : offset+n], nil
	}
	buffer = grownTo(buffer, n)
	read, err := f.calls.ReadAt(buffer, int64(offset))
	switch {
	case read == n:
		return buffer, nil
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, files.Broken("file", offset+read, files.ErrTruncated, "%d bytes at %d", n, offset)
	}
	return nil, err
}

func grownTo[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// checkHeader verifies the header, or what there is of it, of a file that begins with magic.
func checkHeader(h []byte, magic string) error {
	switch {
	case !bytes.HasPrefix(h, []byte(magic)):
		return files.Broken("header", 0, files.ErrFormat, "the first bytes are not %q", magic)
	case len(h) < 12:
		return files.Broken("header", len(h), files.ErrTruncated, "")
	}
	switch v := le.Uint32(h[8:]); { // earlier versions had other headers
	case v > FormatVersion:
		return files.Broken("header", 8, files.ErrVersion, "version %d, this program reads %d: use a newer one, or count again from the text", v, FormatVersion)
	case v < FormatVersion:
		return files.Broken("header", 8, files.ErrVersion, "version %d, made by an earlier version of this program: count again from the text", v)
	case len(h) < headerSize:
		return files.Broken("header", len(h), files.ErrTruncated, "")
	case le.Uint64(h[56:]) != xxh3.Hash(h[:56]):
		return files.Broken("header", 0, files.ErrChecksum, "")
	case le.Uint32(h[12:]) != endianMark:
		return files.Broken("header", 12, files.ErrFormat, "other byte order")
	}
	if features := le.Uint64(h[16:]); features != 0 {
		return files.Broken("header", 16, files.ErrVersion, "it needs features %#x, which this program does not know: use a newer one", features)
	}
	return checkZeros("header", h[:56], 32) // the optional features before are ignored
}

// checkZeros verifies that the bytes of a part are 0 from a place on.
func checkZeros(part string, data []byte, from int) error {
	for i, b := range data[from:] {
		if b != 0 {
			return files.Broken(part, from+i, files.ErrFormat, "a byte that is not used is not 0")
		}
	}
	return nil
}

// readContents verifies the footer and returns the contents and their place.
func (f *container) readContents() (contents []byte, at int, err error) {
	end := f.size - footerSize
	foot, err := f.read(nil, end, footerSize)
	if err != nil {
		return nil, 0, err
	}
	if string(foot[56:]) != footerMagic {
		return nil, 0, f.withoutFooter()
	}
	if le.Uint64(foot[48:]) != xxh3.Hash(foot[:48]) {
		return nil, 0, files.Broken("footer", end, files.ErrChecksum, "")
	}
	offset, length := le.Uint64(foot), le.Uint64(foot[8:])
	switch size := le.Uint64(foot[24:]); {
	case size != uint64(f.size):
		return nil, 0, files.Broken("footer", end, files.ErrFormat, "%d bytes, where the footer says %d", f.size, size)
	case offset < headerSize || offset > uint64(end) || length != uint64(end)-offset:
		return nil, 0, files.Broken("footer", end, files.ErrFormat, "the contents are not where they should be")
	}
	if contents, err = f.read(nil, int(offset), int(length)); err != nil {
		return nil, 0, err
	}
	if xxh3.Hash(contents) != le.Uint64(foot[16:]) {
		return nil, 0, files.Broken("contents", int(offset), files.ErrChecksum, "")
	}
	return contents, int(offset), checkZeros("footer", foot[:48], 32)
}

// withoutFooter returns the error for a file that does not end with a footer: something
// follows it, or it is missing.
func (f *container) withoutFooter() error {
	const near = 1 << 12
	from := max(0, f.size-near)
	data, err := f.read(nil, from, f.size-from)
	if err != nil {
		return err
	}
	if i := bytes.LastIndex(data, []byte(footerMagic)); i >= 56 && le.Uint64(data[i-8:]) == xxh3.Hash(data[i-56:i-8]) {
		return files.Broken("footer", from+i+8, files.ErrFormat, "%d foreign bytes after the end", len(data)-i-8)
	}
	return files.Broken("footer", f.size, files.ErrTruncated, "there is no footer at the end")
}

// place sets where sections and blocks are, of which the contents lie at a place in the file.
func (f *container) place(contents []byte, at int) error {
	next, last := headerSize, -1
	broken := func(format string, args ...any) error {
		return files.Broken("contents", at, files.ErrFormat, format, args...)
	}
	for rest := contents; len(rest) > 0; {
		if len(rest) < sectionEntry {
			return broken("%d bytes behind the last section", len(rest))
		}
		kind, n, length := le.Uint32(rest), uint64(le.Uint32(rest[4:])), le.Uint64(rest[8:])
		rest = rest[sectionEntry:]
		switch {
		case kind >= uint32(numSections) || int(kind) <= last:
			return broken("a section %d, which is none or out of order", kind)
		case length == 0 || length > uint64(at-next) || n == 0 || n > uint64(len(rest)/blockEntry):
			return broken("section %v has %d bytes in %d blocks", sectionKind(kind), length, n)
		case length%uint64(sectionElements[kind]) != 0:
			return files.Broken(sectionKind(kind).String(), 0, files.ErrFormat, "%d bytes are no whole number of elements", length)
		}
		s := &f.sections[kind]
		*s = section{length: int(length), offset: next, first: len(f.blocks), blocks: int(n)}
		last = int(kind)
		end := next + aligned(s.length)
		for i := range s.blocks {
			size := int(le.Uint32(rest))
			if size == 0 || size > end-next || sectionKind(kind) != cellSection && size != min(blockSize, end-next) {
				return broken("block %d of section %v has %d bytes", i, sectionKind(kind), size)
			}
			f.blocks = append(f.blocks, fileBlock{next, size, le.Uint64(rest[4:])})
			next, rest = next+size, rest[blockEntry:]
		}
		if next != end || end > at {
			return broken("the blocks of section %v do not end where it does", sectionKind(kind))
		}
	}
	if next != at {
		return broken("the contents do not begin where the sections end")
	}
	return nil
}

// content returns a section of a file in memory, which may not have been verified yet.
func (f *container) content(kind sectionKind) []byte {
	s := &f.sections[kind]
	return f.data[s.offset : s.offset+s.length : s.offset+s.length]
}

// verify verifies the blocks of a section of a file in memory that hold the bytes [from, to).
func (f *container) verify(kind sectionKind, from, to int) error {
	s := &f.sections[kind]
	for i := from / blockSize; i*blockSize < to; i++ {
		if err := f.verifyBlock(kind, s.first+i); err != nil {
			return err
		}
	}
	return nil
}

// verifyBlock verifies a block of a section of a file in memory, unless that has been done.
func (f *container) verifyBlock(kind sectionKind, n int) error {
	word, bit := &f.verified[n/64], uint64(1)<<(n%64)
	if word.Load()&bit != 0 {
		return nil
	}
	b := &f.blocks[n]
	if err := f.checkSum(kind, b, f.data[b.offset:b.offset+b.length]); err != nil {
		return err
	}
	word.Or(bit)
	return nil
}

// checkSum verifies the sum of a block, and the padding behind the last of a section, so that an index has
// exactly one file.
func (f *container) checkSum(kind sectionKind, b *fileBlock, data []byte) error {
	s := &f.sections[kind]
	if xxh3.Hash(data) != b.sum {
		return files.Broken(kind.String(), b.offset-s.offset, files.ErrChecksum, "")
	}
	if padding := b.offset + b.length - s.offset - s.length; padding > 0 {
		return checkZeros(kind.String(), data, len(data)-min(padding, len(data)))
	}
	return nil
}

// verifyWhole verifies all blocks of sections of a file in memory.
func (f *container) verifyWhole(kinds ...sectionKind) error {
	for _, kind := range kinds {
		s := &f.sections[kind]
		for i := range s.blocks {
			if err := f.verifyBlock(kind, s.first+i); err != nil {
				return err
			}
		}
	}
	return nil
}

// block returns a block of a section without its padding, verified, in buffer if it is read by a call.
func (f *container) block(kind sectionKind, i int, buffer []byte) ([]byte, error) {
	s := &f.sections[kind]
	b := &f.blocks[s.first+i]
	data, err := f.read(buffer, b.offset, b.length)
	if err != nil {
		return nil, err
	}
	return data[:max(0, min(b.length, s.offset+s.length-b.offset))], f.checkSum(kind, b, data)
}

// whole returns a section, verified, in memory of its own.
func (f *container) whole(kind sectionKind) (all []byte, err error) {
	for i := range f.sections[kind].blocks {
		data, err := f.block(kind, i, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, data...)
	}
	return all, nil
}

// fileMeta is the JSON of the section meta.
type fileMeta struct {
	Classes []string        `json:"classes"`
	Pruned  bool            `json:"pruned,omitempty"`  // terms were left out by document frequency
	Missing uint32          `json:"missing,omitempty"` // the most documents of a term that may not be counted
	Cells   string          `json:"cells,omitempty"`   // their form; "" if they are not stored
	Caller  json.RawMessage `json:"caller,omitempty"`
}
