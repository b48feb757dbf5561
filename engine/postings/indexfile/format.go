// Package indexfile has the file of an index: it writes and opens them, verifies what it reads, and
// merges them without making the index of the result. [FORMAT.md] has the file byte by byte. An opened
// file is mapped; lists and columns are verified and unpacked when they are first read. Begin reading at
// [Write] and [Open], then [Merge].
//
// [FORMAT.md]: https://github.com/termsift/termsift/blob/main/FORMAT.md
package indexfile

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
)

// The file of an index (FORMAT.md) consists of a header, sections aligned to 64 bytes
// and padded with zeros, a table of contents, and a footer. Every byte is covered by an
// xxh3-64 sum; integers are little-endian.

const (
	// FormatVersion is the version that this package reads and writes.
	FormatVersion = 4

	// distancesFeature is the bit of the header's first word of features that says that the
	// cells have squared distances in place of squares; see [table.Form].
	distancesFeature = 1

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
		return files.Broken("header", 8, files.ErrVersion, "version %d, made by an earlier version: count again from the text", v)
	}
	if le.Uint32(data[12:]) != endianMark {
		return files.Broken("header", 12, files.ErrFormat, "other byte order")
	}
	if features := le.Uint64(data[24:]); features&^distancesFeature != 0 {
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
func featuresOf(form table.Form) uint64 {
	if form == table.Counts {
		return 0
	}
	return distancesFeature
}

// Encoded is what is shorter in a file than in memory: the lengths of names as
// varints, and runs of equal document frequencies. On 20 Newsgroups they take 0.07
// bytes per posting; offsets and frequencies of 4 bytes each took 0.58.

// appendLengths appends the lengths of the terms of a dictionary as varints.
func appendLengths(dst []byte, d *table.Dictionary) []byte {
	dst = slices.Grow(dst, d.Len())
	offsets := d.Offsets()
	for i := range d.Len() {
		dst = binary.AppendUvarint(dst, uint64(offsets[i+1]-offsets[i]))
	}
	return dst
}

// readDictionary returns the dictionary of a text and the lengths of its terms. The
// blocks of both sections have been verified.
func readDictionary(f *body, textKind, lengthKind sectionKind, text string) (*table.Dictionary, error) {
	lengths := f.content(lengthKind)
	if uint64(len(text)) > math.MaxUint32 {
		return nil, files.Broken(textKind.String(), 0, files.ErrFormat, "%d bytes of text", len(text))
	}
	offsets := make([]uint32, 1, len(lengths)+1)
	end := uint64(0)
	for at := 0; at < len(lengths); {
		before := len(offsets)
		if offsets = appendShortNames(offsets, lengths[at:], end, uint64(len(text))); len(offsets) > before {
			at, end = at+len(offsets)-before, uint64(offsets[len(offsets)-1])
			continue
		}
		length, n := uint64(lengths[at]), 1
		if length >= 0x80 {
			if length, n = binary.Uvarint(lengths[at:]); n <= 0 {
				return nil, files.Broken(lengthKind.String(), at, files.ErrFormat, "no length")
			}
		}
		if length > uint64(len(text))-end {
			return nil, files.Broken(lengthKind.String(), at, files.ErrFormat, "a name of %d bytes ends behind the text", length)
		}
		end += length
		at += n
		offsets = append(offsets, uint32(end))
	}
	if end != uint64(len(text)) {
		return nil, files.Broken(lengthKind.String(), len(lengths), files.ErrFormat, "names of %d bytes for a text of %d", end, len(text))
	}
	return table.NewDictionary(text, offsets, nil), nil
}

// appendShortNames appends the ends of names behind end, eight at a time, as long as their lengths have a byte
// each and they cannot end behind the text. Name by name, with a branch for both, reading a dictionary took
// 2.5 times as long.
func appendShortNames(offsets []uint32, lengths []byte, end, text uint64) []uint32 {
	const long, most = 0x8080808080808080, 8 * 0x7f
	for len(lengths) >= 8 && text-end >= most && le.Uint64(lengths)&long == 0 {
		at := uint32(end)
		at1 := at + uint32(lengths[0])
		at2 := at1 + uint32(lengths[1])
		at3 := at2 + uint32(lengths[2])
		at4 := at3 + uint32(lengths[3])
		at5 := at4 + uint32(lengths[4])
		at6 := at5 + uint32(lengths[5])
		at7 := at6 + uint32(lengths[6])
		at8 := at7 + uint32(lengths[7])
		offsets = append(offsets, at1, at2, at3, at4, at5, at6, at7, at8)
		end, lengths = uint64(at8), lengths[8:]
	}
	return offsets
}

// appendRuns appends pairs of a frequency and the number of consecutive terms that have
// it.
func appendRuns(dst []byte, df []uint32) []byte {
	for i := 0; i < len(df); {
		run := i + 1
		for run < len(df) && df[run] == df[i] {
			run++
		}
		dst = le.AppendUint32(dst, df[i])
		dst = le.AppendUint32(dst, uint32(run-i))
		i = run
	}
	return dst
}

// readRuns returns the frequencies of the given number of terms and, in start, where
// the list of each begins in the columns and where the last ends. It verifies the order
// and the range of the runs, not of each term.
func readRuns(runs []byte, terms, documents int) (df []uint32, start []uint64, err error) {
	df, start = make([]uint32, terms), make([]uint64, terms+1)
	at, postings := 0, uint64(0)
	for place := 0; place < len(runs); place += 8 {
		value, n := le.Uint32(runs[place:]), int(le.Uint32(runs[place+4:]))
		if n > terms-at {
			return nil, nil, files.Broken("df-runs", place, files.ErrFormat, "more frequencies than the %d terms", terms)
		}
		if n == 0 || value == 0 || int(value) > documents || at > 0 && value >= df[at-1] {
			return nil, nil, files.Broken("df-runs", place, files.ErrFormat, "the frequency of term %d, %d, is out of range or order", at, value)
		}
		own, starts := df[at:at+n], start[at+1:at+1+n]
		for i := range own {
			postings += uint64(value)
			own[i], starts[i] = value, postings
		}
		at += n
	}
	if at != terms {
		return nil, nil, files.Broken("df-runs", len(runs), files.ErrFormat, "%d frequencies for %d terms", at, terms)
	}
	return df, start, nil
}
