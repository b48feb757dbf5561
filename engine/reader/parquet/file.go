// Package parquet reads columns of Parquet files: texts, numbers and truth values, and
// lists of these.
//
// It takes an [io.ReaderAt] and gives rows in batches, whose pages any goroutine
// decompresses and decodes. Begin reading at file.go; thrift.go to schema.go are the
// footer, chunk.go, page.go, codec.go and values.go the pages, rows.go what a caller sees.
//
// Nothing in a file is believed: lengths are compared with what is there before memory is
// allocated, and whatever does not agree is an [Error]. The package never starts a
// goroutine, and never reads a column that is not asked for.
package parquet

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/engine/usage"
)

const (
	magic          = "PAR1"
	magicEncrypted = "PARE"
	tailBytes      = 8 // the length of the footer, and the magic bytes
	mostFooter     = 64 << 20
)

// mostValues bounds the values of a page, lists and nulls included: 16 times what the
// writers known to us put into one.
const mostValues = 1 << 24

// largestPage is the most that Limits.Page can be: places in a page are numbers of 32 bits.
const largestPage = 1 << 30

// Begins reports whether a prefix begins a Parquet file, be it encrypted.
func Begins(prefix []byte) bool {
	return len(prefix) >= len(magic) && (string(prefix[:4]) == magic || string(prefix[:4]) == magicEncrypted)
}

// Limits bound what a file may ask for.
type Limits struct {
	Page    int64 // bytes of a page, compressed or not; a gigabyte at most
	Columns int   // of a file
	// Grow is called with the bytes that a page becomes, before it is decompressed, in the
	// order of the file. An error ends reading. It may be nil.
	Grow func(bytes int64) error
}

// A File is the metadata of a Parquet file.
type File struct {
	r       io.ReaderAt
	limits  Limits
	data    int64 // where pages end and the footer begins
	footer  []byte
	columns []Column
	rows    int64
	groups  int // where the list of row groups begins in the footer
	// described is the value of the key huggingFace; nil = none.
	described []byte
	zstd      func() (*zstd.Decoder, error) // made once, if it is needed
}

// Open reads the footer of a file with a size.
func Open(r io.ReaderAt, size int64, limits Limits) (*File, error) {
	if limits.Grow == nil {
		limits.Grow = func(int64) error { return nil }
	}
	limits.Page = min(limits.Page, largestPage)
	f := &File{r: r, limits: limits, rows: -1, zstd: sync.OnceValues(func() (*zstd.Decoder, error) { return newZstd(limits.Page) })}
	if err := f.readFooter(size); err != nil {
		return nil, err
	}
	if err := f.parseFooter(); err != nil {
		return nil, err
	}
	return f, nil
}

// readFooter checks both ends of the file and reads the footer into memory.
func (f *File) readFooter(size int64) error {
	var head, tail [tailBytes]byte
	if size < int64(len(magic)+tailBytes) {
		return damaged("it has %d bytes, fewer than the shortest Parquet file", size)
	}
	if err := readAt(f.r, head[:4], 0); err != nil {
		return err
	}
	if err := readAt(f.r, tail[:], size-tailBytes); err != nil {
		return err
	}
	switch {
	case string(head[:4]) == magicEncrypted || string(tail[4:]) == magicEncrypted:
		return encrypted("the footer")
	case string(head[:4]) != magic:
		return damaged("it does not begin with %s as Parquet files do, but with %q", magic, head[:4])
	case string(tail[4:]) != magic:
		return damaged("it does not end with %s as Parquet files do, but with %q", magic, tail[4:])
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	switch f.data = size - tailBytes - length; {
	case f.data < int64(len(magic)):
		return damaged("its footer should have %d bytes, more than there are", length)
	case length > mostFooter:
		return &Error{
			Problem: fmt.Sprintf("its footer has %d bytes, more than %d", length, mostFooter),
			Remedy:  "write larger row groups, or fewer columns",
		}
	}
	f.footer = make([]byte, length)
	return readAt(f.r, f.footer, f.data)
}

func encrypted(what string) error {
	return notRead("write it without encryption", "%s is encrypted", what)
}

// parseFooter reads the schema, and finds the row groups and keys.
func (f *File) parseFooter() error {
	t := &thriftReader{data: f.footer}
	var s schema
	var refused error
	secret := func(kind thriftKind) {
		refused = encrypted("the file")
		t.skip(kind)
	}
	groups := func(kind thriftKind) {
		f.groups = t.at
		t.skip(kind)
	}
	t.record(fields{
		2: func(kind thriftKind) { s.read(t, kind, f.limits.Columns) }, 3: number(t, &f.rows), 4: groups,
		5: func(kind thriftKind) { f.readKeys(t, kind) }, 8: secret, 9: secret,
	})
	if t.err != nil {
		return within(t.err, "the footer is broken")
	}
	if refused != nil {
		return refused
	}
	if f.rows < 0 || f.groups == 0 {
		return damaged("the footer does not say which rows there are")
	}
	var err error
	f.columns, err = s.columns()
	return err
}

// Columns lists the columns, those that cannot be read too.
func (f *File) Columns() []Column { return f.columns }

// readKeys reads the keys of the footer, of which one matters.
func (f *File) readKeys(t *thriftReader, kind thriftKind) {
	t.structures(kind, func() {
		var key, value []byte
		t.record(fields{1: t.text(&key), 2: t.text(&value)})
		if string(key) == huggingFace {
			f.described = value
		}
	})
}

// huggingFace is the key of the footer in which Hugging Face's datasets describe columns.
const huggingFace = "huggingface"

// A hfFeature is what datasets say of a column. Names are the classes of a ClassLabel. A list
// has its elements' feature within; in the first versions it was an array of that.
type hfFeature struct {
	Type    string          `json:"_type"`
	Names   []string        `json:"names"`
	Feature json.RawMessage `json:"feature"`
}

// Classes returns the names of the classes that the numbers of a column stand for, nil where the footer gives none.
func (f *File) Classes(column *Column) (names []string, err error) {
	numbers := column.Kind == Int || column.Kind == Uint
	if !numbers || f.described == nil {
		return nil, nil
	}
	var d struct {
		Info struct {
			Features map[string]json.RawMessage `json:"features"`
		} `json:"info"`
	}
	err = json.Unmarshal(f.described, &d)
	if feature := d.Info.Features[column.Name]; err == nil && feature != nil {
		names, err = classNames(feature, column.List)
	}
	if err != nil {
		return nil, &Error{
			Problem: `the footer's "` + huggingFace + `", which names the classes, is broken`, Err: err,
			Remedy: "write it again, or with the names as text",
		}
	}
	return names, nil
}

// classNames returns the names of the classes of a feature, nil if it is no ClassLabel nor, for
// a list, one of them.
func classNames(feature json.RawMessage, list bool) ([]string, error) {
	if list && feature[0] == '[' {
		var of []json.RawMessage
		if err := json.Unmarshal(feature, &of); err != nil || len(of) != 1 {
			return nil, err
		}
		return classNames(of[0], false)
	}
	var f hfFeature
	err := json.Unmarshal(feature, &f)
	switch {
	case err != nil:
		return nil, err
	case f.Type == "ClassLabel":
		return f.Names, nil
	case list && f.Feature != nil && (f.Type == "Sequence" || f.Type == "List" || f.Type == "LargeList"):
		return classNames(f.Feature, false)
	}
	return nil, nil
}

// An Error is a problem of a file: it is damaged, or has what is not read.
type Error struct {
	Problem string
	Remedy  string
	Err     error // the cause, if there is one
}

// Error gives the problem, the cause and the remedy.
func (e *Error) Error() string {
	s := e.Problem
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s + "; " + e.Remedy
}

// Is makes every Error a usage.ErrData.
func (e *Error) Is(target error) bool { return target == usage.ErrData }

const remedyDamaged = "it may be damaged or cut: fetch or write it again"

// damaged returns the error for a file that contradicts itself.
func damaged(format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), Remedy: remedyDamaged}
}

// notRead returns the error for what the format has and this package does not read.
func notRead(remedy, format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...) + ", which is not read", Remedy: remedy}
}

// within puts the place in front of the problem of an Error. Other errors, such as those
// of reading, stay as they are.
func within(err error, format string, args ...any) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	placed := *e
	placed.Problem = fmt.Sprintf(format, args...) + ": " + e.Problem
	return &placed
}

// readAt fills to with the bytes at an offset, all of which the file should have.
func readAt(r io.ReaderAt, to []byte, offset int64) error {
	n, err := r.ReadAt(to, offset)
	switch {
	case n == len(to):
		return nil
	case errors.Is(err, io.EOF):
		return damaged("the file ends within the %d bytes at byte %d", len(to), offset)
	}
	return err
}
