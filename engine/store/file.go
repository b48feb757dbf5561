package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// The file of an index, first form (FORMAT.md): a header, sections aligned to
// 64 bytes and padded with zeros, a table of contents, a footer. Every byte is
// covered by an xxh3-64 sum; integers are little-endian.

const (
	// FormatVersion is the version that this package writes and reads.
	FormatVersion = 1

	magic       = "TERMSIFT"
	footerMagic = "TFISMRET"
	endianMark  = 0x01020304
	headerSize  = 64
	footerSize  = 64
	entrySize   = 32
	align       = 64
)

// Reasons why a file is not read; the errors of [Decode] wrap one of them.
var (
	ErrFormat    = errors.New("not a termsift index")
	ErrVersion   = errors.New("an index of another version")
	ErrChecksum  = errors.New("the bytes do not match their checksum")
	ErrTruncated = errors.New("the file is cut short")
)

// A FileError says where a file is broken.
type FileError struct {
	Section string
	Offset  int64
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

// sectionNames in file order; the position is the kind in the table of
// contents.
var sectionNames = [...]string{
	"meta", "document-text", "document-offsets", "input-places", "label-starts", "labels",
	"term-text", "term-offsets", "df", "dense-offsets", "dense", "flat",
	"counts", "escape-places", "escapes", "values", "exact-values",
}

// fileMeta is the JSON of the first section.
type fileMeta struct {
	Classes []string        `json:"classes"`
	Pruned  bool            `json:"pruned"`
	Caller  json.RawMessage `json:"caller,omitempty"`
}

var le = binary.LittleEndian

// WriteTo writes the file of the index. The same index gives the same bytes.
func (x *Index) WriteTo(w io.Writer) (int64, error) {
	meta, err := json.Marshal(fileMeta{x.Classes, x.Pruned, x.Meta})
	if err != nil {
		return 0, err
	}
	sections := [len(sectionNames)][]byte{
		meta, []byte(x.ids.text), encode(x.ids.offsets), encode(x.input), encode(x.labelStart), encode(x.labels),
		[]byte(x.Terms.text), encode(x.Terms.offsets), encode(x.df), encode(x.denseAt), x.dense, encode(x.flat),
		x.tf.counts, encode(x.tf.escapeAt), encode(x.tf.escaped), encode(x.tf.single), encode(x.tf.double),
	}
	var toc []byte
	offset := headerSize
	for kind, data := range sections {
		padded := pad(data)
		sections[kind] = padded
		toc = le.AppendUint64(toc, uint64(kind))
		toc = le.AppendUint64(toc, uint64(offset))
		toc = le.AppendUint64(toc, uint64(len(data)))
		toc = le.AppendUint64(toc, xxh3.Hash(padded))
		offset += len(padded)
	}
	pieces := append([][]byte{header(offset + len(toc) + footerSize)}, sections[:]...)
	pieces = append(pieces, toc, footer(offset, toc))
	var n int64
	for _, piece := range pieces {
		m, err := w.Write(piece)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func encode[T uint32 | uint64 | float32 | float64](values []T) []byte {
	data, err := binary.Append(nil, le, values)
	if err != nil {
		panic(err) // the types above are all fixed-size
	}
	return data
}

func pad(data []byte) []byte {
	if rest := len(data) % align; rest != 0 {
		return append(data[:len(data):len(data)], make([]byte, align-rest)...)
	}
	return data
}

func header(total int) []byte {
	h := make([]byte, headerSize)
	copy(h, magic)
	le.PutUint32(h[8:], FormatVersion)
	le.PutUint32(h[12:], endianMark)
	le.PutUint64(h[16:], uint64(total))
	le.PutUint64(h[56:], xxh3.Hash(h[:56]))
	return h
}

func footer(tocAt int, toc []byte) []byte {
	f := make([]byte, footerSize)
	le.PutUint64(f, uint64(tocAt))
	le.PutUint64(f[8:], uint64(len(toc)))
	le.PutUint64(f[16:], xxh3.Hash(toc))
	le.PutUint64(f[48:], xxh3.Hash(f[:48]))
	copy(f[56:], footerMagic)
	return f
}

// IsIndex says whether a file that begins with these bytes claims to be an
// index.
func IsIndex(prefix []byte) bool {
	return len(prefix) >= len(magic) && string(prefix[:len(magic)]) == magic
}

// Decode reads an index from the bytes of its file, which it keeps: they must
// not change. Every checksum and every offset is verified first.
func Decode(data []byte) (*Index, error) {
	sections, err := readSections(data)
	if err != nil {
		return nil, err
	}
	var meta fileMeta
	if err := json.Unmarshal(sections[0], &meta); err != nil {
		return nil, broken("meta", headerSize, ErrFormat, "%v", err)
	}
	d := decoder{sections: sections}
	x := &Index{
		Classes: meta.Classes, Pruned: meta.Pruned, Meta: meta.Caller,
		ids:        newDictionary(string(sections[1]), decodeSection[uint32](&d, 2)),
		input:      decodeSection[uint32](&d, 3),
		labelStart: decodeSection[uint32](&d, 4),
		labels:     decodeSection[uint32](&d, 5),
		Terms:      newDictionary(string(sections[6]), decodeSection[uint32](&d, 7)),
		df:         decodeSection[uint32](&d, 8),
		denseAt:    decodeSection[uint64](&d, 9),
		dense:      sections[10],
		flat:       decodeSection[uint32](&d, 11),
		tf: column{
			counts:   sections[12],
			escapeAt: decodeSection[uint64](&d, 13),
			escaped:  decodeSection[uint32](&d, 14),
			single:   decodeSection[float32](&d, 15),
			double:   decodeSection[float64](&d, 16),
		},
	}
	if d.err != nil {
		return nil, d.err
	}
	return x, x.check()
}

func readSections(data []byte) (s [len(sectionNames)][]byte, err error) {
	toc, err := readFrame(data)
	if err != nil {
		return s, err
	}
	next := headerSize
	for kind := range s {
		e := toc[kind*entrySize:]
		offset, length, sum := le.Uint64(e[8:]), le.Uint64(e[16:]), le.Uint64(e[24:])
		if le.Uint64(e) != uint64(kind) || offset != uint64(next) || length > uint64(len(data)-next) {
			return s, broken(sectionNames[kind], next, ErrFormat, "the table of contents is not in order")
		}
		end := next + (int(length)+align-1)/align*align
		if end > len(data)-footerSize-len(toc) {
			return s, broken(sectionNames[kind], next, ErrFormat, "it overlaps the table of contents")
		}
		if xxh3.Hash(data[next:end]) != sum {
			return s, broken(sectionNames[kind], next, ErrChecksum, "")
		}
		s[kind] = data[next : next+int(length) : next+int(length)]
		next = end
	}
	if next != len(data)-footerSize-len(toc) {
		return s, broken("contents", next, ErrFormat, "bytes that no section covers")
	}
	return s, nil
}

// readFrame verifies header and footer and returns the table of contents.
func readFrame(data []byte) ([]byte, error) {
	if !IsIndex(data) {
		return nil, broken("header", 0, ErrFormat, "the first bytes are not %q", magic)
	}
	if len(data) < headerSize+footerSize {
		return nil, broken("header", len(data), ErrTruncated, "")
	}
	if v := le.Uint32(data[8:]); v != FormatVersion && le.Uint64(data[56:]) == xxh3.Hash(data[:56]) {
		return nil, broken("header", 8, ErrVersion, "version %d, this program reads %d: build the index again", v, FormatVersion)
	}
	if le.Uint64(data[56:]) != xxh3.Hash(data[:56]) {
		return nil, broken("header", 0, ErrChecksum, "")
	}
	if le.Uint32(data[12:]) != endianMark {
		return nil, broken("header", 12, ErrFormat, "other byte order")
	}
	switch total := le.Uint64(data[16:]); {
	case total > uint64(len(data)):
		return nil, broken("footer", len(data), ErrTruncated, "%d of %d bytes", len(data), total)
	case total < uint64(len(data)):
		return nil, broken("footer", int(total), ErrFormat, "%d foreign bytes after the end", uint64(len(data))-total)
	}
	return readFooter(data)
}

func readFooter(data []byte) ([]byte, error) {
	at := len(data) - footerSize
	f := data[at:]
	if le.Uint64(f[48:]) != xxh3.Hash(f[:48]) || string(f[56:]) != footerMagic {
		return nil, broken("footer", at, ErrChecksum, "")
	}
	tocAt, tocLen := le.Uint64(f), le.Uint64(f[8:])
	if tocLen != uint64(len(sectionNames)*entrySize) || tocAt > uint64(at) || tocAt+tocLen != uint64(at) {
		return nil, broken("footer", at, ErrFormat, "the table of contents is not where it should be")
	}
	toc := data[tocAt:at]
	if xxh3.Hash(toc) != le.Uint64(f[16:]) {
		return nil, broken("contents", int(tocAt), ErrChecksum, "")
	}
	return toc, nil
}

// A decoder remembers the first error of a series of sections.
type decoder struct {
	sections [len(sectionNames)][]byte
	err      error
}

func decodeSection[T uint32 | uint64 | float32 | float64](d *decoder, kind int) []T {
	data := d.sections[kind]
	size := binary.Size(T(0))
	if len(data)%size != 0 {
		d.err = broken(sectionNames[kind], 0, ErrFormat, "%d bytes are no whole number of elements", len(data))
		return nil
	}
	if len(data) == 0 {
		return nil
	}
	values := make([]T, len(data)/size)
	if _, err := binary.Decode(data, le, values); err != nil {
		d.err = broken(sectionNames[kind], 0, ErrFormat, "%v", err)
	}
	return values
}
