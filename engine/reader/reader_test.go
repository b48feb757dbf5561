package reader

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// collect reads a text as standard input.
func collect(t testing.TB, text string, opt Options) ([]document.Document, error) {
	t.Helper()
	opt.Stdin = strings.NewReader(text)
	s := testkit.Must(Read(t.Context(), []string{"-"}, opt))
	var docs []document.Document
	for d, err := range s.Documents() {
		if err != nil {
			return docs, err
		}
		d.Text, d.Labels, d.Features = bytes.Clone(d.Text), slices.Clone(d.Labels), slices.Clone(d.Features)
		docs = append(docs, d)
	}
	return docs, nil
}

// show writes a document in short.
func show(d document.Document) string {
	if d.Features == nil {
		return fmt.Sprintf("%s %v %q", d.ID, d.Labels, d.Text)
	}
	var b strings.Builder
	for _, f := range d.Features {
		fmt.Fprintf(&b, " %s:%v", f.Term, f.Value)
	}
	return fmt.Sprintf("%s %v%s", d.ID, d.Labels, b.String())
}

func TestAcceptedLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"text":             {`{"id":"x","labels":["a","b"],"text":"hi\u0041"}`, Options{}, `x [a b] "hiA"`},
		"one label":        {`{"id":7,"label":"a","text":""}`, Options{}, `7 [a] ""`},
		"unlabelled":       {`{"text":"t"}`, Options{}, `stdin:1 [] "t"`},
		"null labels":      {`{"labels":null,"text":"t"}`, Options{}, `stdin:1 [] "t"`},
		"counts":           {`{"counts":{"b":2,"a":1,"not text":3}}`, Options{}, `stdin:1 [] a:1 b:2 not text:3`},
		"no counts":        {`{"counts":{}}`, Options{}, `stdin:1 []`},
		"other fields":     {`{"text":"t","more":{"deep":[1]}}`, Options{}, `stdin:1 [] "t"`},
		"named fields":     {`{"body":"t","topic":"a","key":"k"}`, Options{TextField: "body", LabelField: "topic", IDField: "key"}, `k [a] "t"`},
		"empty lines":      {"\n  \n{\"text\":\"t\"}\r\n\n", Options{}, `stdin:3 [] "t"`},
		"BOM":              {"\ufeff{\"text\":\"t\"}", Options{}, `stdin:1 [] "t"`},
		"split":            {"{\"split\":\"test\",\"text\":\"no\"}\n{\"split\":\"train\",\"text\":\"t\"}", Options{Split: "train"}, `stdin:2 [] "t"`},
		"svmlight":         {"1 3:1 17:2.5", Options{}, `stdin:1 [1] 3:1 17:2.5`},
		"several labels":   {"3,17 1:1", Options{}, `stdin:1 [3 17] 1:1`},
		"plus":             {"+1 1:1", Options{}, `stdin:1 [1] 1:1`},
		"minus":            {"-1 1:1", Options{}, `stdin:1 [-1] 1:1`},
		"no label":         {"1:2 5:1", Options{}, `stdin:1 [] 1:2 5:1`},
		"space label":      {" 1:2", Options{}, `stdin:1 [] 1:2`},
		"qid and comment":  {"1 qid:72048431380967004 2:1 # 3:x", Options{}, `stdin:1 [1] 2:1`},
		"tabs":             {"1\t2:1\t\t3:1  \r\n", Options{}, `stdin:1 [1] 2:1 3:1`},
		"unsorted":         {"1 9:1 2:1", Options{}, `stdin:1 [1] 9:1 2:1`},
		"zero value":       {"1 2:0 3:1", Options{}, `stdin:1 [1] 3:1`},
		"index zero":       {"1 0:1", Options{}, `stdin:1 [1] 0:1`},
		"largest index":    {"1 9223372036854775807:1", Options{}, `stdin:1 [1] 9223372036854775807:1`},
		"label only":       {"1", Options{Format: SVMLight}, `stdin:1 [1]`},
		"comment first":    {"# file\n1 1:1", Options{}, `stdin:2 [1] 1:1`},
		"long comment":     {"# " + strings.Repeat("c", 600) + "\n1 1:1", Options{}, `stdin:2 [1] 1:1`},
		"leading zeros":    {"1 007:1 0:2", Options{}, `stdin:1 [1] 7:1 0:2`},
		"svmlight BOM":     {"\ufeff1 1:1", Options{}, `stdin:1 [1] 1:1`},
		"null fields":      {`{"id":null,"labels":null,"label":"a","text":null,"counts":{"x":1}}`, Options{}, `stdin:1 [a] x:1`},
		"split all":        {`{"text":"t"}`, Options{Split: "all"}, `stdin:1 [] "t"`},
		"NUL":              {`{"text":"a\u0000b"}`, Options{}, `stdin:1 [] "a\x00b"`},
		"malformed UTF-8":  {"{\"text\":\"caf\xe9\"}", Options{Charset: "utf-8"}, "stdin:1 [] \"caf\ufffd\""},
		"Latin-1, guessed": {"{\"text\":\"caf\xe9\"}", Options{}, `stdin:1 [] "café"`},
		"Latin-1":          {"{\"text\":\"caf\xe9\"}", Options{Charset: "latin-1"}, `stdin:1 [] "café"`},
		"GB18030":          {"{\"text\":\"\xd6\xd0\"}", Options{Charset: "gb18030"}, `stdin:1 [] "中"`},
		"line at limit":    {"{\"text\":\"t\"}\r\n", Options{MaxLine: 13}, `stdin:1 [] "t"`},
	} {
		t.Run(name, func(t *testing.T) {
			docs := testkit.Must(collect(t, c.text, c.opt))
			if len(docs) != 1 || show(docs[0]) != c.want {
				t.Fatalf("%d documents, first %s, want %s", len(docs), show(docs[0]), c.want)
			}
		})
	}
}

func TestBadLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // part of the error
	}{
		"broken JSON":       {"{\"text\":\"t\"}\n{\"text\":}", Options{}, "stdin:2:9: malformed JSON"},
		"no object":         {"{}x", Options{}, "stdin:1:3: malformed JSON"},
		"array":             {"[1]", Options{Format: JSONL}, "malformed JSON"},
		"trailing comma":    {`{"text":"t",}`, Options{}, "malformed JSON"},
		"deep nesting":      {`{"text":` + strings.Repeat("[", 100000), Options{}, "malformed JSON"},
		"neither":           {`{"labels":["a"]}`, Options{}, `neither "text" nor "counts"`},
		"both":              {`{"text":"t","counts":{}}`, Options{}, `both "text" and "counts"`},
		"text is a number":  {`{"text":5}`, Options{}, `"text" is not text, nor a list of tokens: "5"`},
		"zero count":        {`{"counts":{"a":0}}`, Options{}, `the count of "a" is 0`},
		"negative count":    {`{"counts":{"a":-1}}`, Options{}, `the count of "a" is -1`},
		"broken count":      {`{"counts":{"a":1.5}}`, Options{}, `the count of "a" is 1.5`},
		"huge count":        {`{"counts":{"a":4294967296}}`, Options{}, "not a whole number"},
		"text count":        {`{"counts":{"a":"x"}}`, Options{}, "not a whole number"},
		"count twice":       {`{"counts":{"a":1,"a":2}}`, Options{}, `has "a" twice`},
		"counts an array":   {`{"counts":[1]}`, Options{}, "not an object"},
		"no split field":    {`{"text":"t"}`, Options{Split: "train"}, `no text field "split"`},
		"nan":               {"1 3:1 4:nan", Options{}, `stdin:1:7: the value is not finite: "4:nan"`},
		"inf":               {"1 3:inf", Options{}, "not finite"},
		"overflow":          {"1 3:1e400", Options{}, "not a decimal number"},
		"hex":               {"1 3:0x1p3", Options{}, "not a decimal number"},
		"negative":          {"1 3:-1", Options{}, "stdin:1:3: the value is negative"},
		"space before":      {"1 3 :1", Options{Format: SVMLight}, "no index:value pair"},
		"no value":          {"1 3:", Options{}, "not a decimal number"},
		"no index":          {"1 :1", Options{Format: SVMLight}, "index is not a whole number"},
		"three parts":       {"1 3:1:2", Options{}, "not a decimal number"},
		"index too large":   {"1 9223372036854775808:1", Options{Format: SVMLight}, "index is not a whole number"},
		"index twice":       {"1 3:1 3:2", Options{}, "index 3 stands there twice"},
		"zero twice":        {"1 3:0 3:1", Options{}, `stdin:1:7: index 3 stands there twice: "3:1"`},
		"twice, unsorted":   {"1 9:1 3:1 5:1 9:2", Options{}, `stdin:1:15: index 9 stands there twice: "9:2"; add`},
		"twice with zeros":  {"1 7:1 007:2", Options{}, "stdin:1:7: index 7 stands there twice"},
		"broken query":      {"1 qid:x 3:1", Options{}, `stdin:1:3: the query id is not a whole number: "qid:x"`},
		"signed index":      {"1 +3:1", Options{Format: SVMLight}, "stdin:1:3: the index is not"},
		"second line":       {"1 3:1\r\n2\t3:-1", Options{}, `stdin:2:3: the value is negative`},
		"word after space":  {" spam 3:1", Options{Format: SVMLight}, `stdin:1:2: no index:value pair: "spam"`},
		"null text":         {`{"text":null}`, Options{}, `its "text" is null`},
		"null label":        {`{"text":"t","labels":["a",null]}`, Options{}, "nor a list of these"},
		"id a truth":        {`{"id":true,"text":"t"}`, Options{IDField: "id"}, "neither text nor a number"},
		"null count":        {`{"counts":{"a":null}}`, Options{}, `the count of "a" is null`},
		"object count":      {`{"counts":{"a":{"b":1}}}`, Options{}, `the count of "a" is an object or list`},
		"JSON without end":  {"\n{\"text\":\"t\"", Options{}, "stdin:2:11: malformed JSON"},
		"xz":                {"\xfd7zXZ\x00....", Options{}, "broken xz"},
		"bzip2":             {"BZh91AY&SY....", Options{}, "breaks off: bzip2: unexpected EOF"},
		"file as tree":      {"{}", Options{Format: Tree}, "a tree must be a directory or an archive"},
		"no tar":            {strings.Repeat("x", 2000), Options{Format: Tar}, "stdin: the archive is broken after its beginning"},
		"empty label":       {"1,,2 3:1", Options{}, "an empty label"},
		"split of svmlight": {"1 3:1", Options{Split: "train"}, "svmlight has no splits"},
		"long line":         {`{"text":"` + strings.Repeat("x", 100) + `"}`, Options{MaxLine: 50}, "--max-line"},
		"long text":         {`{"text":"` + strings.Repeat("x", 100) + `"}`, Options{MaxDocument: 50}, "--max-document"},
		"prose":             {"Once upon a time", Options{}, "the format is not known"},
		"zstd":              {"\x28\xb5\x2f\xfd....", Options{}, "breaks off: zstd: reserved bit"},
		"broken gzip":       {"\x1f\x8b\x00", Options{}, "broken gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, c.text, c.opt)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			if len(err.Error()) > 600 {
				t.Fatalf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "\n\n"} {
		if _, err := collect(t, text, Options{Format: JSONL}); !errors.Is(err, ErrEmpty) {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

// member is a file of a test archive.
type member struct {
	name string
	body string
	kind byte
}

func archive(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if m.kind == 0 {
			m.kind = tar.TypeReg
		}
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Mode: 0o644, Size: int64(len(m.body)), Format: tar.FormatUSTAR}
		if strings.ContainsFunc(m.name, func(r rune) bool { return r >= utf8.RuneSelf }) {
			h.Format = tar.FormatGNU
		}
		if m.kind != tar.TypeReg {
			h.Size, h.Linkname = 0, "elsewhere"
		}
		testkit.OK(w.WriteHeader(h))
		if _, err := w.Write([]byte(m.body)); err != nil && m.kind == tar.TypeReg {
			t.Fatal(err)
		}
	}
	testkit.OK(w.Close())
	return b.Bytes()
}

func TestTar(t *testing.T) {
	data := archive(t,
		member{name: "news/x-train/a/1", body: "one"}, member{name: "news/x-train/b/1", body: "two"},
		member{name: "news/x-test/a/2", body: "three"}, member{name: "news/README", body: "skipped"},
		member{name: "news/x-train/a/.hidden", body: "skipped"}, member{name: "news/x-train/a/link", kind: tar.TypeSymlink},
	)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(data)
	testkit.OK(z.Close())
	for name, text := range map[string]string{"tar": string(data), "tar.gz": zipped.String()} {
		docs, err := collect(t, text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range docs {
			got = append(got, show(d))
		}
		want := []string{`news/x-train/a/1 [a] "one"`, `news/x-train/b/1 [b] "two"`, `news/x-test/a/2 [a] "three"`}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
		if docs, err = collect(t, text, Options{Split: "test"}); err != nil || len(docs) != 1 {
			t.Errorf("%s test: %d documents, %v", name, len(docs), err)
		}
	}
	for cut := 512; cut < len(data)-1024; cut += 128 {
		if _, err := collect(t, string(data[:cut]), Options{}); !errors.Is(err, ErrBadInput) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := collect(t, zipped.String()[:zipped.Len()-20], Options{}); !errors.Is(err, ErrBadInput) {
		t.Errorf("a cut archive: %v", err)
	}
}

func TestHostileMembers(t *testing.T) {
	for _, name := range []string{"../a/1", "/a/1", "a/../../1", "a/../b/1"} {
		_, err := collect(t, string(archive(t, member{name: name, body: "x"})), Options{})
		if !errors.Is(err, ErrBadInput) || !strings.Contains(err.Error(), "leads out of the archive") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := collect(t, string(archive(t, member{name: "a/1", body: strings.Repeat("x", 100)})), Options{MaxDocument: 50})
	if err == nil || !strings.Contains(err.Error(), "stdin!a/1: the document has more than 50 bytes") {
		t.Errorf("a large member: %v", err)
	}
}

func TestTreeOrderAndSkips(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b/2", "a/10", "a/9", "README", ".git/x", "a/.DS_Store"} {
		path := filepath.Join(root, name)
		testkit.Write(path, name)
	}
	s := testkit.Must(Read(t.Context(), []string{root}, Options{}))
	var got []string
	for d := range testkit.All(s.Documents()) {
		got = append(got, d.ID)
	}
	if want := []string{"a/10", "a/9", "b/2"}; !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
	sum := s.Summary()
	if sum.Documents != 3 || sum.Skipped["hidden file"] != 1 || sum.Skipped["file outside a class folder"] != 1 {
		t.Fatalf("%+v", sum)
	}
}

func TestMissingFile(t *testing.T) {
	_, err := Read(t.Context(), []string{"nowhere"}, Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := testkit.Must(Read(ctx, []string{"-"}, Options{Stdin: strings.NewReader(strings.Repeat("{\"text\":\"t\"}\n", 1000))}))
	n := 0
	var last error
	for _, err := range s.Documents() {
		if n++; n == 10 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || n > 12 {
		t.Fatalf("%d documents, then %v", n, last)
	}
}

func FuzzJSONL(f *testing.F) {
	f.Add(`{"id":"x","labels":["a"],"text":"hi"}`)
	f.Add(`{"id":7,"label":null,"counts":{"a":1}}`)
	f.Add(`{"label":"+05.0","text":"hi"}`)
	f.Fuzz(func(t *testing.T, text string) {
		checkFuzz(t, text, JSONL)
		checkFuzz(t, text, Auto)
	})
}

func FuzzSVMLight(f *testing.F) {
	f.Add("1,2 3:1 4:2.5 # c")
	f.Add("\t0:1e-3 qid:7 9:0\r\n+1 2:3")
	f.Fuzz(func(t *testing.T, text string) { checkFuzz(t, text, SVMLight) })
}

func FuzzTar(f *testing.F) {
	f.Add(string(archive(f, member{name: "a/1", body: "one"}, member{name: "b/1", body: "two"})))
	f.Fuzz(func(t *testing.T, text string) { checkFuzz(t, text, Tar) })
}

func checkFuzz(t *testing.T, text string, format Format) {
	t.Helper()
	_, err := collect(t, text, Options{Format: format})
	var e *Error
	if err != nil && !errors.As(err, &e) && !errors.Is(err, ErrEmpty) {
		t.Fatalf("%T %v", err, err)
	}
	checkNumbers(t, text, format)
}
