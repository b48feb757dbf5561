package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// What cannot be written to standard output is a failure.
func TestFullStandardOutput(t *testing.T) {
	full := testkit.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	defer full.Close()
	closed := testkit.Must(os.Create(filepath.Join(t.TempDir(), "closed")))
	testkit.OK(closed.Close())
	index := generatedIndex(t, "-documents", "50", "-length", "5", "-classes", "3")
	var scores, errs bytes.Buffer
	if code := run(t.Context(), []string{"score", "--top", "1", "--format", "tsv", index}, strings.NewReader(""), &scores, &errs); code != exitOK {
		t.Fatal(errs.String())
	}
	term := strings.Split(strings.Split(scores.String(), "\n")[1], "\t")[3]
	for _, line := range []string{
		"score", "select -k 5", "transform -k 5", "info", "verify", "compare", "project", "explain TERM", "stability -k 5 --bootstrap 2",
		"evaluate --folds 2", "index --stats-only -o -", "merge -o -", "train -k 5 -o -",
	} {
		for _, stdout := range []*os.File{full, closed} {
			var errs bytes.Buffer
			args := strings.Fields(line)
			args = slices.Insert(args, 1, index)
			if at := slices.Index(args, "TERM"); at > 0 {
				args[at] = term
			}
			if code := run(t.Context(), args, strings.NewReader(""), stdout, &errs); code != exitIO || errs.Len() == 0 {
				t.Errorf("%s to %s: exit code %d, %s", line, stdout.Name(), code, errs.String())
			}
		}
	}
	for _, line := range []string{"demo", "--help", "--version", "measures"} {
		for _, stdout := range []*os.File{full, closed} {
			var errs bytes.Buffer
			if code := run(t.Context(), strings.Fields(line), strings.NewReader(""), stdout, &errs); code != exitIO || errs.Len() == 0 {
				t.Errorf("%s to %s: exit code %d, %s", line, stdout.Name(), code, errs.String())
			}
		}
	}
}

// A profile that cannot be written is a failure, too.
func TestFullProfiles(t *testing.T) {
	index := generatedIndex(t, "-documents", "5")
	for _, name := range []string{"cpuprofile", "memprofile", "trace"} {
		var errs bytes.Buffer
		if code := run(t.Context(), []string{"score", index, "--" + name, "/dev/full"}, strings.NewReader(""), &bytes.Buffer{}, &errs); code != exitIO || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("--%s: exit code %d, %s", name, code, errs.String())
		}
	}
}

// The manual pages are all there or none is: where one cannot be written, those before it go.
func TestFullManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	testkit.OK(os.MkdirAll(filepath.Join(dir, "termsift-words.1"), 0o755)) // the last of them is a folder
	var errs bytes.Buffer
	code := run(t.Context(), []string{"man", dir}, strings.NewReader(""), &bytes.Buffer{}, &errs)
	entries := testkit.Must(os.ReadDir(dir))
	testkit.Equal(t, code, exitIO, errs.String())
	testkit.Equal(t, len(entries), 1, "entries")
}
