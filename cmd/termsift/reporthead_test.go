package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report"
)

func TestCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		"termsift evaluate --folds 5 a.idx":                                  {"evaluate", "--html", "x y.html", "--folds", "5", "--svg=curves", "a.idx", "--confusion", "c.tsv"},
		`termsift evaluate --docs 'class=a and not id=x*' 'it'\''s' '' -k 5`: {"evaluate", "--docs", "class=a and not id=x*", "it's", "", "-k", "5"},
		"termsift keyness a.idx --class=a":                                   {"keyness", "a.idx", "--class=a", "--html"},
		"termsift explore a.txt --by chi":                                    {"explore", "--threads", "8", "--quiet", "a.txt", "--max-memory=1GB", "--temp-dir", "/t", "--by", "chi", "--force", "-o", "p.html"},
	} {
		a := newApp(nil, io.Discard, io.Discard)
		a.tree()
		a.args = args
		testkit.Equal(t, a.commandLine(), want, args)
	}
}

func TestFileFacts(t *testing.T) {
	dir := t.TempDir()
	path := testkit.Write(filepath.Join(dir, "a.idx"), make([]byte, 1234))
	want := []report.Fact{{Name: "file", Value: path + ", 1,234 bytes"}, {Name: "file", Value: dir + ", a folder"}, {Name: "file", Value: "standard input"}}
	got := fileFacts([]string{path, dir, "-"}, path, "")
	testkit.Equal(testkit.Stop(t), len(got), len(want))
	for i := range want {
		testkit.Equal(t, got[i], want[i])
	}
}
