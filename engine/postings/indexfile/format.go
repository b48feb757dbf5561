package indexfile

import (
	"encoding/binary"
	"encoding/json"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/zeebo/xxh3"
)

// The file of an index (FORMAT.md) consists of a header, sections aligned to 64 bytes
// and padded with zeros, a table of contents, and a footer. Every byte is covered by an
// xxh3-64 sum; integers are little-endian.

const (
	// FormatVersion is the version that this package reads and writes.
	FormatVersion = 3

	// centredFeature is the bit of the header's first word of features that says that the
	// cells hold what [table.Centred] does.
	centredFeature = 1
	// exactFeature, with centredFeature and only there, says that what sums lack makes them exact
	// but for a few 2^-105.
	exactFeature = 2
	// wideFeature says that cells have what sums of squares of counts lack.
	wideFeature = 4

	magic       = "TERMSIFT"
	footerMagic = "TFISMRET"
	endianMark  = 0x01020304
	headerSize  = 64
	footerSize  = 64
	entrySize   = 32
	align       = 64

	// blockSize is the number of bytes of a section that share a sum, and so the least
	// that must be read to verify any of them. Hashing a block takes 4 µs.
	blockSize = 1 << 16
)

// A sectionKind is the number of a section in the table of contents. Sections are
// stored in this order.
type sectionKind int

const (
	metaSection sectionKind = iota
	documentText
	documentLengths
	inputPlaces
	labelStarts
	labelSection
	termText
	termLengths
	dfRuns
	denseOffsets
	denseSection
	flatSection
	countSection
	escapePlaces
	escapeSection
	valueSection
	exactSection
	forwardStarts
	forwardTerms
	cellTerms
	cellClasses
	cellDocs
	cellSums
	cellSquares
	cellEscapes
	weightSection
	sumSection
	numSections
)

// sectionNames are the names of the sections in FORMAT.md and in errors,
// sectionElements the sizes of their elements in bytes.
var (
	sectionNames = [numSections]string{
		"meta", "document-text", "document-lengths", "input-places", "label-starts", "labels",
		"term-text", "term-lengths", "df-runs", "dense-offsets", "dense", "flat",
		"counts", "escape-places", "escapes", "values", "exact-values",
		"forward-starts", "forward-terms", "cell-terms", "cell-classes", "cell-docs", "cell-sums", "cell-squares",
		"cell-escapes", "weights", "sums",
	}
	sectionElements = [numSections]int{1, 1, 1, 4, 4, 4, 1, 1, 8, 8, 1, 1, 1, 8, 4, 4, 8, 8, 4, 1, 1, 1, 1, 1, 8, 4, 8}
)

func (k sectionKind) String() string { return sectionNames[k] }

// fileMeta is the JSON of the first section.
type fileMeta struct {
	Classes []string        `json:"classes"`
	Pruned  bool            `json:"pruned"`
	Cells   bool            `json:"cells,omitempty"` // whether the cells are stored
	Caller  json.RawMessage `json:"caller,omitempty"`
}

var le = binary.LittleEndian

// aligned returns n rounded up to a multiple of 64.
func aligned(n int) int { return (n + align - 1) &^ (align - 1) }

// blocks returns the number of sums of a section of n bytes.
func blocks(n int) int { return (aligned(n) + blockSize - 1) / blockSize }

// A header holds the contents of the first 64 bytes.
type header struct {
	length   uint64
	required uint64 // features that a reader must know
	optional uint64 // features that a reader may ignore
}

func (h header) encode() []byte {
	b := make([]byte, headerSize)
	copy(b, magic)
	le.PutUint32(b[8:], FormatVersion)
	le.PutUint32(b[12:], endianMark)
	le.PutUint64(b[16:], h.length)
	le.PutUint64(b[24:], h.required)
	le.PutUint64(b[32:], h.optional)
	le.PutUint64(b[56:], xxh3.Hash(b[:56]))
	return b
}

// IsIndex reports whether a file that begins with prefix has the signature of an index.
func IsIndex(prefix []byte) bool {
	return len(prefix) >= len(magic) && string(prefix[:len(magic)]) == magic
}

// readHeader verifies the header of a file of size bytes. data is the beginning of the
// file.
func readHeader(data []byte, size int64) error {
	if !IsIndex(data) {
		return files.Broken("header", 0, files.ErrFormat, "the first bytes are not %q", magic)
	}
	if size < headerSize+footerSize || len(data) < headerSize {
		return files.Broken("header", int(size), files.ErrTruncated, "")
	}
	if le.Uint64(data[56:]) != xxh3.Hash(data[:56]) {
		return files.Broken("header", 0, files.ErrChecksum, "")
	}
	switch v := le.Uint32(data[8:]); {
	case v > FormatVersion:
		return files.Broken("header", 8, files.ErrVersion, "version %d, this program reads %d: use a newer one, or build the index again", v, FormatVersion)
	case v < FormatVersion:
		return files.Broken("header", 8, files.ErrVersion, "version %d, this program reads %d: build the index again from the text", v, FormatVersion)
	}
	if le.Uint32(data[12:]) != endianMark {
		return files.Broken("header", 12, files.ErrFormat, "other byte order")
	}
	switch features := le.Uint64(data[24:]); features {
	case 0, centredFeature | exactFeature, wideFeature:
	case centredFeature:
		return files.Broken("header", 24, files.ErrVersion, "its cells lack more than they say: build the index again from the text")
	case exactFeature, exactFeature | wideFeature, centredFeature | wideFeature, centredFeature | exactFeature | wideFeature:
		return files.Broken("header", 24, files.ErrFormat, "features %#x, which do not go together", features)
	default:
		return files.Broken("header", 24, files.ErrVersion, "it needs features %#x, which this program does not know: use a newer one", features)
	}
	for i, b := range data[40:56] {
		if b != 0 {
			return files.Broken("header", 40+i, files.ErrFormat, "a reserved byte is not 0")
		}
	}
	switch total := le.Uint64(data[16:]); {
	case total > uint64(size):
		return files.Broken("footer", int(size), files.ErrTruncated, "%d of %d bytes", size, total)
	case total < uint64(size):
		return files.Broken("footer", int(total), files.ErrFormat, "%d foreign bytes after the end", uint64(size)-total)
	}
	return nil
}

// encodeFooter returns the footer, which locates the table of contents.
func encodeFooter(contentsAt int, contents []byte) []byte {
	f := make([]byte, footerSize)
	le.PutUint64(f, uint64(contentsAt))
	le.PutUint64(f[8:], uint64(len(contents)))
	le.PutUint64(f[16:], xxh3.Hash(contents))
	le.PutUint64(f[48:], xxh3.Hash(f[:48]))
	copy(f[56:], footerMagic)
	return f
}

// readContents verifies the footer and returns the table of contents and its offset.
func readContents(data []byte) (contents []byte, at int, err error) {
	end := len(data) - footerSize
	f := data[end:]
	if le.Uint64(f[48:]) != xxh3.Hash(f[:48]) || string(f[56:]) != footerMagic {
		return nil, 0, files.Broken("footer", end, files.ErrChecksum, "")
	}
	for i, b := range f[24:48] {
		if b != 0 {
			return nil, 0, files.Broken("footer", end+24+i, files.ErrFormat, "a reserved byte is not 0")
		}
	}
	offset, length := le.Uint64(f), le.Uint64(f[8:])
	if length != uint64(numSections)*entrySize || offset < headerSize || offset > uint64(end) || offset+length != uint64(end) {
		return nil, 0, files.Broken("footer", end, files.ErrFormat, "the table of contents is not where it should be")
	}
	contents = data[offset:end]
	if xxh3.Hash(contents) != le.Uint64(f[16:]) {
		return nil, 0, files.Broken("contents", int(offset), files.ErrChecksum, "")
	}
	return contents, int(offset), nil
}

// featuresOf returns the features of a file whose cells have a form.
func featuresOf(form table.CellForm) uint64 {
	switch form {
	case table.CentredCells:
		return centredFeature | exactFeature
	case table.WideCells:
		return wideFeature
	default:
		return 0
	}
}
