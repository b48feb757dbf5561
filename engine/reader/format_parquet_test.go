package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// parquetFile returns a file that others have written; its README says which there are.
func parquetFile(name string) string {
	return string(testkit.Must(os.ReadFile("parquet/testdata/" + name + ".parquet")))
}

// labelsIn returns the labels of the documents of a file, a document's joined by spaces.
func labelsIn(t *testing.T, name string, opt Options) (string, error) {
	t.Helper()
	docs, err := collect(t, parquetFile(name), opt)
	var got []string
	for _, d := range docs {
		got = append(got, strings.Join(d.Labels, " "))
	}
	return strings.Join(got, ";"), err
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
	data := []byte(parquetFile("three"))
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
	check := func(file, column, want string) {
		if got, err := labelsIn(t, file, Options{LabelField: column}); err == nil && got != want || err != nil && (!errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s, %s: %s, %v", file, column, got, err)
		}
	}
	for column, want := range map[string]string{
		"names": "neg;pos;;", "none": "0;1;;-1", "value": "0;1;;-1", "sequence": "pos neg;;;pos", "list": "pos neg;;;pos", "array": "pos neg;;;pos",
		"only a list's": "0;1;;-1", "many": "the label is 2, and there are names of 2 classes; write the file again", "below": "the label is -2",
	} {
		check("classes-32", column, want)
		check("classes-64", column, want)
	}
	check("classes-broken", "", `the footer's "huggingface", which names the classes, is broken`)
	check("classes-odd", "", "is broken")
}

// Labels that are real numbers have their shortest form, and an empty text is no label.
func TestParquetLabels(t *testing.T) {
	for column, want := range map[string]string{
		"doubles": "1;0;;;0;0.1;1e+21;123456789.5;-2", "floats": "1;0.1", "list": "1 2.5", "infinite": "its label is infinite", "empty": ";a",
		"list of empty": "a", "several": "a b;b", "truth": "true;false",
	} {
		opt := Options{LabelField: column}
		if column == "several" {
			opt.LabelSeparator = ","
		}
		got, err := labelsIn(t, "labels", opt)
		if err == nil && strings.TrimRight(got, ";") != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", column, got, err)
		}
	}
}

// A text that is a list has tokens, which are terms as they stand, as in JSON lines.
func TestParquetTokens(t *testing.T) {
	for _, file := range []string{"tokens-false", "tokens-true"} {
		got, sum, err := shown(t, parquetFile(file), Options{SkipBad: true})
		want := []string{"stdin:1 [] 学习:1 我们:2", "stdin:2 []", "stdin:3 [] C++:1 The:1"}
		if err != nil || !slices.Equal(got, want) || len(sum.Problems) != 1 || !strings.Contains(sum.Problems[0].Kind, `"text" is null`) {
			t.Errorf("%q, %+v, %v", got, sum, err)
		}
		for want, opt := range map[string]Options{
			"the token has 6 bytes, more than 5":      {MaxName: 5},
			"the tokens have more than 10 bytes":      {MaxDocument: 10},
			"does not hold text, a value a row":       {TextField: "title,text"},
			`the column "numbers" does not hold text`: {TextField: "numbers"},
		} {
			_, _, err := shown(t, parquetFile(file), opt)
			testkit.Says(t, err, want)
		}
	}
}

// Columns that are missing or of another type are named.
func TestParquetColumns(t *testing.T) {
	all := parquetFile("columns")
	for name, c := range map[string]struct {
		opt  Options
		want string
	}{
		"missing text":   {Options{TextField: "texts"}, `there is no column "texts"; there are "text", "label", "score", "body", "split", "id", "price", "latin"; did you mean "text"? name one with --text-field`},
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
	for charset, want := range map[string]string{"auto": "caf� ��", "latin-1": "café ÿþ"} {
		if docs, err := collect(t, all, Options{TextField: "latin", Charset: charset, Unlabelled: true}); err != nil || string(docs[0].Text) != want {
			t.Errorf("%s: %q, %v", charset, docs[0].Text, err)
		}
	}
}

// A broken page is an error at the same place on any number of goroutines, and is never left
// out silently.
func TestParquetBroken(t *testing.T) {
	data := []byte(parquetFile("many"))
	data[len(data)/2]++
	file := writeFile(t, data)
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
	for _, name := range []string{"dictionary", "pages", "brotli", "lz4", "tokens", "nulls"} {
		file := "parquet/testdata/bomb-" + name + ".parquet"
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
	const file = "parquet/testdata/memory.parquet"
	s := testkit.Must(Read(t.Context(), []string{file}, Options{Unlabelled: true, MaxExpansion: 1 << 30}))
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
		t.Errorf("%d documents, %d bytes of memory for 59 MB of text in one row group", documents, used)
	}
	info, err := os.Stat(file)
	if taken, size := s.Progress(); err != nil || size != info.Size() || taken > size || taken < size/2 {
		t.Errorf("%d bytes of %d were taken, %v", taken, size, err)
	}
}
