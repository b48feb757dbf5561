package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// This file puts mistakes into files that others have written.

// file returns a file of testdata.
func file(name string) []byte { return testkit.Must(os.ReadFile("testdata/" + name + ".parquet")) }

// A change changes a page, or the footer, which has no body.
type change func(header, body []byte) (_, _ []byte)

// set returns the change of a number, whose path is that of the fields to it.
func set(path string, to func(n int64) int64) change {
	return func(header, body []byte) ([]byte, []byte) {
		return rewritten(header, func(at string, n int64) int64 {
			if at == path {
				return to(n)
			}
			return n
		}), body
	}
}

func plus(n int64) func(int64) int64 { return func(old int64) int64 { return old + n } }
func to(n int64) func(int64) int64   { return func(int64) int64 { return n } }

// rewritten writes a structure anew, with other numbers.
func rewritten(data []byte, number func(path string, n int64) int64) []byte {
	t := &thriftReader{data: data}
	var value func(kind thriftKind, path string) []byte
	value = func(kind thriftKind, path string) (out []byte) {
		from := t.at
		switch kind {
		case thriftI32, thriftI64:
			return binary.AppendVarint(nil, number(path, t.varint()))
		case thriftList:
			size, of := t.list()
			out = binary.AppendUvarint([]byte{0xf0 | byte(of)}, uint64(size))
			for range size {
				out = append(out, value(of, path)...)
			}
			return out
		case thriftStruct:
			t.structure(func(id int64, kind thriftKind) {
				out = binary.AppendVarint(append(out, byte(kind)), id)
				out = append(out, value(kind, fmt.Sprint(path, ".", id))...)
			})
			return append(out, 0)
		}
		t.skip(kind)
		return data[from:t.at]
	}
	return value(thriftStruct, "")
}

// edited returns a file with the pages of a column changed, of every one if it is below 0, and the footer.
func edited(data []byte, column int, page, footer change) []byte {
	f := testkit.Must(open(data))
	var chunks []chunk
	t := &thriftReader{data: f.footer, at: f.groups}
	t.structures(thriftList, func() {
		t.record(fields{1: func(kind thriftKind) { t.structures(kind, func() { chunks = append(chunks, readChunk(t)) }) }})
	})
	out, moved, sizes := []byte(magic), map[int64]int64{}, []int64(nil)
	for i, c := range chunks {
		from, at := len(out), c.data
		if c.dict > 0 {
			at = c.dict
		}
		for end := at + c.packed; at < end; {
			h, length, err := readPageHeader(data[at:])
			testkit.OK(err)
			moved[at] = int64(len(out))
			header, body := data[at:at+int64(length)], data[at+int64(length):at+int64(length)+h.packed]
			at += int64(length) + h.packed
			if page != nil && (column < 0 || i%len(f.columns) == column) {
				if header, body = page(header, bytes.Clone(body)); int64(len(body)) != h.packed {
					header, _ = set(".3", to(int64(len(body))))(header, nil)
				}
			}
			out = append(append(out, header...), body...)
		}
		sizes = append(sizes, int64(len(out)-from))
	}
	end := rewritten(f.footer, func(path string, n int64) int64 {
		switch path {
		case ".4.1.3.7":
			n, sizes = sizes[0], sizes[1:]
		case ".4.1.3.9", ".4.1.3.11":
			n = moved[n]
		}
		return n
	})
	if footer != nil {
		end, _ = footer(end, nil)
	}
	return append(binary.LittleEndian.AppendUint32(append(out, end...), uint32(len(end))), magic...)
}

// A large page is divided, and its batches may be read in any order.
func TestBatchesShareAPage(t *testing.T) {
	var batches []*Batch
	for b := range testkit.All(testkit.Must(open(file("page"))).Batches(0)) {
		batches = append(batches, b)
	}
	if len(batches) < 5 {
		t.Fatalf("%d batches", len(batches))
	}
	long, read := strings.Repeat("x", 2000), 0
	for i := len(batches) - 1; i >= 0; i-- {
		b := batches[i]
		c := testkit.Must(b.Cursor(0))
		for n := range b.Rows {
			at := int(b.First) + n
			read++
			if there := c.NextRow(); there != (at%3 > 0) || there && string(c.Text()) != fmt.Sprint(at, long) {
				t.Fatalf("batch %d, row %d", i, at)
			}
		}
	}
	testkit.Equal(t, read, 6000, "rows")
}

// What is wrong or not read is said in full.
func TestRefused(t *testing.T) {
	const text, all = 1, -1
	for name, c := range map[string]struct {
		file   string
		column int
		page   change
		footer change
		want   string
	}{
		"checksum":         {"plain", text, set(".4", plus(1)), nil, "its checksum is not that of its bytes"},
		"stream split":     {"plain", text, set(".5.2", to(9)), nil, "its values have the encoding BYTE_STREAM_SPLIT, which is not read; write it with PLAIN"},
		"unknown encoding": {"plain", text, set(".5.2", to(77)), nil, "unknown encoding 77"},
		"no dictionary":    {"plain", text, set(".5.2", to(8)), nil, "refers to a dictionary, and its column has none"},
		"lzo":              {"plain", all, nil, set(".4.1.3.4", to(3)), `the column "id": the column is compressed by LZO, which is not read; write it with zstd`},
		"lz4":              {"plain", all, nil, set(".4.1.3.4", to(5)), "LZ4, which is not read"},
		"codec":            {"plain", all, nil, set(".4.1.3.4", to(99)), "unknown compression 99"},
		"wrong codec":      {"plain", all, set(".2", plus(1)), nil, "bytes come out, not"},
		"page too large":   {"plain", text, set(".2", to(64<<20+1)), nil, "more than 67108864; write smaller pages; --max-document raises"},
		"below 0":          {"plain", text, set(".2", to(-1)), nil, "a number below 0"},
		"too many values":  {"plain", text, set(".5.1", to(1<<24+1)), nil, "more than 16777216"},
		"more values":      {"plain", text, set(".5.1", plus(1)), nil, "has 10 values, and 9 are left of its column"},
		"fewer values":     {"plain", text, set(".5.1", plus(-1)), nil, "byte"},
		"index page":       {"plain", text, set(".1", to(1)), nil, "byte"},
		"unknown kind":     {"plain", text, set(".1", to(9)), nil, "unknown kind 9"},
		"no header": {"plain", text, func(header, body []byte) ([]byte, []byte) {
			header, _ = set("", plus(0))(header, nil)
			before, _, _ := bytes.Cut(header, binary.AppendVarint([]byte{byte(thriftStruct)}, 5))
			return append(bytes.Clone(before), 0), body
		}, nil, "lacks what its kind needs"},
		"more rows":  {"plain", all, nil, set(".3", plus(1)), "it has 9 rows, and its footer says 10"},
		"fewer rows": {"plain", all, nil, set(".3", plus(-1)), "it has 9 rows, and the file 8"},
		"dictionary later": {"dictionary", text, func(header, body []byte) ([]byte, []byte) {
			return bytes.Join([][]byte{header, body, header}, nil), body
		}, nil, "is a dictionary, and not the first page"},
		"short dictionary":           {"dictionary", text, set(".7.1", plus(-1)), nil, "bytes are left behind the values"},
		"encoding of the dictionary": {"dictionary", text, set(".7.2", to(6)), nil, "the values of the dictionary have the encoding DELTA_LENGTH_BYTE_ARRAY"},
		"version 2, nulls":           {"v2", all, set(".8.2", plus(1)), nil, "values, and should have"},
		"version 2, levels":          {"v2", all, set(".8.5", to(1<<20)), nil, "the levels of a page have more bytes than the page"},
		"bits as levels":             {"plain", all, set(".5.3", to(4)), nil, "its levels have the encoding BIT_PACKED, which is not read"},
		"of fixed length": {"plain", all, nil, set(".2.1", func(n int64) int64 {
			if n == 6 {
				n++
			}
			return n
		}), ""},
	} {
		_, err := readAll(edited(file("edited-"+c.file), c.column, c.page, c.footer))
		if c.want == "" {
			testkit.Is(t, err, nil, name)
			continue
		}
		testkit.Refused(t, err, usage.ErrData, c.want, name)
	}
}

// What DuckDB and others write and is not read is refused by name.
func TestRefusedFiles(t *testing.T) {
	data := testkit.Must(os.ReadFile("testdata/refused-types.parquet"))
	f := testkit.Must(open(data))
	var got []string
	for i := range f.Columns() {
		if err := f.Columns()[i].Check(); err != nil {
			got = append(got, strings.TrimSuffix(err.Error(), ", which is not read; cast it to text, a number or a list of these"))
		}
	}
	want := []string{
		`the column "day" is a date`, `the column "price" is a decimal`,
		`the column "deep.list.element.list.element" is a list of lists`,
		`the column "items.list.element.a" is a list of structures, or a map`,
		`the column "m.key_value.key" is a list of structures, or a map`,
		`the column "m.key_value.value" is a list of structures, or a map`,
	}
	testkit.Same(t, got, want)
}

func TestOddEnds(t *testing.T) {
	good := file("edited-plain")
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":            {nil, "fewer than the shortest"},
		"no magic":         {append([]byte("PAR2"), good[4:]...), `it does not begin with PAR1 as Parquet files do, but with "PAR2"`},
		"no magic at last": {append(good[:len(good):len(good)], "and more"...), "it does not end with PAR1"},
		"encrypted":        {append(good[:len(good)-1:len(good)-1], 'E'), "the footer is encrypted, which is not read; write it without encryption"},
		"long footer":      {append(good[:len(good)-8:len(good)-8], "\xff\xff\xff\x7fPAR1"...), "its footer should have 2147483647 bytes, more than there are"},
		"no footer":        {append(good[:len(good)-8:len(good)-8], "\x00\x00\x00\x00PAR1"...), "the footer is broken: byte 0 of its metadata: it ends early"},
	} {
		testkit.Refused(t, testkit.Err(open(c.data)), usage.ErrData, c.want, name)
	}
	if _, err := Open(strings.NewReader(string(good)), int64(len(good)), Limits{Page: 1 << 20, Columns: 1}); err == nil || !strings.Contains(err.Error(), "more than 1 columns; is another file meant? --max-fields raises the limit") {
		t.Errorf("few columns: %v", err)
	}
	f, err := open(good)
	if err != nil || string(f.described) != "{}" {
		t.Errorf("keys: %v", err)
	}
}

// What brotli and LZ4 claim or lack is refused, and memory is for what comes out.
func TestHostileCodecs(t *testing.T) {
	packed := func(of func(body []byte) []byte) change {
		return func(header, body []byte) ([]byte, []byte) { return header, of(body) }
	}
	for _, codec := range []string{"brotli", "lz4"} {
		for name, page := range map[string]change{
			"less than comes out": set(".2", plus(-5)),
			"more than comes out": set(".2", plus(5)),
			"far more":            set(".2", to(64<<20)),
			"cut":                 packed(func(body []byte) []byte { return body[:len(body)-1] }),
			"cut short":           packed(func(body []byte) []byte { return body[:1] }),
			"nothing":             packed(func([]byte) []byte { return nil }),
			"something behind":    packed(func(body []byte) []byte { return append(body, 0) }),
			"another's bytes":     packed(func([]byte) []byte { return []byte("\xff\xff\xff\xff\xff\xff\xff\xff") }),
		} {
			data := edited(file("packed-"+codec), -1, page, nil)
			sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
			metrics.Read(sample)
			before := sample[0].Value.Uint64()
			_, err := readAll(data)
			metrics.Read(sample)
			if allocated := sample[0].Value.Uint64() - before; !errors.Is(err, usage.ErrData) || allocated > 8<<20 {
				t.Errorf("%s, %s: %d bytes allocated, %v", name, codec, allocated, err)
			}
		}
	}
}
