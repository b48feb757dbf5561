package faults

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// This file writes small Parquet files: in every form that the reader reads, and with whatever mistake a test
// puts into a page.

// The numbers that the format gives to types, encodings, codecs and kinds of pages.
const (
	Boolean, Int32, Int64, Float, Double, ByteArray = 0, 1, 2, 4, 5, 6
	Plain, RLE, RLEDictionary                       = 0, 3, 8
	Stored, Snappy, Gzip, Brotli, Zstd, LZ4         = 0, 1, 2, 4, 6, 7
	DataPage, DictionaryPage, DataPageV2            = 0, 2, 3
)

// A ParquetFile is what is written. Pages have checksums.
type ParquetFile struct {
	Columns []ParquetColumn
	Keys    [][2]string // of the footer
	// GroupRows and PageEntries divide rows and entries; 0 = not. A list goes on in the next
	// page where PageEntries ends within it.
	GroupRows, PageEntries int
	Codec                  int
	V2, Dictionary         bool
	// Edit changes a page before it is written; nil = none is changed.
	Edit func(p *ParquetPage)
	// Claim is the number of rows that each group has, and of values that each column of it has,
	// by the footer; 0 = those that are written.
	Claim int
	// More is added to the number of rows that the footer says.
	More int
}

// A ParquetColumn is a column with its cells: nil, string, int, float32, float64, bool, or []any of these in a list.
type ParquetColumn struct {
	Name      string
	Type      int
	Optional  bool
	List      bool
	Converted int // the converted type, one more than its number; 0 = none
	Cells     []any
}

// A ParquetPage is a page with its header.
type ParquetPage struct {
	Column                         string
	Kind, Encoding                 int
	Entries, Nulls, Rows           int
	DefLevels, RepLevels           int // encodings
	Unpacked                       int
	DefBytes, RepBytes             int
	CRC                            uint32
	Body                           []byte // as it is written
	Largest                        string // in the statistics of a page of version 1 or 2
	NoCRC, StoredValues, NoHeaders bool
}

// A writer has what is written so far.
type writer struct {
	*ParquetFile
	out bytes.Buffer
}

// Bytes returns the file.
func (f ParquetFile) Bytes() []byte {
	w := &writer{ParquetFile: &f}
	w.out.WriteString("PAR1")
	rows := len(f.Columns[0].Cells)
	var groups [][]byte
	for from := 0; from < rows; {
		to := rows
		if f.GroupRows > 0 {
			to = min(from+f.GroupRows, rows)
		}
		groups = append(groups, w.group(from, to))
		from = to
	}
	footer := w.footer(rows, groups)
	w.out.Write(footer)
	_ = binary.Write(&w.out, binary.LittleEndian, uint32(len(footer))) // to memory
	w.out.WriteString("PAR1")
	return w.out.Bytes()
}

// group writes the pages of a row group and returns its part of the footer.
func (w *writer) group(from, to int) []byte {
	var t thrift
	t.begin(1, len(w.Columns))
	for i := range w.Columns {
		w.chunk(&t, &w.Columns[i], from, to)
	}
	t.numbers(2, 0, 3, cmp.Or(w.Claim, to-from))
	return t.end()
}

// chunk writes the pages of a column and adds its part of the footer to t.
func (w *writer) chunk(t *thrift, c *ParquetColumn, from, to int) {
	entries := c.entries(c.Cells[from:to])
	start, dict := w.out.Len(), 0
	encoding := Plain
	var known []any
	if w.Dictionary && c.Type != Boolean {
		encoding = RLEDictionary
		known = distinct(entries)
		dict = start
		w.page(&ParquetPage{Column: c.Name, Kind: DictionaryPage, Entries: len(known)}, nil, nil, c.plain(known))
	}
	data := w.out.Len()
	for rest := entries; len(rest) > 0; {
		n := len(rest)
		if w.PageEntries > 0 {
			n = min(n, w.PageEntries)
		}
		w.dataPage(c, rest[:n], known, encoding)
		rest = rest[n:]
	}
	meta := thrift{}
	meta.numbers(1, c.Type, 4, w.Codec, 5, cmp.Or(w.Claim, len(entries)), 6, 0, 7, w.out.Len()-start, 9, data)
	if dict > 0 {
		meta.numbers(11, dict)
	}
	chunk := thrift{}
	chunk.numbers(2, 0)
	chunk.structure(3, meta.end())
	t.Write(chunk.end())
}

// An entry is a value with its levels.
type entry struct {
	rep, def int
	value    any // nil = none
}

// levels returns the largest levels of a column.
func (c *ParquetColumn) levels() (def, rep int) {
	if c.Optional {
		def++
	}
	if c.List {
		return def + 2, 1 // an optional element of a repeated group
	}
	return def, 0
}

// entries returns the entries of cells.
func (c *ParquetColumn) entries(cells []any) (all []entry) {
	most, _ := c.levels()
	for _, cell := range cells {
		list, isList := cell.([]any)
		switch {
		case cell == nil:
			all = append(all, entry{})
		case isList && len(list) == 0:
			all = append(all, entry{def: most - 2})
		case isList:
			for i, value := range list {
				e := entry{def: most, rep: min(i, 1), value: value}
				if value == nil {
					e.def--
				}
				all = append(all, e)
			}
		default:
			all = append(all, entry{def: most, value: cell})
		}
	}
	return all
}

// distinct returns the values of entries, each once.
func distinct(entries []entry) (known []any) {
	for _, e := range entries {
		if e.value != nil && !slices.Contains(known, e.value) {
			known = append(known, e.value)
		}
	}
	return known
}

func (w *writer) dataPage(c *ParquetColumn, entries []entry, known []any, encoding int) {
	p := &ParquetPage{Column: c.Name, Kind: DataPage, Encoding: encoding, Entries: len(entries), DefLevels: RLE, RepLevels: RLE}
	var values []any
	var reps, defs []int
	for _, e := range entries {
		reps, defs = append(reps, e.rep), append(defs, e.def)
		if e.rep == 0 {
			p.Rows++
		}
		if e.value == nil {
			p.Nulls++
			continue
		}
		values = append(values, e.value)
	}
	body := c.plain(values)
	if known != nil {
		body = indexes(values, known)
	}
	most, lists := c.levels()
	if w.V2 {
		p.Kind = DataPageV2
	}
	w.page(p, hybrid(reps, lists), hybrid(defs, most), body)
}

// indexes returns the places of values among the known ones.
func indexes(values, known []any) []byte {
	var places []int
	for _, v := range values {
		places = append(places, slices.Index(known, v))
	}
	largest := max(len(known)-1, 1)
	return append([]byte{byte(width(largest))}, hybrid(places, largest)...)
}

// page writes a page. Levels that a column lacks are nil.
func (w *writer) page(p *ParquetPage, reps, defs, body []byte) {
	if p.Kind == DataPageV2 {
		p.RepBytes, p.DefBytes = len(reps), len(defs)
		p.Unpacked = len(reps) + len(defs) + len(body)
		p.Body = slices.Concat(reps, defs, w.packed(body))
	} else {
		body = slices.Concat(withLength(reps), withLength(defs), body)
		p.Unpacked = len(body)
		p.Body = w.packed(body)
	}
	p.CRC = crc32.ChecksumIEEE(p.Body)
	if w.Edit != nil {
		w.Edit(p)
	}
	w.out.Write(p.header())
	w.out.Write(p.Body)
}

func withLength(levels []byte) []byte {
	if levels == nil {
		return nil
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
}

// packed compresses a body.
func (w *writer) packed(body []byte) []byte {
	var out bytes.Buffer
	switch w.Codec {
	case Snappy:
		return snappy.Encode(nil, body)
	case Gzip:
		return written(gzip.NewWriter(&out), &out, body)
	case Brotli:
		return written(brotli.NewWriterLevel(&out, 5), &out, body)
	case LZ4:
		packed := make([]byte, lz4.CompressBlockBound(len(body))+1)
		n, _ := lz4.CompressBlock(body, packed, nil) // it has room
		return packed[:n]
	case Zstd:
		return zstdEncoder().EncodeAll(body, nil)
	}
	return body
}

// written returns what z makes of a body in out.
func written(z io.WriteCloser, out *bytes.Buffer, body []byte) []byte {
	_, _ = z.Write(body) // to memory
	_ = z.Close()
	return out.Bytes()
}

// zstdEncoder returns the one encoder, since making one takes longer than its use.
var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // no option is wrong
	}
	return z
})

// plain encodes values.
func (c *ParquetColumn) plain(values []any) (out []byte) {
	for i, v := range values {
		switch v := v.(type) {
		case string:
			out = binary.LittleEndian.AppendUint32(out, uint32(len(v)))
			out = append(out, v...)
		case float32:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		case int:
			if c.Type == Int32 {
				out = binary.LittleEndian.AppendUint32(out, uint32(v))
			} else {
				out = binary.LittleEndian.AppendUint64(out, uint64(v))
			}
		case bool:
			if i%8 == 0 {
				out = append(out, 0)
			}
			if v {
				out[i/8] |= 1 << (i % 8)
			}
		}
	}
	return out
}
