package parquet

import (
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads what the tests' own writer writes: forms that others seldom write, and
// mistakes.

// table returns a file of some rows of every kind.
func table(rows int) faults.ParquetFile {
	columns := []faults.ParquetColumn{
		{Name: "id", Type: faults.Int32, Converted: 14},
		{Name: "text", Type: faults.ByteArray, Converted: 1},
		{Name: "null", Type: faults.ByteArray, Optional: true},
		{Name: "n", Type: faults.Int64, Optional: true},
		{Name: "flag", Type: faults.Boolean},
		{Name: "real", Type: faults.Double},
		{Name: "short", Type: faults.Float, Optional: true},
		{Name: "labels", Type: faults.ByteArray, List: true, Optional: true, Converted: 1},
		{Name: "numbers", Type: faults.Int32, List: true},
	}
	for i := range rows {
		var null, n, short, labels any
		if i%3 > 0 {
			null, n, short = fmt.Sprint("v", i%5), i*1_000_003, float32(i)/3
		}
		if i%7 > 0 {
			list := []any{}
			for j := range i % 5 {
				list = append(list, string(rune('a'+j)))
			}
			if i%10 == 9 {
				list = append(list, nil)
			}
			labels = list
		}
		numbers := []any{}
		for j := range i * i % 11 {
			numbers = append(numbers, i+j)
		}
		for c, cell := range []any{i, fmt.Sprintf("text %d %s", i, strings.Repeat("x", i%6)), null, n, i%2 == 0, float64(i) / 3, short, labels, numbers} {
			columns[c].Cells = append(columns[c].Cells, cell)
		}
	}
	return faults.ParquetFile{Columns: columns}
}

// render returns the cells of rows in one text, by the places of the columns.
func render(rows []map[string]any, names []string) string {
	var b strings.Builder
	for _, row := range rows {
		for _, name := range names {
			fmt.Fprintf(&b, "%q|", fmt.Sprint(row[name]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// expected is render for the cells of a file that is to be written.
func expected(f faults.ParquetFile) string {
	var rows []map[string]any
	for i := range f.Columns[0].Cells {
		row := map[string]any{}
		for _, c := range f.Columns {
			row[c.Name] = c.Cells[i]
		}
		rows = append(rows, row)
	}
	return render(rows, namesOf(f))
}

func namesOf(f faults.ParquetFile) (names []string) {
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

// forms are ways to write a file.
func forms(f faults.ParquetFile) (all []faults.ParquetFile) {
	for _, codec := range []int{faults.Stored, faults.Snappy, faults.Gzip, faults.Brotli, faults.Zstd, faults.LZ4} {
		for bits := range 4 {
			f.Codec, f.V2, f.Dictionary = codec, bits&1 > 0, bits&2 > 0
			for _, size := range [][2]int{{0, 0}, {17, 0}, {0, 1}, {17, 5}, {100, 8}} {
				f.GroupRows, f.PageEntries = size[0], size[1]
				all = append(all, f)
			}
		}
	}
	return all
}

func TestReadEveryForm(t *testing.T) {
	for _, rows := range []int{1, 8, 61} {
		f := table(rows)
		want := expected(f)
		for i, form := range forms(f) {
			if testing.Short() && i%4 != rows%4 { // one goroutine
				continue
			}
			got, err := readAll(form.Bytes())
			if err != nil || render(got, namesOf(f)) != want {
				t.Errorf("%d rows, codec %d, version 2 %v, dictionary %v, %d rows a group, %d entries a page: %d rows, %v",
					rows, form.Codec, form.V2, form.Dictionary, form.GroupRows, form.PageEntries, len(got), err)
			}
		}
	}
}

// A large page is divided, and its batches may be read in any order.
func TestBatchesShareAPage(t *testing.T) {
	f := faults.ParquetFile{Columns: []faults.ParquetColumn{{Name: "text", Type: faults.ByteArray, Optional: true}}}
	for i := range 6000 {
		var cell any
		if i%3 > 0 {
			cell = fmt.Sprint(i, strings.Repeat("x", 2000))
		}
		f.Columns[0].Cells = append(f.Columns[0].Cells, cell)
	}
	file := testkit.Must(open(f.Bytes()))
	rows := testkit.Must(file.cutRows(0))
	var batches []*Batch
	for {
		b, err := rows.next()
		if err != nil {
			break
		}
		batches = append(batches, b)
	}
	if len(batches) < 5 {
		t.Fatalf("%d batches", len(batches))
	}
	for i := len(batches) - 1; i >= 0; i-- {
		b := batches[i]
		c := testkit.Must(b.Cursor(0))
		for n := range b.Rows {
			at := int(b.First) + n
			if there := c.NextRow(); there != (at%3 > 0) || there && string(c.Text()) != f.Columns[0].Cells[at] {
				t.Fatalf("batch %d, row %d", i, at)
			}
		}
	}
}

// What is wrong or not read is said in full.
func TestRefused(t *testing.T) {
	edit := func(change func(p *faults.ParquetPage)) func(*faults.ParquetFile) {
		return func(f *faults.ParquetFile) {
			f.Edit = func(p *faults.ParquetPage) {
				if p.Column == "text" {
					change(p)
				}
			}
		}
	}
	dictionary := func(change func(p *faults.ParquetPage)) func(*faults.ParquetFile) {
		return func(f *faults.ParquetFile) {
			f.Dictionary = true
			edit(change)(f)
		}
	}
	for name, c := range map[string]struct {
		change func(f *faults.ParquetFile)
		want   string
	}{
		"checksum":         {edit(func(p *faults.ParquetPage) { p.CRC++ }), "its checksum is not that of its bytes"},
		"stream split":     {edit(func(p *faults.ParquetPage) { p.Encoding = 9 }), "its values have the encoding BYTE_STREAM_SPLIT, which is not read; write it with PLAIN"},
		"unknown encoding": {edit(func(p *faults.ParquetPage) { p.Encoding = 77 }), "unknown encoding 77"},
		"no dictionary":    {edit(func(p *faults.ParquetPage) { p.Encoding = 8 }), "refers to a dictionary, and its column has none"},
		"lzo":              {func(f *faults.ParquetFile) { f.Codec = 3 }, `the column "id": the column is compressed by LZO, which is not read; write it with zstd`},
		"lz4":              {func(f *faults.ParquetFile) { f.Codec = 5 }, "LZ4, which is not read"},
		"codec":            {func(f *faults.ParquetFile) { f.Codec = 99 }, "unknown compression 99"},
		"wrong codec":      {func(f *faults.ParquetFile) { f.Codec = 0; f.Edit = func(p *faults.ParquetPage) { p.Unpacked++ } }, "bytes come out, not"},
		"page too large":   {edit(func(p *faults.ParquetPage) { p.Unpacked = 64<<20 + 1 }), "more than 67108864; write smaller pages; --max-document raises"},
		"below 0":          {edit(func(p *faults.ParquetPage) { p.Unpacked = -1 }), "a number below 0"},
		"too many values":  {edit(func(p *faults.ParquetPage) { p.Entries = 1<<24 + 1 }), "more than 16777216"},
		"more values":      {edit(func(p *faults.ParquetPage) { p.Entries++ }), "has 10 values, and 9 are left of its column"},
		"fewer values":     {edit(func(p *faults.ParquetPage) { p.Entries-- }), "byte"},
		"index page":       {edit(func(p *faults.ParquetPage) { p.Kind = 1 }), "byte"},
		"unknown kind":     {edit(func(p *faults.ParquetPage) { p.Kind = 9 }), "unknown kind 9"},
		"no header":        {edit(func(p *faults.ParquetPage) { p.NoHeaders = true }), "lacks what its kind needs"},
		"more rows":        {func(f *faults.ParquetFile) { f.More = 1 }, "it has 9 rows, and its footer says 10"},
		"fewer rows":       {func(f *faults.ParquetFile) { f.More = -1 }, "it has 9 rows, and the file 8"},
		"dictionary later": {dictionary(func(p *faults.ParquetPage) { p.Kind = 2; p.Encoding = 0 }), "is a dictionary, and not the first page"},
		"short dictionary": {dictionary(func(p *faults.ParquetPage) {
			if p.Kind == faults.DictionaryPage {
				p.Entries--
			}
		}), "bytes are left behind the values"},
		"encoding of the dictionary": {dictionary(func(p *faults.ParquetPage) { p.Encoding = 6 }), "the values of the dictionary have the encoding DELTA_LENGTH_BYTE_ARRAY"},
		"version 2, nulls": {func(f *faults.ParquetFile) {
			f.V2 = true
			f.Edit = func(p *faults.ParquetPage) { p.Nulls++ }
		}, "values, and should have"},
		"version 2, levels": {func(f *faults.ParquetFile) {
			f.V2 = true
			f.Edit = func(p *faults.ParquetPage) { p.DefBytes = len(p.Body) + 1 }
		}, "the levels of a page have more bytes than the page"},
		"bits as levels":  {func(f *faults.ParquetFile) { f.Edit = func(p *faults.ParquetPage) { p.DefLevels = 4 } }, "its levels have the encoding BIT_PACKED, which is not read"},
		"of fixed length": {func(f *faults.ParquetFile) { f.Columns[1].Type = 7 }, ""},
	} {
		f := table(9)
		c.change(&f)
		_, err := readAll(f.Bytes())
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
	good := table(3).Bytes()
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
	f, err := open(faults.ParquetFile{Columns: table(1).Columns, Keys: [][2]string{{"a", "b"}, {"huggingface", "{}"}}}.Bytes())
	if err != nil || string(f.Key("huggingface")) != "{}" || f.Key("c") != nil {
		t.Errorf("keys: %v", err)
	}
}

// What brotli and LZ4 claim or lack is refused, and memory is for what comes out.
func TestHostileCodecs(t *testing.T) {
	text := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, Cells: []any{strings.Repeat("ab", 5000)}}
	for _, codec := range []int{faults.Brotli, faults.LZ4} {
		for name, edit := range map[string]func(p *faults.ParquetPage){
			"less than comes out": func(p *faults.ParquetPage) { p.Unpacked -= 5 },
			"more than comes out": func(p *faults.ParquetPage) { p.Unpacked += 5 },
			"far more":            func(p *faults.ParquetPage) { p.Unpacked = 64 << 20 },
			"cut":                 func(p *faults.ParquetPage) { p.Body = p.Body[:len(p.Body)-1] },
			"cut short":           func(p *faults.ParquetPage) { p.Body = p.Body[:1] },
			"nothing":             func(p *faults.ParquetPage) { p.Body = nil },
			"something behind":    func(p *faults.ParquetPage) { p.Body = append(p.Body, 0) },
			"another's bytes":     func(p *faults.ParquetPage) { p.Body = []byte("\xff\xff\xff\xff\xff\xff\xff\xff") },
		} {
			f := faults.ParquetFile{Columns: []faults.ParquetColumn{text}, Codec: codec, Edit: func(p *faults.ParquetPage) { edit(p); p.NoCRC = true }}
			sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
			metrics.Read(sample)
			before := sample[0].Value.Uint64()
			_, err := readAll(f.Bytes())
			metrics.Read(sample)
			if allocated := sample[0].Value.Uint64() - before; !errors.Is(err, usage.ErrData) || allocated > 8<<20 {
				t.Errorf("%s, codec %d: %d bytes allocated, %v", name, codec, allocated, err)
			}
		}
	}
}
