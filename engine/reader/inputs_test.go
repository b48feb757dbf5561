package reader

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// This file tests what concerns whole inputs: trees and archives, several of
// them, damage, failing reads, interruption, and a real collection.

// plant makes a tree of files that hold their names.
func plant(t testing.TB, names ...string) string {
	root := t.TempDir()
	for _, name := range names {
		testkit.Write(filepath.Join(root, name), name)
	}
	return root
}

// ids reads inputs and gives the documents' ids with their labels.
func ids(t testing.TB, opt Options, inputs ...string) ([]string, Summary, error) {
	s, err := Read(t.Context(), inputs, opt)
	if err != nil {
		return nil, Summary{}, err
	}
	var got []string
	for d, err := range s.Documents() {
		if err != nil {
			return got, s.Summary(), err
		}
		got = append(got, d.ID+" "+strings.Join(d.Labels, " "))
	}
	return got, s.Summary(), nil
}

func zip(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	testkit.Must(w.Write(data))
	testkit.OK(w.Close())
	return b.Bytes()
}

func TestBadOptions(t *testing.T) {
	for _, opt := range []Options{{Format: "docx"}, {Split: "half"}, {Charset: "ebcdic"}} {
		if _, err := Read(t.Context(), []string{"-"}, opt); err == nil || !strings.HasPrefix(err.Error(), "unknown ") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

// A folder that holds folders in one input may be a class in the next.
func TestSeveralInputs(t *testing.T) {
	first, second := plant(t, "a/x/1"), plant(t, "a/1", "b/1")
	file := writeFile(t, []byte(`{"id":"j","text":"t"}`))
	got, sum, err := ids(t, Options{Stdin: strings.NewReader("2 1:1")}, first, second, file, "-")
	if want := []string{"a/x/1 x", "a/1 a", "b/1 b", "j ", "stdin:1 2"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("%q, %v", got, err)
	}
	testkit.Equal(t, sum.Documents, 5, sum)
}

func TestTreesThatAreLinks(t *testing.T) {
	root := plant(t, "a/1", "b/1", ".git/x/1")
	if err := os.Symlink("1", filepath.Join(root, "a", "2")); err != nil {
		t.Skipf("this file system takes no symbolic links: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	testkit.OK(os.Symlink(root, link))
	got, sum, err := ids(t, Options{}, link)
	testkit.OK(err)
	testkit.EqualSlices(testkit.Stop(t), got, []string{"a/1 a", "b/1 b"})
	if sum.Skipped["not a regular file"] != 1 || sum.Skipped["hidden folder"] != 1 || sum.Bytes != 6 {
		t.Errorf("%+v", sum)
	}
}

// Names are ordered by their bytes, folder by folder; the split may be at any
// depth; the file's own folder is the class.
func TestTreeSplits(t *testing.T) {
	root := plant(t, "n-train/b/1", "n-train/a/1", "n-train/a-/1", "n-test/a/1", "c/train/deep/1", "c/other/1")
	for split, want := range map[string][]string{
		"train": {"c/train/deep/1 deep", "n-train/a/1 a", "n-train/a-/1 a-", "n-train/b/1 b"},
		"test":  {"n-test/a/1 a"},
		"all":   {"c/other/1 other", "c/train/deep/1 deep", "n-test/a/1 a", "n-train/a/1 a", "n-train/a-/1 a-", "n-train/b/1 b"},
	} {
		if got, _, err := ids(t, Options{Split: split}, root); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", split, got, err)
		}
	}
}

func TestNothingToRead(t *testing.T) {
	for name, c := range map[string]struct {
		input string
		opt   Options
		is    error
		want  string
	}{
		"no such split": {plant(t, "a/1", "b/1"), Options{Split: "test"}, ErrEmpty, "--split test; folders at its top: a b"},
		"no folders":    {plant(t, "1", ".git/x"), Options{}, ErrBadInput, "a folder is what names a class"},
		"hidden only":   {plant(t, "a/.x"), Options{}, ErrEmpty, "no documents in"},
		"as lines":      {plant(t, "a/1"), Options{Format: JSONL}, ErrEmpty, "1: not a file of format jsonl"},
		"no such value": {"-", Options{Split: "test", Stdin: strings.NewReader(`{"split":"dev","text":""}`)}, ErrEmpty, "the splits it has: dev"},
		"blank":         {"-", Options{Stdin: strings.NewReader(" \n\n")}, ErrEmpty, "no documents in -"},
		"large file":    {plant(t, "a/123"), Options{MaxDocument: 4}, ErrBadInput, "a/123: the document has more than 4 bytes; raise the limit with --max-document"},
	} {
		if _, _, err := ids(t, c.opt, c.input); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file that is there and cannot be read: one without permission or, for root, who
// needs none, the memory of this process, whose first page is not mapped.
func TestUnreadableFile(t *testing.T) {
	root := plant(t, "a/1")
	testkit.OK(os.Chmod(filepath.Join(root, "a"), 0))
	defer os.Chmod(filepath.Join(root, "a"), 0o700)
	if _, err := os.ReadDir(filepath.Join(root, "a")); err == nil {
		root = "/proc/self/mem"
	}
	_, _, err := ids(t, Options{}, root)
	var path *fs.PathError
	if !errors.As(err, &path) || errors.Is(err, ErrBadInput) {
		t.Fatalf("got %v", err)
	}
}

// A read that fails is no fault of the data, whatever the format.
func TestFailingReads(t *testing.T) {
	broken := errors.New("the disk is on fire")
	data := archive(t, member{name: "a/1", body: strings.Repeat("x", 9000)})
	lines := []byte(strings.Repeat(`{"text":"t"}`+"\n", 1000))
	for name, text := range map[string][]byte{
		"nothing": nil, "tar": data[:700], "tar, between": data[:512], "tar.gz": zip(t, data)[:60],
		"jsonl": lines, "gzip": zip(t, lines)[:50], "gzip header": zip(t, lines)[:5],
	} {
		in := io.MultiReader(bytes.NewReader(text), failing{broken})
		_, _, err := ids(t, Options{Stdin: in}, "-")
		var path *fs.PathError
		if !errors.Is(err, broken) || !errors.As(err, &path) || errors.Is(err, ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Damage anywhere is an error, never fewer documents in silence.
func TestDamage(t *testing.T) {
	data := archive(t, member{name: "a/1", body: "one"}, member{name: "b/1", body: "two"})
	zipped := zip(t, data)
	sum := slices.Clone(zipped)
	sum[len(sum)-6] ^= 1
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"between members": {data[:1024], "stdin: the archive has no end mark and may be cut after a/1"},
		"in a member":     {data[:513], "stdin!a/1: the archive is broken in this member"},
		"in a header":     {data[:1100], "stdin: the archive is broken after a/1"},
		"gzip checksum":   {sum, "stdin: the archive is broken after b/1: gzip: invalid checksum"},
		"gzip cut":        {zipped[:len(zipped)-4], "stdin: the archive is broken after b/1"},
		"gzip, no data":   {zipped[:12], "stdin: the input breaks off"},
		"gzip header":     {zipped[:4], "stdin: broken gzip"},
		"gzip of lines":   {zip(t, []byte("{\"text\":\"t\"}\n"))[:34], "the input breaks off"},
	} {
		_, _, err := ids(t, Options{}, writeFile(t, c.text))
		if !errors.Is(err, ErrBadInput) || !strings.Contains(strings.ReplaceAll(err.Error(), "FILE", "stdin"), strings.TrimPrefix(c.want, "stdin")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func writeFile(t testing.TB, data []byte) string {
	return testkit.Write(filepath.Join(t.TempDir(), "FILE"), data)
}

// What an archive tells too late is noted, and its order is kept.
func TestTarNotes(t *testing.T) {
	data := archive(t, member{name: "./n/README", body: strings.Repeat("r", undecidedBytes)}, member{name: "./n/b/1", body: "1"},
		member{name: "./n/a/1", body: "1"}, member{name: "./.git/a/1", body: "1"})
	got, sum, err := ids(t, Options{}, writeFile(t, append(data, "more"...)))
	if want := []string{"n/README n", "n/b/1 b", "n/a/1 a"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("%q, %v", got, err)
	}
	notes := strings.Join(sum.Notes, "\n")
	if len(sum.Notes) != 2 || !strings.Contains(notes, "1 files beside class folders") || !strings.Contains(notes, "behind the end") {
		t.Errorf("%q", sum.Notes)
	}
	testkit.Equal(t, sum.Skipped["hidden file"], 1, sum)
}

// What an archive tells soon enough is as in a directory.
func TestTarHoldsBack(t *testing.T) {
	data := archive(t, member{name: "n/LICENSE", body: "l"}, member{name: "n/README", body: "r"}, member{name: "n/b/1", body: "1"},
		member{name: "n/data/README", body: "r"}, member{name: "n/data/x.jsonl", body: `{"id":"j","label":"a","text":"t"}`},
		member{name: "n/data/last", body: "r"}, member{name: "n/c/1", body: "2"})
	got, sum, err := ids(t, Options{}, writeFile(t, data))
	if want := []string{"n/b/1 b", "n/data/README data", "j a", "n/data/last data", "n/c/1 c"}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("%q, %v", got, err)
	}
	if sum.Skipped[outsideReason] != 2 || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "the texts in folder n/data (2) are of its class") {
		t.Errorf("%+v", sum)
	}
	// The first folder may be all there is, and texts behind a table are then beside it. More than an archive holds
	// back cannot become a class any more.
	long := strings.Repeat("r", undecidedBytes)
	first := []member{{name: "a/t.csv", body: "text,label\none,x\n"}, {name: "a/1", body: "1"}, {name: "a/2", body: long}, {name: "a/3", body: long}}
	if got, sum, err := ids(t, Options{}, writeFile(t, archive(t, first...))); err != nil || len(got) != 1 || sum.Skipped[outsideReason] != 3 {
		t.Errorf("%q, %+v, %v", got, sum, err)
	}
	if _, _, err := ids(t, Options{}, writeFile(t, archive(t, append(first, member{name: "b/1", body: "1"})...))); err == nil || !strings.Contains(err.Error(), "!a: the folder has texts behind a file of many documents") {
		t.Errorf("%v", err)
	}
}

func TestCharsetNotes(t *testing.T) {
	text := string(archive(t, member{name: "a/1", body: "caf\xe9"}, member{name: "a/2", body: "tea"}))
	for charset, want := range map[string]int{"": 1, "auto": 1, "utf-8": 0, "latin-1": 0} {
		_, sum, err := ids(t, Options{Charset: charset}, writeFile(t, []byte(text)))
		if err != nil || len(sum.Notes) != want || sum.Bytes != 7 {
			t.Errorf("%q: %+v, %v", charset, sum, err)
		}
	}
	_, sum, err := ids(t, Options{Stdin: strings.NewReader("{\"text\":\"caf\xe9\"}")}, "-")
	testkit.OK(err)
	testkit.Equal(t, len(sum.Notes), 1, "JSON lines", sum)
}

// A read that waits for a pipe does not hold an interruption up.
func TestInterruptedWhileWaiting(t *testing.T) {
	for _, given := range []string{"", "{\"text\":\"t\"}\n"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			r, w := io.Pipe()
			defer w.Close()
			s := testkit.Must(Read(ctx, []string{"-"}, Options{Stdin: r, Format: JSONL}))
			go func() {
				_, _ = io.WriteString(w, given)
				synctest.Wait() // now the stream waits for more
				cancel()
			}()
			var last error
			for _, err := range s.Documents() {
				last = err
			}
			testkit.Is(testkit.Stop(t), last, context.Canceled)
		})
	}
}

func TestInterruptedTree(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	s := testkit.Must(Read(ctx, []string{plant(t, "a/1", "a/2", "b/1")}, Options{}))
	var got []error
	for _, err := range s.Documents() {
		cancel(why)
		got = append(got, err)
	}
	if len(got) != 2 || !errors.Is(got[1], why) {
		t.Fatalf("got %v", got)
	}
}

func TestStoppedEarly(t *testing.T) {
	s := testkit.Must(Read(t.Context(), []string{"-"}, Options{Stdin: strings.NewReader(strings.Repeat("1 1:1\n", 9))}))
	for range s.Documents() {
		break
	}
	testkit.Equal(t, s.Summary().Documents, 1)
}

func TestErrorText(t *testing.T) {
	cause := errors.New("cause")
	e := &Error{
		Pos: document.Position{File: "f", Line: 2, Column: 3}, Problem: "problem", Bytes: strings.Repeat("\x1b", 100),
		Remedy: "remedy", Err: cause,
	}
	want := `f:2:3: problem: "` + strings.Repeat(`\x1b`, 80) + `": cause; remedy`
	if e.Error() != want || !errors.Is(e, cause) || !errors.Is(e, ErrBadInput) {
		t.Errorf("%s", e.Error())
	}
}

// The published counts of 20 Newsgroups, and the bytes of its files.
func TestNewsgroups(t *testing.T) {
	file := testkit.Corpus(t, "20news-bydate.tar.gz")
	for _, c := range []struct {
		split     string
		documents int
		bytes     int64
		sizes     map[string]int
	}{
		{"train", 11314, 22054494, map[string]int{"alt.atheism": 480, "sci.space": 593, "rec.sport.hockey": 600, "talk.religion.misc": 377}},
		{"test", 7532, 13800509, map[string]int{"alt.atheism": 319, "sci.space": 394, "rec.sport.hockey": 399, "talk.religion.misc": 251}},
	} {
		s := testkit.Must(Read(t.Context(), []string{file}, Options{Split: c.split, Charset: "utf-8"}))
		sizes := map[string]int{}
		for d := range testkit.All(s.Documents()) {
			sizes[d.Labels[0]]++
		}
		if sum := s.Summary(); sum.Documents != c.documents || sum.Bytes != c.bytes || len(sizes) != 20 {
			t.Errorf("%s: %+v in %d classes", c.split, sum, len(sizes))
		}
		for class, want := range c.sizes {
			testkit.Equal(t, sizes[class], want, c.split, "documents of", class)
		}
	}
}
