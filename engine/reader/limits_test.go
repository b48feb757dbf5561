package reader

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

// This file tests the limits of inputs that mean harm, and that what a reader takes
// grows no faster than its input.

// sampled gives some cases by their names, as package cases chooses.
func sampled[T any](t *testing.T, named map[string]T) iter.Seq2[string, T] {
	names := slices.Sorted(maps.Keys(named))
	return func(yield func(string, T) bool) {
		for _, i := range testkit.CaseNumbers(t, len(names)) {
			if !yield(names[i], named[names[i]]) {
				return
			}
		}
	}
}

// longAlone skips a test in short runs, which look for races: it has one goroutine, and takes
// seconds even without the race detector.
func longAlone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("testing.Short: it takes long, and has one goroutine")
	}
}

// Names are bounded wherever they come from, and say the flag.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("n", 51)
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"JSON label":     {`{"label":"` + long + `","text":""}`, Options{}, "stdin:1: the label has 51 bytes, more than 50"},
		"JSON id":        {`{"id":"` + long + `","text":""}`, Options{}, "stdin:1: the id has 51 bytes, more than 50"},
		"JSON number":    {`{"id":` + strings.Repeat("1", 51) + `,"text":""}`, Options{}, "stdin:1: the id has 51 bytes"},
		"JSON split":     {`{"split":"` + long + `","text":""}`, Options{}, "stdin:1: the split has 51 bytes"},
		"JSON term":      {`{"counts":{"` + long + `":1}}`, Options{}, `a term of "counts" has 51 bytes`},
		"CSV label":      {"label,text\n" + long + ",x\n", Options{Format: CSV}, "stdin:2: the label has 51 bytes"},
		"CSV id":         {"id,text\n" + long + ",x\n", Options{Format: CSV}, "stdin:2: the id has 51 bytes"},
		"svmlight label": {"1 1:1\n" + long + " 1:1\n", Options{}, "stdin:2: the label has 51 bytes"},
		"Reuters label":  {"<REUTERS><TOPICS><D>" + long + "</D></TOPICS></REUTERS>", Options{}, "stdin:1: the label has 51 bytes"},
		"Reuters id":     {"<REUTERS NEWID=" + long + "></REUTERS>", Options{}, "stdin:1: the id has 51 bytes"},
		"LYRL id":        {".I " + strings.Repeat("0", 51) + "\n.W\n", Options{Format: LYRL}, "the id has 51 bytes"},
		"member":         {string(archive(t, member{name: "a/" + long[2:], body: "x"})), Options{}, "the file's name has 51 bytes"},
	} {
		c.opt.MaxName = 50
		_, err := collect(t, c.text, c.opt)
		if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--max-name") {
			t.Errorf("%s: %v", name, err)
		}
		c.opt.MaxName = 51
		testkit.Is(t, testkit.Err(collect(t, c.text, c.opt)), nil, name, "as long as may be")
		c.opt.MaxName, c.opt.SkipBad = 50, true
		if _, err := collect(t, c.text, c.opt); err != nil && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s, skipped: %v", name, err)
		}
	}
}

// Folders are bounded in archives and directories.
func TestDeepFolders(t *testing.T) {
	deep := strings.Repeat("d/", 11) + "1"
	root := plant(t)
	testkit.Write(filepath.Join(root, deep), "x")
	testkit.Write(filepath.Join(root, "a/b/1"), "x")
	data := archive(t, member{name: deep, body: "x"}, member{name: "a/b/1", body: "x"})
	for _, input := range []string{root, writeFile(t, data)} {
		_, _, err := ids(t, Options{MaxDepth: 10}, input)
		if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "11 folders, one in the other, more than 10") || !strings.Contains(err.Error(), "--max-depth") {
			t.Errorf("%v", err)
		}
		if got, _, err := ids(t, Options{MaxDepth: 11}, input); err != nil || len(got) != 2 {
			t.Errorf("as deep as may be: %q, %v", got, err)
		}
		if got, sum, err := ids(t, Options{MaxDepth: 10, SkipBad: true}, input); err != nil || !slices.Equal(got, []string{"a/b/1 b"}) || len(sum.Problems) != 1 {
			t.Errorf("skipped: %q, %+v, %v", got, sum, err)
		}
	}
}

// The place that stands for an id has the end of a long name.
func TestIDsOfLongFiles(t *testing.T) {
	name := "d/" + strings.Repeat("é", 400) + ".jsonl"
	docs := testkit.Must(collect(t, string(archive(t, member{name: name, body: `{"text":"x"}`})), Options{}))
	testkit.Equal(testkit.Stop(t), len(docs), 1, "documents")
	id := docs[0].ID
	if len(id) > shortFile+len(":1") || !strings.HasPrefix(id, "…é") || !strings.HasSuffix(id, "é.jsonl:1") || strings.Contains(id, "\ufffd") {
		t.Errorf("%d bytes: %q", len(id), id)
	}
}

// Columns of CSV are bounded by a flag; fields that no column is for are counted, not
// kept.
func TestManyFields(t *testing.T) {
	text := "text,a,b\nx,y,z\n" + strings.Repeat(",", 1000) + "\n"
	docs, err := collect(t, text, Options{Format: CSV, MaxFields: 3})
	testkit.OK(err)
	testkit.Equal(t, len(docs), 1, "documents")
	_, err = collect(t, text, Options{Format: CSV, MaxFields: 2})
	if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "the row has 3 columns, more than 2") || !strings.Contains(err.Error(), "--max-fields") {
		t.Error(err)
	}
}

// Many small compressed files are one bomb, in whatever they are packed.
func TestManySmallBombs(t *testing.T) {
	bomb := string(zip(t, bytes.Repeat([]byte("words \n"), 5<<20/7)))
	lines := string(zip(t, bytes.Repeat([]byte(`{"text":"`+strings.Repeat("x", 1000)+`"}`+"\n"), 5<<10)))
	var documents, dataFiles []member
	for i := range 20 {
		documents = append(documents, member{name: fmt.Sprint("n/a/", i), body: bomb})
		dataFiles = append(dataFiles, member{name: fmt.Sprint("n/a/", i, ".jsonl.gz"), body: lines})
	}
	passes := 2
	if testing.Short() {
		passes = 1
	}
	for name, members := range map[string][]member{"documents": documents, "data files": dataFiles} {
		data := archive(t, members...)
		root := plant(t)
		for _, m := range members {
			testkit.Write(filepath.Join(root, m.name), m.body)
		}
		inputs := []string{root, writeFile(t, data), writeFile(t, zip(t, data))}
		if testing.Short() { // each takes seconds, on one goroutine
			inputs = inputs[1:2]
		}
		for _, input := range inputs {
			for _, skip := range []bool{true, false}[:passes] {
				_, _, err := ids(t, Options{MaxExpansion: 50, SkipBad: skip}, input)
				testkit.Refused(t, err, ErrBadInput, "--max-expansion", name, "in", filepath.Base(input))
			}
			if testing.Short() {
				continue
			}
			if _, sum, err := ids(t, Options{MaxExpansion: 1 << 40}, input); err != nil || sum.Documents < 20 {
				t.Errorf("%s in %s, allowed: %+v, %v", name, filepath.Base(input), sum, err)
			}
		}
	}
}

// The verdict on frames does not depend on the order in which they are parsed.
func TestLedgerInAnyOrder(t *testing.T) {
	frames := []spent{{own: 10 << 20, packed: 1 << 10}, {own: 70 << 20, packed: 1 << 20}, {own: 1, packed: 1 << 30}, {packed: 1 << 30}}
	for _, limit := range []int64{50, 500} {
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}} {
			var l ledger
			failed := 0
			for _, n := range order {
				if l.add(n, frames[n], limit) != nil {
					failed++
				}
			}
			if failed != map[int64]int{50: 1, 500: 0}[limit] || limit == 500 && l.sum != 80<<20+1 {
				t.Errorf("limit %d, order %v: %d failed, sum %d", limit, order, failed, l.sum)
			}
		}
	}
}

// An endlessText gives a beginning, and then a text again and again.
type endlessText struct {
	begin, text string
	size        int64
}

func (e *endlessText) Read(p []byte) (int, error) {
	for i := range p {
		if at := e.size; at < int64(len(e.begin)) {
			p[i] = e.begin[at]
		} else {
			p[i] = e.text[(at-int64(len(e.begin)))%int64(len(e.text))]
		}
		e.size++
	}
	return len(p), nil
}

// What has no end ends, with an error, within little memory and time.
func TestEndlessInputs(t *testing.T) {
	tried := 0
	whole := string(archive(t, member{name: "n/a/1", body: "x"}, member{name: "n/b/1", body: "y"}))
	small := Options{MaxDocument: 1 << 20, MaxLine: 1 << 20, MaxInput: 80 << 20}
	for name, c := range sampled(t, map[string]struct {
		in     *endlessText
		format string
		want   string // part of the error; "" = none
	}{
		"zeros":                      {&endlessText{text: "\x00"}, Auto, "the format is not known"},
		"zeros as tar":               {&endlessText{text: "\x00"}, Tar, "no documents"},
		"zeros as JSON":              {&endlessText{text: "\x00"}, JSONL, "--max-line"},
		"zeros as CSV":               {&endlessText{text: "\x00"}, CSV, "--max-line"},
		"zeros as svmlight":          {&endlessText{text: "\x00"}, SVMLight, "--max-line"},
		"zeros as Reuters":           {&endlessText{text: "\x00"}, Reuters, "--max-document"},
		"zeros as LYRL":              {&endlessText{text: "\x00"}, LYRL, "--max-document"},
		"empty lines":                {&endlessText{text: "\n"}, JSONL, "--max-input"},
		"comments":                   {&endlessText{text: "# none\n"}, SVMLight, "--max-input"},
		"an archive, then zeros":     {&endlessText{begin: whole, text: "\x00"}, Auto, ""},
		"an archive, then more":      {&endlessText{begin: whole, text: "x"}, Auto, ""},
		"a member of no end":         {&endlessText{begin: string(retyped(archive(t, member{name: "n/a/1", body: "x"}), tar.TypeReg)[:512]), text: whole[:1024]}, Auto, "the archive is broken"},
		"gzip, then zeros":           {&endlessText{begin: string(zip(t, []byte(twoLines))), text: "\x00"}, Auto, "zeros follow its end"},
		"quotes":                     {&endlessText{begin: "text\n\"", text: "x\n"}, CSV, "no quote closes it"},
		"one LYRL document":          {&endlessText{begin: ".I 1\n.W\n", text: "words\n"}, LYRL, "--max-document"},
		"one document of Reuters":    {&endlessText{begin: "<REUTERS>", text: "words\n"}, Reuters, "--max-document"},
		"labels of a svmlight line":  {&endlessText{text: "1,"}, SVMLight, "--max-line"},
		"members without an end":     {&endlessText{text: string(archive(t, member{name: "n/a/1"})[:512])}, Auto, "--max-input"},
		"folders without an end":     {&endlessText{text: string(archive(t, member{name: "n/a/", kind: tar.TypeDir})[:512])}, Auto, "--max-input"},
		"skippable frames of zstd":   {&endlessText{text: "\x50\x2a\x4d\x18\x04\x00\x00\x00none"}, Auto, "the input breaks off"},
		"empty members of gzip":      {&endlessText{text: string(zip(t, nil))}, Auto, "--max-input"},
		"lines that are not UTF-16":  {&endlessText{begin: "\xff\xfe", text: "\n\x00"}, JSONL, "--max-input"},
		"rows of CSV without fields": {&endlessText{begin: "text\n", text: "\r\n"}, CSV, "--max-input"},
	}) {
		if tried++; testing.Short() && tried > 2 { // the pump is the same for all of them
			return
		}
		t.Run(name, func(t *testing.T) {
			opt := small
			if testing.Short() && c.want == "--max-input" {
				opt.MaxInput = 8 << 20
			}
			opt.Format, opt.Stdin = c.format, c.in
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := ids(t, opt, "-")
			runtime.ReadMemStats(&after)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 400<<20 {
				t.Errorf("%d MB allocated", allocated>>20)
			}
		})
	}
}

// The file of labels is bounded as lists are.
func TestEndlessQrels(t *testing.T) {
	file := writeNamed(t, "q", strings.Repeat("a 1 1\n", 1000))
	for limit, want := range map[int64]string{6000: "", 5999: "more than 5999 bytes; if it has an end, raise the limit with --max-list"} {
		_, err := Read(t.Context(), nil, Options{Qrels: file, MaxList: limit})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestReadList(t *testing.T) {
	for text, want := range map[string]string{"a\nb": "", "": "", "12345": "more than 4 bytes", "a\x00b": "byte 2 is zero"} {
		data, err := ReadList(strings.NewReader(text), "list", "--max-list", 4)
		if want == "" && (err != nil || string(data) != text) || want != "" && (!errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
	testkit.Says(t, testkit.Err(ReadList(zeros{}, "/dev/zero", "--max-list", 1<<20)), "--max-list", "zeros")
}

// Gzip may be padded with zeros, between its members too; zstd may begin with frames to
// be skipped.
func TestPaddedCompression(t *testing.T) {
	lines := []byte(twoLines)
	padding := make([]byte, 3<<18)
	skippable := []byte("\x5f\x2a\x4d\x18\x05\x00\x00\x00words")
	for name, data := range map[string][]byte{
		"gzip with padding":    append(zip(t, lines), padding...),
		"members with padding": slices.Concat(zip(t, lines[:43]), padding[:1000], zip(t, lines[43:]), padding[:1]),
		"empty members":        slices.Concat(zip(t, nil), zip(t, nil), zip(t, lines), zip(t, nil)),
		"zstd":                 slices.Concat(skippable, skippable, zstdOf(lines)),
		"zstd, also between":   slices.Concat(skippable, zstdOf(lines[:43]), skippable, zstdOf(lines[43:]), skippable),
	} {
		tree := archive(t, member{name: "d/x.jsonl.gz", body: string(data)})
		for _, input := range []string{writeFile(t, data), writeFile(t, tree)} {
			if got, _, err := ids(t, Options{}, input); err != nil || !slices.Equal(got, []string{"1 a", "2 "}) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	for name, data := range map[string][]byte{
		"other bytes behind gzip": append(zip(t, lines), "words"...),
		"zeros, then other bytes": append(append(zip(t, lines), 0, 0), "words"...),
		"a cut second member":     append(zip(t, lines), zip(t, lines)[:20]...),
		"a cut first member":      zip(t, lines)[:40],
	} {
		if _, _, err := ids(t, Options{}, writeFile(t, data)); !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "gzip") && !strings.Contains(err.Error(), "EOF") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// oldSparse gives a member as GNU tar --sparse wrote it before POSIX: a body of pieces
// with holes between them.
func oldSparse(t *testing.T, name, body string, at, size int) []byte {
	t.Helper()
	data := archive(t, member{name: name, body: body})
	header := data[:512]
	copy(header[257:], "ustar  \x00")
	clear(header[345:500])
	copy(header[386:], fmt.Sprintf("%011o\x00%011o\x00", at, len(body)))
	copy(header[483:], fmt.Sprintf("%011o\x00", size))
	return retyped(data, tar.TypeGNUSparse)
}

// A sparse member is the file that it was.
func TestOldSparseMembers(t *testing.T) {
	text := strings.Repeat("words of the text ", 100)
	docs, err := collect(t, string(oldSparse(t, "n/a/1", text, 0, len(text)+10)), Options{})
	if err != nil || len(docs) != 1 || string(docs[0].Text) != text+strings.Repeat("\x00", 10) {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	_, _, err = ids(t, Options{MaxDocument: 1 << 20}, writeFile(t, oldSparse(t, "n/a/1", strings.Repeat("x", sniffBytes), 0, 1<<30)))
	testkit.Refused(t, err, ErrBadInput, "--max-document", "a huge hole")
}

// Half of a surrogate pair, or a byte that is not UTF-8, means no character: labels and
// ids that have one would become the same.
func TestNamesThatMeanNoCharacter(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"label":           {`{"label":"\ud800","text":""}`, "the label has half of a surrogate pair"},
		"second half":     {`{"label":"x\udc00y","text":""}`, "the label has half of a surrogate pair"},
		"halves in turn":  {`{"label":"\udc00\ud800","text":""}`, "the label has half of a surrogate pair"},
		"half and letter": {`{"label":"\ud83dA","text":""}`, "the label has half of a surrogate pair"},
		"one of several":  {`{"labels":["a","\uD83D"],"text":""}`, "the label has half of a surrogate pair"},
		"id":              {`{"id":"\ud800","text":""}`, "the id has half of a surrogate pair"},
		"label's bytes":   {"{\"label\":\"caf\xe9\",\"text\":\"\"}", "the label is not UTF-8"},
		"id's bytes":      {"{\"id\":\"caf\xe9\",\"text\":\"\"}", "the id is not UTF-8"},
	} {
		text := `{"id":"first","text":"t"}` + "\n" + c.text + "\n"
		_, err := collect(t, text, Options{Charset: "utf-8"})
		if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "stdin:2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		testkit.Equal(t, len(testkit.Must(collect(t, text, Options{Charset: "utf-8", SkipBad: true}))), 1, name,
			"skipped", "documents")
	}
	for text, want := range map[string]string{
		`{"label":"\ud83d\ude00","id":"\ufffd","text":"\ud800"}`: "\ufffd [\U0001f600] \"\ufffd\"",
		`{"label":"\\ud800\ufffd","text":"t"}`:                   "stdin:1 [\\ud800\ufffd] \"t\"",
		"{\"label\":\"a\",\"text\":\"caf\xe9\"}":                 "stdin:1 [a] \"caf\ufffd\"",
	} {
		if docs, err := collect(t, text, Options{Charset: "utf-8"}); err != nil || len(docs) != 1 || show(docs[0]) != want {
			t.Errorf("%s: %v, %v", text, docs, err)
		}
	}
}

// Folders whose names are not in the charset do not become one class.
func TestNamesThatBecomeOne(t *testing.T) {
	tree := string(archive(t, member{name: "caf\xe9/1", body: "x"}, member{name: "caf\xe9/2", body: "x"}, member{name: "caf\xe8/1", body: "x"}))
	_, err := collect(t, tree, Options{Charset: "utf-8"})
	if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "would become one with") || !strings.Contains(err.Error(), "--charset") {
		t.Error(err)
	}
	testkit.Equal(t, len(testkit.Must(collect(t, tree, Options{Charset: "utf-8", SkipBad: true}))), 2, "skipped",
		"documents")
	testkit.Equal(t, len(testkit.Must(collect(t, tree, Options{}))), 3, "detected", "documents")
}

// read runs a text through a reader and gives its cost.
func costOf(t *testing.T, text []byte, opt Options) (allocated uint64, took time.Duration) {
	opt.Stdin = bytes.NewReader(text)
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := testkit.UserCPU()
	for _, err := range s.Documents() {
		_ = err // what comes of it is tested elsewhere
	}
	took = testkit.UserCPU() - start
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

// growsWithInput fails the test where ten times the input takes more than eleven times the
// memory or the CPU time. Tables grow by doubling, so it tries other lengths where one gives
// more; quadratic work gives a hundred at all of them. CPU time may be four times as much,
// because the caches hold the smaller input and the larger one needs memory that is new to the
// process. The system's share does not count.
func growsWithInput(t *testing.T, input func(n int) []byte, opt Options) {
	t.Helper()
	const size, slack, pause = 400 << 10, 1 << 20, 20 * time.Millisecond
	for try := 0; ; try++ {
		one, ten := input(size+try*size/5), input(10*(size+try*size/5))
		memory, took := costOf(t, one, opt)
		memoryOfTen, tookTen := costOf(t, ten, opt)
		if memoryOfTen <= 11*memory+slack && tookTen <= 4*11*took+pause {
			return
		}
		if try == 5 {
			t.Fatalf("%d bytes in %v; ten times as much: %d bytes in %v", memory, took, memoryOfTen, tookTen)
		}
	}
}

// What a reader takes grows no faster than its input, whatever it is.
func TestGrowth(t *testing.T) {
	longAlone(t)
	fill := func(begin, text, end string) func(n int) []byte {
		return func(n int) []byte {
			return []byte(begin + strings.Repeat(text, max(1, (n-len(begin)-len(end))/len(text))) + end)
		}
	}
	numbered := func(begin, format, end string) func(n int) []byte {
		return func(n int) []byte {
			var b strings.Builder
			b.WriteString(begin)
			for i := 1; b.Len() < n; i++ {
				fmt.Fprintf(&b, format, i)
			}
			b.WriteString(end)
			return []byte(b.String())
		}
	}
	members := func(m func(i int) member) func(n int) []byte {
		return func(n int) []byte {
			list := make([]member, 0, n/1024)
			for i := range cap(list) {
				list = append(list, m(i))
			}
			return archive(t, list...)
		}
	}
	large := Options{MaxLine: 1 << 30, MaxDocument: 1 << 30, MaxLabels: 1 << 30, MaxName: 1 << 30, MaxDepth: 1 << 30, MaxFields: 1 << 30}
	for name, c := range sampled(t, map[string]struct {
		make func(n int) []byte
		opt  Options
	}{
		"JSON, a line":            {fill(`{"text":"`, "x", `"}`), large},
		"JSON, lines":             {fill("", `{"text":""}`+"\n", ""), Options{}},
		"JSON, bad lines":         {fill("", `{"text":}`+"\n", ""), Options{Format: JSONL, SkipBad: true}},
		"JSON, labels":            {fill(`{"labels":["a"`, `,"a"`, `],"text":""}`), large},
		"JSON, distinct labels":   {numbered(`{"labels":["a"`, `,"%d"`, `],"text":""}`), large},
		"JSON, labels over limit": {numbered(`{"labels":["a"`, `,"%d"`, `],"text":""}`), Options{}},
		"JSON, a long label":      {fill(`{"label":"`, "x", `","text":""}`), large},
		"JSON, an escaped label":  {fill(`{"label":"`, `\ud800`, `","text":""}`), large},
		"JSON, an id":             {fill(`{"id":"`, "x", `","text":""}`), large},
		"JSON, long ids":          {fill("", `{"id":"`+strings.Repeat("x", 4000)+`","text":""}`+"\n", ""), Options{}},
		"JSON, ids over limit":    {fill("", `{"id":"`+strings.Repeat("x", 5000)+`","text":""}`+"\n", ""), Options{SkipBad: true}},
		"JSON, counts":            {numbered(`{"counts":{"a":1`, `,"%d":1`, `}}`), large},
		"JSON, counts twice":      {fill(`{"counts":{"a":1`, `,"a":1`, `}}`), large},
		"JSON, fields":            {fill(`{"text":""`, `,"x":1`, `}`), large},
		"JSON, nested":            {fill(`{"text":"","x":[[]`, `,[[[[]]]]`, `]}`), large},
		"JSON, opened":            {fill(`{"text":"","x":`, `[`, ``), large},
		"JSON, escapes":           {fill(`{"text":"`, `\u0041`, `"}`), large},
		"CSV, commas in a row":    {fill("text\nx\n", ",", "\n"), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, rows of commas":     {fill("text\nx\n", strings.Repeat(",", 1000)+"\n", ""), Options{Format: CSV}},
		"CSV, columns":            {fill("text", ",x", "\n"), Options{Format: CSV, MaxLine: 1 << 30, MaxFields: 1 << 30}},
		"CSV, columns over limit": {fill("text", ",x", "\n"), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, quotes":             {fill("text\n\"", `""`, "\"\n"), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, an open quote":      {fill("text\n\"", "x\n", ""), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, quoted fields":      {fill("text\n", "\"x\n\",", "\n"), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, quotes amid fields": {fill("text\n", `x"x"`, "\n"), Options{Format: CSV, MaxLine: 1 << 30}},
		"CSV, empty rows":         {fill("text\n", "\n", "x\n"), Options{Format: CSV}},
		"CSV, leading rows":       {fill("", "\r\n", "text\nx\n"), Options{Format: CSV}},
		"svmlight, labels":        {fill("1", ",1", " 1:1\n"), Options{Format: SVMLight, MaxLine: 1 << 30, MaxLabels: 1 << 30}},
		"svmlight, labels over":   {fill("1", ",1", " 1:1\n"), Options{Format: SVMLight, MaxLine: 1 << 30}},
		"svmlight, pairs":         {numbered("1 ", " %d:1", "\n"), Options{Format: SVMLight, MaxLine: 1 << 30}},
		"svmlight, falling pairs": {numbered("1 999999999:1", " %d:1", "\n"), Options{Format: SVMLight, MaxLine: 1 << 30}},
		"svmlight, lines":         {fill("", "1 2:1 1:1\n", ""), Options{}},
		"svmlight, a number":      {fill("1 1:0.", "0", "1\n"), Options{Format: SVMLight, MaxLine: 1 << 30}},
		"LYRL, a document":        {fill(".I 1\n.W\n", "words\n", ""), large},
		"LYRL, marks":             {fill(".I 1\n.W\n", "\n.I", "\n"), large},
		"LYRL, documents":         {fill("", ".I 1\n.W\n", ""), Options{}},
		"Reuters, tags":           {fill("<REUTERS>", "<", ""), large},
		"Reuters, open tags":      {fill("<REUTERS>", "<d a='", ""), large},
		"Reuters, attributes":     {fill("<REUTERS><d", " a", ""), large},
		"Reuters, labels":         {fill("<REUTERS><TOPICS>", "<D>a</D>", "</TOPICS></REUTERS>"), large},
		"Reuters, labels over":    {fill("<REUTERS><TOPICS>", "<D>a</D>", "</TOPICS></REUTERS>"), Options{MaxDocument: 1 << 30}},
		"Reuters, references":     {fill("<REUTERS><TEXT><BODY>", "&", "</BODY></TEXT></REUTERS>"), large},
		"Reuters, documents":      {fill("", "<REUTERS></REUTERS>\n", ""), Options{}},
		"tar, empty members":      {members(func(i int) member { return member{name: fmt.Sprint("a/b/", i)} }), Options{}},
		"tar, a class each":       {members(func(i int) member { return member{name: fmt.Sprintf("a/%d/1", i)} }), Options{}},
		"tar, deep members":       {members(func(i int) member { return member{name: fmt.Sprintf("%d/%s1", i, strings.Repeat("d/", 40))} }), Options{}},
		"tar, a deep path": {func(n int) []byte {
			return extended(t, member{name: "x", body: "x"}, "path="+strings.Repeat("d/", n/32)+"1")
		}, Options{}},
		"tar, members of data":      {members(func(i int) member { return member{name: fmt.Sprintf("%d.jsonl", i), body: `{"text":""}`} }), Options{}},
		"tar, folders":              {members(func(i int) member { return member{name: fmt.Sprintf("a/%d/", i), kind: tar.TypeDir} }), Options{}},
		"tar, binary members":       {members(func(i int) member { return member{name: fmt.Sprint("a/b/", i), body: "\x00\x00\x00"} }), Options{}},
		"gzip, members":             {fill("", string(zip(t, []byte(`{"text":""}`+"\n"))), ""), Options{}},
		"gzip, padding":             {fill(string(zip(t, []byte(twoLines))), "\x00", ""), Options{}},
		"UTF-16":                    {fill("\xff\xfe{\x00", " \x00", "}\x00"), Options{Format: JSONL, MaxLine: 1 << 30}},
		"Latin-1 that is like GB":   {fill("", "1 1:1 #\xb0\xa1\xb0\xa2\xe9 \n", ""), Options{}},
		"JSON, malformed UTF-8":     {fill(`{"text":"`, "\xe9\xff", `"}`), large},
		"JSON, many splits":         {numbered("", `{"split":"%d","text":""}`+"\n", ""), Options{Split: "train"}},
		"CSV, many splits":          {numbered("text,split\n", "x,%d\n", ""), Options{Format: CSV, Split: "train"}},
		"JSON, labels to be merged": {numbered("", `{"label":"%d","text":""}`+"\n", ""), Options{}},
	}) {
		t.Run(name, func(t *testing.T) {
			growsWithInput(t, c.make, c.opt)
		})
	}
}

// What is kept of documents that are left out does not keep the documents.
func TestProblemsKeepNoDocuments(t *testing.T) {
	longAlone(t)
	long := strings.Repeat("x", 1<<20)
	for name, text := range map[string]string{
		"JSON":     strings.Repeat(`{"id":["`+long+`"],"text":""}`+"\n", 30),
		"svmlight": strings.Repeat("1 "+long+"\n", 30),
		"Reuters":  strings.Repeat("<REUTERS "+long+"\n", 30),
	} {
		s := testkit.Must(Read(t.Context(), []string{"-"}, Options{SkipBad: true, Stdin: strings.NewReader(text), Format: map[string]string{"JSON": JSONL, "svmlight": SVMLight, "Reuters": Reuters}[name]}))
		for _, err := range s.Documents() {
			if err != nil && !errors.Is(err, ErrEmpty) {
				t.Fatal(err)
			}
		}
		for _, p := range s.Summary().Problems {
			for _, place := range p.Places {
				if len(place.Bytes) > mostQuoted {
					t.Errorf("%s: a problem keeps %d bytes", name, len(place.Bytes))
				}
			}
		}
	}
}
