package reader

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// collect reads a text as standard input.
func collect(t testing.TB, text string, opt Options) ([]document.Document, error) {
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
	zipped := string(zip(t, data))
	for name, text := range map[string]string{"tar": string(data), "tar.gz": zipped} {
		docs, err := collect(t, text, Options{})
		testkit.OK(err)
		var got []string
		for _, d := range docs {
			got = append(got, show(d))
		}
		want := []string{`news/x-train/a/1 [a] "one"`, `news/x-train/b/1 [b] "two"`, `news/x-test/a/2 [a] "three"`}
		testkit.EqualSlices(t, got, want, name)
		if docs, err = collect(t, text, Options{Split: "test"}); err != nil || len(docs) != 1 {
			t.Errorf("%s test: %d documents, %v", name, len(docs), err)
		}
	}
	for cut := 512; cut < len(data)-1024; cut += 128 {
		testkit.Is(testkit.Stop(t), testkit.Err(collect(t, string(data[:cut]), Options{})), ErrBadInput, "cut at", cut)
	}
	testkit.Is(t, testkit.Err(collect(t, zipped[:len(zipped)-20], Options{})), ErrBadInput, "a cut archive")
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

// The tests below fix what becomes of the odd documents that the field's collections
// have. The tests of each format have the rest.

func TestOddPosts(t *testing.T) {
	uuencoded := "begin 644 x.gif\nM" + strings.Repeat("&5L;&\\L('=O<FQD", 4) + "\n`\nend\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":               {"", ""},
		"header only":         {"From: me\nSubject: it\n", "From: me\nSubject: it\n"},
		"no blank line":       {"From: me\nthe text", "From: me\nthe text"},
		"Latin-1":             {"Subject: caf\xe9\n\ncr\xe8me", "Subject: café\n\ncrème"},
		"uuencoded":           {uuencoded, uuencoded},
		"CP437 and binary":    {"\xc9\xcd\xcd\xcd\xcd\xbb\x00\x01\x08\x1b", "ÉÍÍÍÍ»\x00\x01\b\x1b"},
		"CR alone":            {"one\rtwo\r", "one\rtwo\r"},
		"looks like JSON":     {`{"text":"x"}`, `{"text":"x"}`},
		"looks like svmlight": {"1 2:3\n", "1 2:3\n"},
	} {
		docs, err := collect(t, string(archive(t, member{name: "n/a/1", body: c.text})), Options{})
		if err != nil || len(docs) != 1 || string(docs[0].Text) != c.want {
			t.Errorf("%s: %d documents, %v", name, len(docs), err)
		}
	}
}

// The split is that of the folder nearest above the class.
func TestSplitsInNames(t *testing.T) {
	names := []string{
		"latest/train/protest/1", "latest/test/protest/1", "latest/test/restrain/1", "latest/train/restrain/1", "other/unused/a/1",
	}
	root := plant(t, names...)
	var members []member
	for _, name := range names {
		members = append(members, member{name: name, body: "x"})
	}
	for _, input := range []string{root, writeFile(t, archive(t, members...))} {
		for split, want := range map[string][]string{
			"train": {"latest/train/protest/1 protest", "latest/train/restrain/1 restrain"},
			"test":  {"latest/test/protest/1 protest", "latest/test/restrain/1 restrain"},
		} {
			got, _, err := ids(t, Options{Split: split}, input)
			if slices.Sort(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v", split, got, err)
			}
		}
	}
	flat := plant(t, "x-train/1", "x-test/1")
	if got, _, err := ids(t, Options{Split: "train"}, flat); err != nil || !slices.Equal(got, []string{"x-train/1 x-train"}) {
		t.Errorf("classes that are splits: %q, %v", got, err)
	}
}

// Where all documents are bad, it is said of which kind they are.
func TestNothingButBadDocuments(t *testing.T) {
	_, err := collect(t, `{"text":}`+"\n{}\n{}\n", Options{SkipBad: true})
	for _, want := range []string{"no documents in - (", `2: the document is not understood: it has neither "text" nor "counts", the first is stdin:2`, "1: malformed JSON, the first is stdin:1:9"} {
		testkit.Says(t, err, want)
	}
}

// Whatever bytes an input has, it is read or refused with an Error, in every format.
func FuzzFormats(f *testing.F) {
	tree := archive(f, member{name: "a/1", body: "one"}, member{name: "d/x.jsonl.gz", body: string(zip(f, []byte(twoLines)))})
	for _, seed := range []string{
		`{"id":"x","labels":["a"],"text":"hi"}`, `{"id":7,"label":null,"counts":{"a":1}}`, `{"label":"+05.0","text":"hi"}`,
		"1,2 3:1 4:2.5 # c", "\t0:1e-3 qid:7 9:0\r\n+1 2:3", lyrlText, ".I 1\n.I\n.W\n\n.I 3\r\n.W\r\nx", fastTextSeeds[0],
		"id,label,text\nx,a,hello\n", "text\n\"a\"\"b\nc\"\r\n\"d\"e\n\"f", "label\ttext\na\t\"x\ty\n\"\"\"\n", "sep=;\ntext; \"label\"\ra;\"b\"\r\r\n",
		story("TOPICS=YES LEWISSPLIT='TRAIN' NEWID=\"1\"", "<D>a</D><D>b", "><TITLE>t &lt;</TITLE><BODY>b&#3;</BODY>"),
		"<!DOCTYPE lewis><REUTERS NEWID=1><TEXT TYPE=UNPROC>x<REUTERS><BODY>caf\xe9 &#x41;", parquetFile("labels"), parquetFile("tokens-true"),
		string(tree), string(zipOf(f, member{name: "n/a/1", body: "words"}, member{name: "n/b.csv", body: "text\nx\n"})),
		string(zip(f, tree)), string(zstdOf([]byte(twoLines))), string(unbase64(xzLines)), string(unbase64(bzipped)),
	} {
		for i := range Formats() {
			f.Add(byte(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, number byte, text string) {
		format := Formats()[int(number)%len(Formats())]
		_, err := collect(t, text, Options{Format: format, MaxDocument: 1 << 20, MaxMembers: 100})
		var e *Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, ErrEmpty) {
			t.Fatalf("%T %v", err, err)
		}
		checkNumbers(t, text, format)
	})
}
