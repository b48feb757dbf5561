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
	} {
		a := newApp(nil, io.Discard, io.Discard)
		a.tree()
		a.args = args
		if got := a.commandLine(); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}

func TestFileFacts(t *testing.T) {
	dir := t.TempDir()
	path := testkit.Write(filepath.Join(dir, "a.idx"), make([]byte, 1234))
	want := []report.Fact{{Name: "file", Value: path + ", 1,234 bytes"}, {Name: "file", Value: dir + ", a folder"}, {Name: "file", Value: "standard input"}}
	got := fileFacts([]string{path, dir, "-"}, path, "")
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}
