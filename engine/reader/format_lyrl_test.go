package reader

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

const lyrlText = ".I 2286\n.W\nrecov recov excit\nbring mexic\n\n.I 2287\n.W\nuruguay\n\n"

func TestLYRL(t *testing.T) {
	labels := filepath.Join(t.TempDir(), "qrels")
	testkit.Write(labels, "E11 2286 1\nECAT 2286 1\nM11 2287 0\nX 9 1\n")
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // one document a line
	}{
		"unlabelled":     {lyrlText, Options{}, "2286 [] \"recov recov excit\\nbring mexic\"\n2287 [] \"uruguay\""},
		"labelled":       {lyrlText, Options{Qrels: labels}, "2286 [E11 ECAT] \"recov recov excit\\nbring mexic\"\n2287 [] \"uruguay\""},
		"single label":   {lyrlText + ".I 9\n.W\nx", Options{Qrels: labels, SingleLabel: true}, `9 [X] "x"`},
		"classes":        {lyrlText + lyrlText, Options{Qrels: labels, Classes: []string{"ECAT"}, Labelled: true}, strings.Repeat("\n2286 [ECAT] \"recov recov excit\\nbring mexic\"", 2)[1:]},
		"CRLF":           {strings.ReplaceAll(lyrlText, "\n", "\r\n"), Options{}, "2286 [] \"recov recov excit\\r\\nbring mexic\"\n2287 [] \"uruguay\""},
		"no tokens":      {".I 1\n.W\n.I 2\n.W", Options{}, "1 [] \"\"\n2 [] \"\""},
		"blank before":   {"\n\n.I 1\n.W\nx", Options{}, `1 [] "x"`},
		"tabs":           {".I\t1 \n.W \nx\ty \n", Options{}, `1 [] "x\ty"`},
		"dots in tokens": {".I 1\n.W\n.Ix\n.W\n.", Options{}, `1 [] ".Ix\n.W\n."`},
		"BOM":            {"\ufeff.I 1\n.W\nx", Options{}, `1 [] "x"`},
		"leading zeros":  {".I 01\n.W\nx", Options{}, `01 [] "x"`},
		"skipped":        {".I 1\nx\n.I 2\n.W\ny", Options{SkipBad: true}, `2 [] "y"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := showAll(t, c.text, c.opt); got != c.want {
				t.Fatalf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestBadLYRL(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string // part of the error
	}{
		"no number":       {".I 1\n.W\nx\n.I \n.W\n", Options{}, `stdin:4: the document's number is not a whole number: ".I "; write`},
		"no whole one":    {".I 1\n.W\nx\n.I 2.5\n", Options{}, `stdin:4: the document's number is not a whole number: ".I 2.5"`},
		"no .W":           {".I 1\n.W\nx\n\n.I 2\ny\n", Options{}, `stdin:6: no line .W behind the document's number: "y"`},
		"nothing behind":  {".I 1", Options{}, "stdin:2: no line .W behind"},
		"text before":     {"x y\n.I 1\n.W\n", Options{Format: LYRL}, `stdin:1: text before the first document: "x y"`},
		"split":           {lyrlText, Options{Split: "train"}, "stdin:1: the token files of LYRL2004 have no splits; leave --split away"},
		"large":           {lyrlText, Options{MaxDocument: 30}, "stdin:1: the document has more than 30 bytes"},
		"large, in parts": {lyrlText + ".I 3\n.W\n" + strings.Repeat("x", 600_000), Options{MaxDocument: 50, MaxLine: 50}, "stdin:10: the document has more than 50 bytes; raise the limit with --max-document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, c.text, c.opt)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A file without labels beside it says how to name them.
func TestLYRLNote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.dat")
	testkit.OK(os.WriteFile(file, zip(t, []byte(lyrlText)), 0o600))
	got, sum, err := ids(t, Options{}, filepath.Dir(file))
	if err != nil || fmt.Sprint(got) != "[2286  2287 ]" || len(sum.Notes) != 1 || !strings.Contains(sum.Notes[0], "--qrels") {
		t.Fatalf("%q, %q, %v", got, sum.Notes, err)
	}
}

// Wherever frames end, the documents and their lines are the same.
func TestLYRLFrames(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, ".I %d\n.W\n%s\n", i, strings.Repeat("tok\n.Ip\n", i%40))
	}
	docs, err := collect(t, text.String(), Options{})
	if err != nil || len(docs) != 5000 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	line := 1
	for i, d := range docs {
		want := strings.TrimRight(strings.Repeat("tok\n.Ip\n", i%40), "\n")
		if d.ID != fmt.Sprint(i) || d.Source.Line != line || string(d.Text) != want {
			t.Fatalf("document %d: %s at %v, want line %d", i, d.ID, d.Source, line)
		}
		line += 3 + 2*(i%40)
	}
}

func TestLYRLDetection(t *testing.T) {
	for text, want := range map[string]bool{
		".I 2286\n.W\n": true, "\n.I 1\r\n": true, ".I 1": true, ".I x\n": false, ".I\n": false, ".": false, "": false, "I 1\n": false,
	} {
		if got := looksLikeLYRL([]byte(text), true); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The vectors of RCV1-v2 in the archive.
func TestRCV1(t *testing.T) {
	longAlone(t)
	archive, dir := unpacked(t, "rcv1-v2-subsets.tar.gz")
	documents, labels, sizes := count(t, Options{}, archive)
	if mean := fmt.Sprintf("%.2f", float64(labels)/float64(documents)); documents != 30_000 || len(sizes) != 101 || mean != "2.90" {
		t.Errorf("%d documents of %d classes with %s labels each", documents, len(sizes), mean)
	}
	for i := 1; i <= 5; i++ {
		file := filepath.Join(dir, fmt.Sprintf("rcv1subset%d.svm", i))
		if documents, labels, _ := count(t, Options{FirstLabel: true}, file); documents != 6_000 || labels != 6_000 {
			t.Errorf("%s: %d documents with %d first labels", file, documents, labels)
		}
	}
}

func FuzzLYRL(f *testing.F) {
	f.Add(lyrlText)
	f.Add(".I 1\n.I\n.W\n\n.I 3\r\n.W\r\nx")
	f.Fuzz(func(t *testing.T, text string) {
		checkFuzz(t, text, LYRL)
		checkFuzz(t, text, Auto)
	})
}
