package reader

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/pool"
)

// described returns the keys of a footer by which Hugging Face's datasets describe the column
// label.
func described(feature string) [][2]string {
	return [][2]string{{"ARROW:schema", "/////"}, {"huggingface", `{"info":{"features":{"text":{"dtype":"string","_type":"Value"},"label":` + feature + `}}}`}}
}

// texts returns a column of texts, and one of labels of a type.
func texts(labelType int, labels ...any) faults.ParquetFile {
	text := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, Converted: 1}
	for i := range labels {
		text.Cells = append(text.Cells, fmt.Sprint("text ", i))
	}
	label := faults.ParquetColumn{Name: "label", Type: labelType, Optional: true, Cells: labels}
	for _, l := range labels {
		if _, ok := l.([]any); ok {
			label.List = true
		}
	}
	return faults.ParquetFile{Columns: []faults.ParquetColumn{text, label}}
}

// A table reads alike as Parquet and as JSON lines, from wherever it comes and on any number
// of goroutines.
func TestReadParquetLikeJSONL(t *testing.T) {
	for table, opt := range map[string]Options{
		"texts":   {},
		"nulls":   {SkipBad: true},
		"lists":   {SkipBad: true},
		"numbers": {TextField: "inner_.a", LabelField: "u64", IDField: "i16"},
		"pages":   {SkipBad: true},
	} {
		want, wantSum := readShown(t, opt, "parquet/testdata/"+table+".jsonl")
		files, err := filepath.Glob("parquet/testdata/" + table + "-*.parquet")
		if err != nil || len(files) < 8 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, file := range files {
			got, sum := readShown(t, opt, file)
			if !slices.Equal(got, want) || len(got) < 25 || len(sum.Problems) != len(wantSum.Problems) {
				t.Errorf("%s: %d documents for %d, %v for %v", file, len(got), len(want), sum.Problems, wantSum.Problems)
			}
			for i, p := range sum.Problems {
				testkit.Equal(t, p.Count, wantSum.Problems[i].Count, file, "for", p.Kind)
			}
		}
	}
}

// readShown reads an input on one and on several goroutines, and gives its documents without
// the name of the file.
func readShown(t *testing.T, opt Options, inputs ...string) ([]string, Summary) {
	t.Helper()
	want, sum, err := readBeside(t.Context(), opt, 1, inputs...)
	testkit.Is(testkit.Stop(t), err, nil, inputs)
	for _, threads := range []int{2, 8} {
		got, again, err := readBeside(t.Context(), opt, threads, inputs...)
		if err != nil || !slices.Equal(got, want) || fmt.Sprint(again) != fmt.Sprint(sum) {
			t.Errorf("%v, %d threads: %d documents for %d, %v", inputs, threads, len(got), len(want), err)
		}
	}
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], inputs[0], "")
	}
	return want, sum
}

// Parquet is found by its first bytes in whatever it comes, and by its name in folders.
func TestReadParquetAnywhere(t *testing.T) {
	f := texts(faults.ByteArray, "a", "b", "a")
	f.Codec = faults.Zstd
	data := f.Bytes()
	root := plant(t, "x/part-1.parquet")
	testkit.Write(filepath.Join(root, "x/part-1.parquet"), string(data))
	packed := archive(t, member{name: "d/README", body: "r"}, member{name: "d/part-1.parquet", body: string(data)})
	for name, input := range map[string]string{
		"file": writeFile(t, data), "gzip": writeFile(t, zip(t, data)), "folder": root, "tar": writeFile(t, packed), "tar.gz": writeFile(t, zip(t, packed)), "stdin": "-",
	} {
		got, _, err := ids(t, Options{Stdin: bytes.NewReader(data), TempDir: t.TempDir()}, input)
		labels := strings.Join(got, "\n")
		if err != nil || len(got) != 3 || !strings.HasSuffix(got[0], ":1 a") || !strings.HasSuffix(got[1], ":2 b") || !strings.HasSuffix(got[2], ":3 a") {
			t.Errorf("%s: %s, %v", name, labels, err)
		}
	}
	if _, _, err := ids(t, Options{Stdin: bytes.NewReader(data), TempDir: filepath.Join(root, "none")}, "-"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder for the copy: %v", err)
	}
	if _, _, err := ids(t, Options{Stdin: bytes.NewReader(data), MaxInput: 100}, "-"); err == nil || !strings.Contains(err.Error(), "--max-input") {
		t.Errorf("a long pipe: %v", err)
	}
	if _, _, err := ids(t, Options{Format: Parquet}, writeFile(t, []byte("{\"text\":\"no Parquet\"}"))); err == nil || !strings.Contains(err.Error(), "it does not begin with PAR1") {
		t.Errorf("another format: %v", err)
	}
}

// The numbers of a ClassLabel have the names that the footer says.
func TestClassLabels(t *testing.T) {
	const class = `{"names":["neg","pos"],"_type":"ClassLabel"}`
	for name, c := range map[string]struct {
		keys   [][2]string
		labels []any
		want   string
	}{
		"names":             {described(class), []any{0, 1, nil, -1}, "neg;pos;;"},
		"no description":    {nil, []any{0, 1, nil, -1}, "0;1;;-1"},
		"another feature":   {described(`{"dtype":"int64","_type":"Value"}`), []any{0, 1}, "0;1"},
		"a sequence":        {described(`{"feature":` + class + `,"length":-1,"_type":"Sequence"}`), []any{[]any{1, 0}, []any{}, nil, []any{1}}, "pos neg;;;pos"},
		"a list":            {described(`{"feature":` + class + `,"_type":"List"}`), []any{[]any{1}}, "pos"},
		"an array":          {described(`[` + class + `]`), []any{[]any{1}}, "pos"},
		"another column":    {[][2]string{{"huggingface", `{"info":{"features":{"other":` + class + `}}}`}}, []any{1}, "1"},
		"only a list's":     {described(`{"feature":` + class + `,"_type":"Sequence"}`), []any{1}, "1"},
		"a class too many":  {described(class), []any{0, 2}, "the label is 2, and there are names of 2 classes; write the file again"},
		"below all":         {described(class), []any{-2}, "the label is -2"},
		"not JSON":          {[][2]string{{"huggingface", `{`}}, []any{0}, `the footer's "huggingface", which names the classes, is broken`},
		"names of no texts": {described(`{"names":3,"_type":"ClassLabel"}`), []any{0}, "is broken"},
	} {
		for _, physical := range []int{faults.Int32, faults.Int64} {
			f := texts(physical, c.labels...)
			f.Keys = c.keys
			docs, err := collect(t, string(f.Bytes()), Options{})
			var got []string
			for _, d := range docs {
				got = append(got, strings.Join(d.Labels, " "))
			}
			if text := strings.Join(got, ";"); err == nil && text != c.want || err != nil && (!errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: %s, %v", name, text, err)
			}
		}
	}
	docs, err := collect(t, string(texts(faults.Boolean, true, false, nil).Bytes()), Options{})
	if err != nil || docs[0].Labels[0] != "true" || docs[1].Labels[0] != "false" || len(docs[2].Labels) != 0 {
		t.Errorf("truth values: %v, %v", docs, err)
	}
}

// Labels that are real numbers have their shortest form, and an empty text is no label.
func TestParquetLabels(t *testing.T) {
	for name, c := range map[string]struct {
		physical int
		labels   []any
		opt      Options
		want     string
	}{
		"doubles":           {faults.Double, []any{1.0, 0.0, nil, math.NaN(), math.Copysign(0, -1), 0.1, 1e21, 123456789.5, -2.0}, Options{}, "1;0;;;0;0.1;1e+21;123456789.5;-2"},
		"floats":            {faults.Float, []any{float32(1), float32(0.1), nil}, Options{}, "1;0.1;"},
		"a list":            {faults.Double, []any{[]any{1.0, 2.5}, []any{}}, Options{}, "1 2.5;"},
		"infinite":          {faults.Double, []any{math.Inf(-1)}, Options{}, "its label is infinite"},
		"empty":             {faults.ByteArray, []any{"", "a", nil}, Options{}, ";a;"},
		"a list of empty":   {faults.ByteArray, []any{[]any{"", "a"}}, Options{}, "a"},
		"several in a text": {faults.ByteArray, []any{"a, b", "b"}, Options{LabelSeparator: ","}, "a b;b"},
	} {
		docs, err := collect(t, string(texts(c.physical, c.labels...).Bytes()), c.opt)
		var got []string
		for _, d := range docs {
			got = append(got, strings.Join(d.Labels, " "))
		}
		if text := strings.Join(got, ";"); err == nil && text != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// A text that is a list has tokens, which are terms as they stand, as in JSON lines.
func TestParquetTokens(t *testing.T) {
	text := faults.ParquetColumn{
		Name: "text", Type: faults.ByteArray, List: true, Optional: true,
		Cells: []any{[]any{"我们", "学习", "我们"}, []any{}, []any{"C++", "", "The"}, nil},
	}
	for _, dictionary := range []bool{false, true} {
		f := faults.ParquetFile{Columns: []faults.ParquetColumn{text}, Dictionary: dictionary, PageEntries: 2}
		got, sum, err := shown(t, string(f.Bytes()), Options{SkipBad: true})
		want := []string{"stdin:1 [] 学习:1 我们:2", "stdin:2 []", "stdin:3 [] C++:1 The:1"}
		if err != nil || !slices.Equal(got, want) || len(sum.Problems) != 1 || !strings.Contains(sum.Problems[0].Kind, `"text" is null`) {
			t.Errorf("%q, %+v, %v", got, sum, err)
		}
	}
	if _, _, err := shown(t, string(faults.ParquetFile{Columns: []faults.ParquetColumn{text}}.Bytes()), Options{MaxName: 5}); err == nil || !strings.Contains(err.Error(), "the token has 6 bytes, more than 5") {
		t.Errorf("a long token: %v", err)
	}
	if _, _, err := shown(t, string(faults.ParquetFile{Columns: []faults.ParquetColumn{text}}.Bytes()), Options{MaxDocument: 10}); err == nil || !strings.Contains(err.Error(), "the tokens have more than 10 bytes") {
		t.Errorf("many tokens: %v", err)
	}
	text.Name = "body"
	if _, _, err := shown(t, string(faults.ParquetFile{Columns: []faults.ParquetColumn{text}}.Bytes()), Options{TextField: "title,body"}); err == nil || !strings.Contains(err.Error(), "does not hold text, a value a row") {
		t.Errorf("joined: %v", err)
	}
	numbers := faults.ParquetColumn{Name: "text", Type: faults.Int32, List: true, Cells: []any{[]any{1}}}
	if _, _, err := shown(t, string(faults.ParquetFile{Columns: []faults.ParquetColumn{numbers}}.Bytes()), Options{}); err == nil || !strings.Contains(err.Error(), "does not hold text") {
		t.Errorf("numbers: %v", err)
	}
}

// Columns that are missing or of another type are named.
func TestParquetColumns(t *testing.T) {
	f := texts(faults.Int32, 1, 2)
	f.Columns = append(f.Columns, faults.ParquetColumn{Name: "score", Type: faults.Double, Cells: []any{.5, .25}},
		faults.ParquetColumn{Name: "body", Type: faults.ByteArray, Optional: true, Cells: []any{nil, "b"}},
		faults.ParquetColumn{Name: "split", Type: faults.ByteArray, Cells: []any{"train", "test"}},
		faults.ParquetColumn{Name: "id", Type: 7, Cells: []any{"", ""}}, // nobody asks for it
		faults.ParquetColumn{Name: "price", Type: 7, Converted: 6, Cells: []any{"", ""}})
	all := string(f.Bytes())
	for name, c := range map[string]struct {
		opt  Options
		want string
	}{
		"missing text":   {Options{TextField: "texts"}, `there is no column "texts"; there are "text", "label", "score", "body", "split", "id", "price"; did you mean "text"? name one with --text-field`},
		"missing label":  {Options{LabelField: "class"}, `there is no column "class"`},
		"a number":       {Options{TextField: "label"}, `the column "label" does not hold text, a value a row; name another column with --text-field`},
		"a real number":  {Options{TextField: "score"}, `the column "score" does not hold text, a value a row`},
		"a real id":      {Options{IDField: "score"}, `the column "score" does not hold text or whole numbers`},
		"a fixed id":     {Options{IDField: "id"}, `the column "id" is of the type FIXED_LEN_BYTE_ARRAY, which is not read`},
		"a decimal":      {Options{IDField: "price"}, `the column "price" is a decimal, which is not read; cast it to text`},
		"a real label":   {Options{LabelField: "score"}, ""},
		"a null":         {Options{TextField: "body"}, `stdin:1: the document is not understood: its "body" is null; --skip-bad leaves such rows out`},
		"long":           {Options{MaxDocument: 5}, "stdin:1: the text has more than 5 bytes"},
		"many columns":   {Options{MaxFields: 4}, "--max-fields"},
		"another split":  {Options{Split: "unused"}, "nothing for --split unused; the splits it has: test train"},
		"number as name": {Options{TextField: "1", IDField: "2"}, ""},
		"joined":         {Options{TextField: "body,text,none"}, ""},
		"split":          {Options{Split: "test"}, ""},
	} {
		docs, err := collect(t, all, c.opt)
		if c.want != "" && (!errors.Is(err, ErrBadInput) && !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), c.want)) || c.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		switch name {
		case "number as name":
			testkit.Equal(t, docs[0].ID, "1", name, docs)
			testkit.Equal(t, string(docs[1].Text), "text 1", name, docs)
		case "a real label":
			if docs[0].Labels[0] != "0.5" || docs[1].Labels[0] != "0.25" || docs[0].ID != "stdin:1" {
				t.Errorf("%s: %v", name, docs)
			}
		case "joined":
			testkit.Equal(t, string(docs[0].Text), "text 0", name, docs[1].Text)
			testkit.Equal(t, string(docs[1].Text), "b\ntext 1", name, docs[0].Text)
		case "split":
			if len(docs) != 1 || string(docs[0].Text) != "text 1" || docs[0].Split != "test" {
				t.Errorf("%s: %v", name, docs)
			}
		}
	}
	bytes := faults.ParquetFile{Columns: []faults.ParquetColumn{{Name: "text", Type: faults.ByteArray, Cells: []any{"caf\xe9 \xff\xfe"}}}}
	for charset, want := range map[string]string{"auto": "caf� ��", "latin-1": "café ÿþ"} {
		if docs, err := collect(t, string(bytes.Bytes()), Options{Charset: charset, Unlabelled: true}); err != nil || string(docs[0].Text) != want {
			t.Errorf("%s: %q, %v", charset, docs[0].Text, err)
		}
	}
}

// A broken page is an error at the same place on any number of goroutines, and is never left
// out silently.
func TestParquetBroken(t *testing.T) {
	f := texts(faults.Int32, slices.Repeat([]any{1}, 5000)...)
	f.PageEntries, f.GroupRows = 100, 2000
	pages := 0
	f.Edit = func(p *faults.ParquetPage) {
		if pages++; pages == 60 {
			p.CRC++
		}
	}
	file := writeFile(t, f.Bytes())
	_, _, want := readBeside(t.Context(), Options{SkipBad: true}, 1, file)
	if !errors.Is(want, ErrBadInput) || !strings.Contains(want.Error(), "its checksum is not that of its bytes; it may be damaged") || !strings.Contains(want.Error(), `the column "`) {
		t.Fatal(want)
	}
	for _, threads := range []int{2, 8} {
		if _, _, err := readBeside(t.Context(), Options{SkipBad: true}, threads, file); err == nil || err.Error() != want.Error() {
			t.Errorf("%d threads: %v, want %v", threads, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := readBeside(ctx, Options{}, 2, file); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Little Parquet does not become much text.
func TestParquetBombs(t *testing.T) {
	longAlone(t)
	long := strings.Repeat("x", 1<<20)
	one := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, Cells: slices.Repeat([]any{long}, 150)}
	null := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, Optional: true, Cells: []any{nil}}
	tokens := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, List: true, Cells: slices.Repeat([]any{slices.Repeat([]any{strings.Repeat("x", 4000)}, 1000)}, 40)}
	const many = 1 << 24
	nulls := func(p *faults.ParquetPage) { // one run, of its length and the value 0
		levels := append(binary.AppendUvarint(nil, many<<1), 0)
		p.Entries, p.NoCRC = many, true
		p.Body = append([]byte{byte(len(levels)), 0, 0, 0}, levels...)
		p.Unpacked = len(p.Body)
	}
	for name, f := range map[string]faults.ParquetFile{
		"dictionary": {Columns: []faults.ParquetColumn{one}, Codec: faults.Zstd, Dictionary: true},
		"pages":      {Columns: []faults.ParquetColumn{one}, Codec: faults.Zstd, PageEntries: 1},
		"brotli":     {Columns: []faults.ParquetColumn{one}, Codec: faults.Brotli, PageEntries: 1},
		"lz4":        {Columns: []faults.ParquetColumn{one}, Codec: faults.LZ4, PageEntries: 1},
		"tokens":     {Columns: []faults.ParquetColumn{tokens}, Codec: faults.Zstd, Dictionary: true},
		"nulls":      {Columns: []faults.ParquetColumn{null}, Edit: nulls, Claim: many, More: many - 1},
	} {
		file := writeFile(t, f.Bytes())
		for _, threads := range []int{1, 8} {
			err := readUntilError(t.Context(), Options{SkipBad: true, MaxExpansion: 50}, threads, file)
			testkit.Refused(t, err, ErrBadInput, "--max-expansion", name, threads, "threads")
		}
	}
}

// readUntilError reads an input on some goroutines, and drops what it has.
func readUntilError(ctx context.Context, opt Options, threads int, input string) error {
	s, err := Read(ctx, []string{input}, opt)
	if err != nil {
		return err
	}
	return pool.Feed(ctx, threads, s.Batches(), func(_, _ int, batch document.Stream) error {
		for _, err := range batch {
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// A row group of any size needs the memory of its pages.
func TestParquetMemory(t *testing.T) {
	longAlone(t)
	text := faults.ParquetColumn{Name: "text", Type: faults.ByteArray}
	line := strings.Repeat("some words ", 18)
	for i := range 300_000 {
		text.Cells = append(text.Cells, fmt.Sprint(line, i))
	}
	file := writeFile(t, faults.ParquetFile{Columns: []faults.ParquetColumn{text}, PageEntries: 5000, Codec: faults.Snappy}.Bytes())
	text.Cells = nil
	s := testkit.Must(Read(t.Context(), []string{file}, Options{Unlabelled: true}))
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	documents, most := 0, uint64(0)
	for range testkit.All(s.Documents()) {
		if documents++; documents%30_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	}
	if used := int64(most) - int64(before.HeapAlloc); documents != 300_000 || used > 8<<20 {
		t.Errorf("%d documents, %d bytes of memory for 63 MB of text in one row group", documents, used)
	}
	info, err := os.Stat(file)
	if taken, size := s.Progress(); err != nil || size != info.Size() || taken > size || taken < size/2 {
		t.Errorf("%d bytes of %d were taken, %v", taken, size, err)
	}
}

func FuzzParquetDocuments(f *testing.F) {
	file := texts(faults.Int32, 1, nil, 0)
	file.Keys = described(`{"names":["neg","pos"],"_type":"ClassLabel"}`)
	f.Add(string(file.Bytes()))
	list := texts(faults.ByteArray, []any{"a", "b"}, []any{}, nil)
	list.Codec, list.V2, list.Dictionary = faults.Zstd, true, true
	f.Add(string(list.Bytes()))
	f.Fuzz(func(t *testing.T, text string) { checkFuzz(t, text, Parquet) })
}

// newsgroupsParquet returns the training documents of 20 Newsgroups as Parquet, with zstd and
// pages of a megabyte, as most writers make them.
func newsgroupsParquet(b *testing.B) []byte {
	id := faults.ParquetColumn{Name: "id", Type: faults.ByteArray}
	label := faults.ParquetColumn{Name: "label", Type: faults.ByteArray}
	text := faults.ParquetColumn{Name: "text", Type: faults.ByteArray, Optional: true}
	for _, d := range newsgroups(b) {
		id.Cells, label.Cells, text.Cells = append(id.Cells, d.ID), append(label.Cells, d.Labels[0]), append(text.Cells, string(d.Text))
	}
	return faults.ParquetFile{Columns: []faults.ParquetColumn{id, label, text}, Codec: faults.Zstd, PageEntries: 500}.Bytes()
}

// BenchmarkParquet measures a file of Parquet, on one goroutine and without analysis, beside
// the same documents as JSON lines, by bytes of text.
func BenchmarkParquet(b *testing.B) {
	lines := textLines(b, newsgroups(b))
	documents, size := plainJSON(lines)
	file := testkit.Write(filepath.Join(b.TempDir(), "20news.parquet"), newsgroupsParquet(b))
	for _, impl := range []struct {
		name string
		read func() (int, int)
	}{
		{"termsift", func() (int, int) { return readFile(b, file) }},
		{"jsonl", func() (int, int) { return readOnce(b, lines, JSONL) }},
	} {
		b.Run("impl="+impl.name+"/set=20news", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if d, n := impl.read(); d != documents || n != size {
					b.Fatalf("%d documents that hold %d, want %d and %d", d, n, documents, size)
				}
			}
		})
	}
}

// readFile reads a file and counts its documents and the bytes of their texts.
func readFile(b *testing.B, file string) (documents, size int) {
	s := testkit.Must(Read(b.Context(), []string{file}, Options{}))
	for d := range testkit.All(s.Documents()) {
		documents++
		size += len(d.Text)
	}
	return documents, size
}
