package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// The file of an index (FORMAT.md): a header, sections aligned to 64 bytes and
// padded with zeros, a table of contents, a footer. Every byte is covered by an
// xxh3-64 sum; integers are little-endian.

const (
	// FormatVersion is the version that this package writes and reads.
	FormatVersion = 2

	magic       = "TERMSIFT"
	footerMagic = "TFISMRET"
	endianMark  = 0x01020304
	headerSize  = 64
	footerSize  = 64
	entrySize   = 32
	align       = 64

	// blockSize is how many bytes of a section share a sum: what the first look at
	// any of them must read. Hashing a block takes 4 µs.
	blockSize = 1 << 16
)

// Reasons why a file is not read; the errors of [Decode] and [Open] wrap one of them.
var (
	ErrFormat    = errors.New("not a termsift index")
	ErrVersion   = errors.New("an index of another version")
	ErrChecksum  = errors.New("the bytes do not match their checksum")
	ErrTruncated = errors.New("the file is cut short")
)

// A FileError says where a file is broken.
type FileError struct {
	Section string
	Offset  int64 // in the section
	Err     error // one of the reasons above
	Detail  string
}

func (e *FileError) Error() string {
	s := fmt.Sprintf("%v: section %s at byte %d", e.Err, e.Section, e.Offset)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *FileError) Unwrap() error { return e.Err }

func broken(section string, offset int, reason error, format string, args ...any) error {
	return &FileError{section, int64(offset), reason, fmt.Sprintf(format, args...)}
}

// A sectionKind is the number of a section in the table of contents. Sections come in
// this order.
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
	cellStarts
	cellClasses
	cellDocs
	cellSums
	cellSquares
	termTokens
	weightSection
	sumSection
	numSections
)

// sectionNames are the names in FORMAT.md and in errors, sectionElements the bytes
// of an element.
var (
	sectionNames = [numSections]string{
		"meta", "document-text", "document-lengths", "input-places", "label-starts", "labels",
		"term-text", "term-lengths", "df-runs", "dense-offsets", "dense", "flat",
		"counts", "escape-places", "escapes", "values", "exact-values",
		"forward-starts", "forward-terms", "cell-starts", "cell-classes", "cell-docs", "cell-sums", "cell-squares",
		"term-tokens", "weights", "sums",
	}
	sectionElements = [numSections]int{1, 1, 1, 4, 4, 4, 1, 1, 8, 8, 1, 1, 1, 8, 4, 4, 8, 8, 4, 8, 4, 4, 8, 8, 8, 4, 8}
)

func (k sectionKind) String() string { return sectionNames[k] }

// fileMeta is the JSON of the first section.
type fileMeta struct {
	Classes []string        `json:"classes"`
	Pruned  bool            `json:"pruned"`
	Weights Weighting       `json:"weights,omitempty"` // of the column of weights; "" = none
	Caller  json.RawMessage `json:"caller,omitempty"`
}

var le = binary.LittleEndian

// aligned is n rounded up to a multiple of 64.
func aligned(n int) int { return (n + align - 1) &^ (align - 1) }

// blocks is how many sums a section of n bytes has.
func blocks(n int) int { return (aligned(n) + blockSize - 1) / blockSize }

// A header holds the facts of the first 64 bytes.
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

// IsIndex says whether a file that begins with these bytes claims to be an
// index.
func IsIndex(prefix []byte) bool {
	return len(prefix) >= len(magic) && string(prefix[:len(magic)]) == magic
}

// readHeader verifies the header of a file of size bytes, of which data are the first.
func readHeader(data []byte, size int64) error {
	if !IsIndex(data) {
		return broken("header", 0, ErrFormat, "the first bytes are not %q", magic)
	}
	if size < headerSize+footerSize || len(data) < headerSize {
		return broken("header", int(size), ErrTruncated, "")
	}
	if le.Uint64(data[56:]) != xxh3.Hash(data[:56]) {
		return broken("header", 0, ErrChecksum, "")
	}
	switch v := le.Uint32(data[8:]); {
	case v > FormatVersion:
		return broken("header", 8, ErrVersion, "version %d, this program reads %d: use a newer one, or build the index again", v, FormatVersion)
	case v < FormatVersion:
		return broken("header", 8, ErrVersion, "version %d, this program reads %d: build the index again", v, FormatVersion)
	}
	if le.Uint32(data[12:]) != endianMark {
		return broken("header", 12, ErrFormat, "other byte order")
	}
	if required := le.Uint64(data[24:]); required != 0 {
		return broken("header", 24, ErrVersion, "it needs features %#x, which this program does not know: use a newer one", required)
	}
	for i, b := range data[40:56] {
		if b != 0 {
			return broken("header", 40+i, ErrFormat, "a reserved byte is not 0")
		}
	}
	switch total := le.Uint64(data[16:]); {
	case total > uint64(size):
		return broken("footer", int(size), ErrTruncated, "%d of %d bytes", size, total)
	case total < uint64(size):
		return broken("footer", int(total), ErrFormat, "%d foreign bytes after the end", uint64(size)-total)
	}
	return nil
}

// A footer says where the table of contents is.
func encodeFooter(contentsAt int, contents []byte) []byte {
	f := make([]byte, footerSize)
	le.PutUint64(f, uint64(contentsAt))
	le.PutUint64(f[8:], uint64(len(contents)))
	le.PutUint64(f[16:], xxh3.Hash(contents))
	le.PutUint64(f[48:], xxh3.Hash(f[:48]))
	copy(f[56:], footerMagic)
	return f
}

// readContents verifies the footer and gives the table of contents and its place.
func readContents(data []byte) (contents []byte, at int, err error) {
	end := len(data) - footerSize
	f := data[end:]
	if le.Uint64(f[48:]) != xxh3.Hash(f[:48]) || string(f[56:]) != footerMagic {
		return nil, 0, broken("footer", end, ErrChecksum, "")
	}
	for i, b := range f[24:48] {
		if b != 0 {
			return nil, 0, broken("footer", end+24+i, ErrFormat, "a reserved byte is not 0")
		}
	}
	offset, length := le.Uint64(f), le.Uint64(f[8:])
	if length != uint64(numSections)*entrySize || offset < headerSize || offset > uint64(end) || offset+length != uint64(end) {
		return nil, 0, broken("footer", end, ErrFormat, "the table of contents is not where it should be")
	}
	contents = data[offset:end]
	if xxh3.Hash(contents) != le.Uint64(f[16:]) {
		return nil, 0, broken("contents", int(offset), ErrChecksum, "")
	}
	return contents, int(offset), nil
}
