package tablefile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A file of statistics (FORMAT.md) consists of a header, a head with the margins and the
// names of the classes, blocks of terms in the order of their bytes, a table of the blocks
// and a footer. Nothing before the footer depends on what comes behind it, so that files are
// merged as streams; every part has its own xxh3-64, so that a block can be read alone.

const (
	magic       = "TERMSSTA"
	footerMagic = "ATSSMRET"
	headerSize  = 32
	footerSize  = 80
	sumSize     = 8

	version = 4

	// Bits of the header's features.
	realValues  = 1 // see [table.Form]
	prunedTerms = 2 // terms were left out by document frequency
	rareLeftOut = 4 // terms that are rare in a shard were left out there: the head has the bound
	largeCounts = 8 // without realValues

	knownFeatures = realValues | prunedTerms | rareLeftOut | largeCounts
)

var le = binary.LittleEndian

// mostDocuments is the largest number of documents in a file of statistics.
const mostDocuments = 1 << 32

// IsTable reports whether a file that begins with prefix has the signature of
// statistics.
func IsTable(prefix []byte) bool {
	return len(prefix) >= len(magic) && string(prefix[:len(magic)]) == magic
}

// ErrUnwritable is wrapped by the errors of statistics that a file cannot hold.
var ErrUnwritable = usage.NewError(usage.ErrData, "statistics that a file cannot hold")

// Write writes a file of statistics with the caller's description and returns
// its length. It leaves out the sums of weights, which are not additive. It returns an
// [ErrUnwritable] for statistics that [Decode] would reject: those of too many
// documents, with sums that are not finite, with cells that contradict the margins, or with
// a term twice.
func Write(w io.Writer, s *table.Table, meta json.RawMessage) (int64, error) {
	if err := s.Check(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	f := newWriter(w, s.Cells.Form)
	if err := f.head(s, meta); err != nil {
		return f.at, err
	}
	last := ""
	for i, t := range s.Names.Sorted() {
		name := s.Names.Term(int(t))
		if i > 0 && name == last {
			return f.at, fmt.Errorf("%w: the term %q stands there twice", ErrUnwritable, usage.Cut(name))
		}
		if err := f.term(name, &s.Cells, int(t)); err != nil {
			return f.at, err
		}
		last = name
	}
	err := f.end()
	return f.at, err
}

// missing reads the bound of statistics without rare terms.
func (d *valueDecoder) missing() uint32 {
	n := d.count(table.MostMissing)
	if n == 0 {
		d.fail("rare terms were left out, but not a document is missing")
	}
	return uint32(n)
}

// Decode returns the statistics in the bytes of a file, and the caller's
// description. Its errors are those of [indexfile.Decode].
func Decode(data []byte) (*table.Table, json.RawMessage, error) {
	f, err := open(&content{data: data, size: int64(len(data))})
	if err != nil {
		return nil, nil, err
	}
	s, err := f.all()
	if err != nil {
		return nil, nil, err
	}
	return s, f.Meta, nil
}

// checkHeader verifies the header of a file that begins with prefix.
func checkHeader(prefix []byte) error {
	const section = "statistics"
	switch {
	case !IsTable(prefix):
		return files.Broken(section, 0, files.ErrFormat, "the first bytes are not %q", magic)
	case len(prefix) < headerSize:
		return files.Broken(section, len(prefix), files.ErrTruncated, "")
	case le.Uint64(prefix[24:]) != xxh3.Hash(prefix[:24]):
		return files.Broken(section, 24, files.ErrChecksum, "of the header")
	}
	v, features := le.Uint32(prefix[8:]), le.Uint32(prefix[12:])
	switch {
	case v > version:
		return files.Broken(section, 8, files.ErrVersion, "version %d, this program reads %d: use a newer one", v, version)
	case v < version:
		return files.Broken(section, 8, files.ErrVersion, "version %d, made by an earlier version: count again from the text", v)
	case features&^knownFeatures != 0:
		return files.Broken(section, 12, files.ErrVersion, "features %#x, which this program does not know: use a newer one", features)
	case features&realValues != 0 && features&largeCounts != 0:
		return files.Broken(section, 12, files.ErrFormat, "features %#x, which do not go together", features)
	}
	return nil
}

// A File is a file of statistics whose terms are read block by block. Head, table
// and footer have been verified; a block is when it is read.
type File struct {
	table.Margins
	Classes []string // by bytes
	Pruned  bool     // terms were left out
	Missing uint32   // documents of a term that may not be counted
	Meta    json.RawMessage
	Terms   int
	Name    string // for errors; "" where there is none

	bounds      *table.Bounds
	data        *content
	closer      io.Closer // nil if the caller has opened the file
	form        table.Form
	cells       int
	mostSquares float64
	blocks      []int64 // where each block begins, and where the last ends
}

// A content has the bytes of a file, in memory or behind a reader.
type content struct {
	data []byte
	r    io.ReaderAt // nil if they are in memory
	size int64
}

// read returns n bytes from offset on, in buffer if they are not in memory.
func (b *content) read(buffer []byte, offset, n int64) ([]byte, error) {
	if offset < 0 || n < 0 || offset > b.size || n > b.size-offset {
		return nil, files.Broken("statistics", int(b.size), files.ErrTruncated, "%d bytes at %d", n, offset)
	}
	if b.r == nil {
		return b.data[offset : offset+n], nil
	}
	if int64(cap(buffer)) < n {
		buffer = make([]byte, n+n/4)
	}
	buffer = buffer[:n]
	if got, err := b.r.ReadAt(buffer, offset); int64(got) < n {
		if err == io.EOF {
			err = files.Broken("statistics", int(offset)+got, files.ErrTruncated, "")
		}
		return nil, err
	}
	return buffer, nil
}

// newFile opens a file of statistics, of size bytes. The reader must stay open.
func newFile(r io.ReaderAt, size int64) (*File, error) {
	return open(&content{r: r, size: size})
}

func open(b *content) (*File, error) {
	prefix, err := b.read(nil, 0, min(b.size, headerSize))
	if err != nil {
		return nil, err
	}
	if err := checkHeader(prefix); err != nil {
		return nil, err
	}
	f := &File{data: b}
	foot, err := f.readFooter()
	if err != nil {
		return nil, err
	}
	first, err := f.readHead()
	if err != nil {
		return nil, err
	}
	return f, f.readTable(first, foot)
}

// A footer is what a footer says of the table.
type footer struct {
	table, length, sum, blocks uint64
}

// readFooter verifies the footer.
func (f *File) readFooter() (foot footer, err error) {
	b := f.data
	if b.size < headerSize+sumSize+sumSize+footerSize {
		return foot, files.Broken("statistics", int(b.size), files.ErrTruncated, "")
	}
	at := b.size - footerSize
	data, err := b.read(nil, at, footerSize)
	if err != nil {
		return foot, err
	}
	if string(data[72:]) != footerMagic {
		return foot, f.withoutFooter()
	}
	if le.Uint64(data[64:]) != xxh3.Hash(data[:64]) {
		return foot, files.Broken("statistics", int(at)+64, files.ErrChecksum, "of the footer")
	}
	foot = footer{le.Uint64(data), le.Uint64(data[8:]), le.Uint64(data[16:]), le.Uint64(data[24:])}
	terms, n := le.Uint64(data[32:]), le.Uint64(data[40:])
	f.mostSquares = math.Float64frombits(le.Uint64(data[48:]))
	size := uint64(b.size)
	switch {
	case le.Uint64(data[56:]) != size:
		return foot, files.Broken("statistics", int(at)+56, files.ErrFormat, "%d bytes, where the footer says %d", b.size, le.Uint64(data[56:]))
	case foot.table > size || foot.length > size-foot.table || foot.table+foot.length != uint64(at):
		return foot, files.Broken("statistics", int(at), files.ErrFormat, "the table of blocks does not end where the footer begins")
	case terms > size || n > size || foot.blocks > terms:
		return foot, files.Broken("statistics", int(at)+32, files.ErrFormat, "%d terms and %d cells in %d bytes", terms, n, size)
	}
	f.Terms, f.cells = int(terms), int(n)
	return foot, nil
}

// withoutFooter returns the error for a file that does not end with a footer: something
// follows it, or it is missing.
func (f *File) withoutFooter() error {
	const near = 1 << 12
	from := max(0, f.data.size-near)
	data, err := f.data.read(nil, from, f.data.size-from)
	if err != nil {
		return err
	}
	if i := bytes.LastIndex(data, []byte(footerMagic)); i >= 72 && le.Uint64(data[i-8:]) == xxh3.Hash(data[i-72:i-8]) {
		return files.Broken("statistics", int(from)+i+8, files.ErrFormat, "%d foreign bytes after the end", len(data)-i-8)
	}
	return files.Broken("statistics", int(f.data.size), files.ErrTruncated, "there is no footer at the end")
}

// readHead reads what precedes the blocks and returns where these begin.
func (f *File) readHead() (end int64, err error) {
	header, err := f.data.read(nil, 0, headerSize)
	if err != nil {
		return 0, err
	}
	features, length := le.Uint32(header[12:]), le.Uint64(header[16:])
	if length > uint64(f.data.size) {
		return 0, files.Broken("statistics", 16, files.ErrFormat, "a head of %d bytes in a file of %d", length, f.data.size)
	}
	switch {
	case features&realValues != 0:
		f.form = table.RealValues
	case features&largeCounts != 0:
		f.form = table.LargeCounts
	}
	f.Pruned = features&prunedTerms != 0
	head, err := f.data.read(nil, headerSize, int64(length)+sumSize)
	if err != nil {
		return 0, err
	}
	if body := head[:length]; le.Uint64(head[length:]) != xxh3.Hash(body) {
		return 0, files.Broken("statistics", headerSize+int(length), files.ErrChecksum, "of the head")
	}
	d := &valueDecoder{data: head[:length], base: headerSize}
	f.Meta = []byte(d.text())
	if features&rareLeftOut != 0 {
		f.Missing = d.missing()
	}
	f.Margins, f.Classes = d.margins()
	if d.err == nil && d.at != len(d.data) {
		d.fail("bytes behind the last class")
	}
	f.bounds = d.bounds(&f.Margins, f.form)
	return headerSize + int64(length) + sumSize, d.err
}

// readTable sets where the blocks are, which begin at first.
func (f *File) readTable(first int64, foot footer) error {
	table, err := f.data.read(nil, int64(foot.table), int64(foot.length))
	if err != nil {
		return err
	}
	if xxh3.Hash(table) != foot.sum {
		return files.Broken("statistics", int(foot.table), files.ErrChecksum, "of the table of blocks")
	}
	if foot.blocks > foot.length {
		return files.Broken("statistics", int(foot.table), files.ErrFormat, "%d blocks in a table of %d bytes", foot.blocks, foot.length)
	}
	f.blocks = append(make([]int64, 0, foot.blocks+1), first)
	d := &valueDecoder{data: table, base: int(foot.table)}
	terms := 0
	for range foot.blocks {
		begin := f.blocks[len(f.blocks)-1]
		n := int64(d.count(float64(f.data.size)))
		terms += int(d.count(blockTerms))
		d.text()
		if d.err != nil {
			break
		}
		f.blocks = append(f.blocks, begin+n)
		if begin+n > int64(foot.table) {
			d.fail("a block ends behind the beginning of the table")
		}
	}
	switch {
	case d.err != nil:
		return d.err
	case d.at != len(table) || terms != f.Terms || f.blocks[len(f.blocks)-1] != int64(foot.table):
		return files.Broken("statistics", int(foot.table), files.ErrFormat, "the table of blocks does not fit the blocks")
	}
	return nil
}
