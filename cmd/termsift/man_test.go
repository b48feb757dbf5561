package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// There is a page for each command, with all of its flags, and the same bytes each time, over
// the pages of before as well.
func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share", "man1")
	termsift(t, exitOK, "man", dir)
	first := readFolder(t, dir)
	termsift(t, exitOK, "man", dir)
	second := readFolder(t, dir)
	for _, c := range allCommands(newApp(nil, io.Discard, io.Discard).tree()) {
		if !c.IsAvailableCommand() && c.HasParent() || c.Name() == "help" {
			continue
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := first[name]
		if !strings.Contains(page, "\n.SH SYNOPSIS\n") || page != second[name] {
			t.Errorf("%s: %d bytes, the same again: %v", name, len(page), page == second[name])
		}
		for _, all := range flagsOf(c) {
			for _, f := range all {
				if !strings.Contains(page, inTroff("--"+f.Name)) || !strings.Contains(page, inTroff(f.what())+"\n") {
					t.Errorf("%s is without --%s", name, f.Name)
				}
			}
		}
		delete(first, name)
	}
	for name := range first {
		t.Errorf("what is %s?", name)
	}
	var p troff
	p.prose("Some - words\n.on two lines:\n  a  list\n  'of two'\nand the end\n\nof \\")
	const want = "Some \\- words\n\\&.on two lines:\n.PP\n.nf\n  a  list\n  \\(aqof two\\(aq\n.fi\n.PP\nand the end\n.PP\nof \\e\n"
	if got := p.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, args := range [][]string{{"man"}, {"man", "a", "b"}} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitUsage {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}

// readFolder returns the files of a folder by name.
func readFolder(t *testing.T, dir string) map[string]string {
	entries := testkit.Must(os.ReadDir(dir))
	files := map[string]string{}
	for _, e := range entries {
		data := testkit.Must(os.ReadFile(filepath.Join(dir, e.Name())))
		files[e.Name()] = string(data)
	}
	return files
}
