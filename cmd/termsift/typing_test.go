package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Whoever types what the page says went in 0.2.0 is told so, and, unless the page says "nothing", one thing that it says to do instead. The page
// has all names that the command knows.
func TestGoneNames(t *testing.T) {
	_, section, _ := strings.Cut(fileOfTop(t, "CHANGELOG.md"), "\n### From 0.1 to 0.2\n")
	section, _, _ = strings.Cut(section, "\n### ")
	input := testkit.Write(filepath.Join(t.TempDir(), "x.jsonl"), `{"labels":["a"],"text":"one"}`)
	names := regexp.MustCompile("`[^`]+`")
	for _, row := range regexp.MustCompile(`(?m)^\| (.*) \| (.*) \|$`).FindAllStringSubmatch(section, -1)[1:] {
		for _, name := range names.FindAllString(row[1], -1) {
			args := append(strings.Fields(strings.Trim(name, "`")), input)
			switch {
			case strings.HasPrefix(row[1], "Python") || strings.HasPrefix(row[1], "the program"):
				continue // test_imports.py and test_rank.py type Python's names; nothing answers to that program
			case strings.HasPrefix(row[1], "measures"):
				args = append([]string{"score", "--by"}, args...)
			case strings.HasPrefix(name, "`--"):
				args = append([]string{"score"}, args...)
			}
			said := termsift(t, exitUsage, args...)
			testkit.Contains(t, said, strings.Trim(name, "`")+" went in 0.2.0: ", args)
			told := strings.HasPrefix(row[2], "nothing")
			for _, instead := range names.FindAllString(row[2], -1) {
				told = told || strings.Contains(said, strings.Trim(instead, "`"))
			}
			testkit.Equal(t, told, true, name, said, "it tells one of", row[2])
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(goneCommands)), slices.Collect(maps.Keys(goneFlags))) {
		testkit.Contains(t, section, "`"+name+"`", "CHANGELOG.md, under From 0.1 to 0.2")
	}
}

// A path that is no file of this machine says what it is, and what to type.
func TestPlacesThatAreNoFiles(t *testing.T) {
	for path, want := range map[string]string{
		"https://host/a/x.jsonl": "addresses are not read: curl -sL https://host/a/x.jsonl | termsift COMMAND -",
		"https://host/x.csv.gz":  "curl -sL https://host/x.csv.gz | termsift COMMAND --input-format csv -",
		"S3://bucket/x.TSV":      "aws s3 cp S3://bucket/x.TSV - | termsift COMMAND --input-format tsv -",
		"hdfs:///x":              "hdfs dfs -cat hdfs:///x | termsift COMMAND -",
		"http:/host/x":           "curl -sL http://host/x",
		"s3://bucket/x":          "aws s3 cp s3://bucket/x - |",
		"gs://bucket/x":          "gcloud storage cat gs://bucket/x |",
		"file:///data/x":         "cat /data/x |",
		"abfs://c/x":             "addresses are not read: fetch it",
		"data/*.jsonl":           "no file matches this pattern",
		"part-[0-9].csv":         "no file matches this pattern",
		"[a.txt":                 "",
		`C:\data\x.jsonl`:        "folders are separated by / here",
		"x.jsonl":                "",
	} {
		if got := meantPlace(path); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// completions returns what a shell offers behind the words, the last of which is begun.
func completions(t *testing.T, words ...string) (offered []string, directive string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{"__complete"}, words...), strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("%q: exit code %d: %s", words, code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	lines := ""
	for i, label := range []string{"sci.space", "sci.med", "misc", "odd\x1bname"} {
		lines += fmt.Sprintf("{\"id\":\"%d\",\"labels\":[%q],\"text\":\"orbit orbital moon%d\"}\n", i, label, i)
	}
	text := filepath.Join(dir, "docs.jsonl")
	testkit.OK(os.WriteFile(text, []byte(strings.ReplaceAll(lines, `\x1b`, `\u001b`)), 0o600))
	index, stats, broken := filepath.Join(dir, "x.idx"), filepath.Join(dir, "x.stats"), filepath.Join(dir, "broken.idx")
	termsift(t, exitOK, "index", text, "-o", index)
	termsift(t, exitOK, "index", text, "--stats-only", "-o", stats)
	data := testkit.Must(os.ReadFile(index))
	testkit.OK(os.WriteFile(broken, data[:len(data)/2], 0o600))
	for line, want := range map[string]string{
		"score --by ch":                   "chi chitf :6",
		"score --by chi,i":                "chi,ig :6",
		"score --by chi,chi":              "chi,chitf :6",
		"score --by m=max(A,B),ch":        "m=max(A,B),chi m=max(A,B),chitf :6",
		"score --by m=max(A,ch":           ":6",
		"select --by best":                "best-terms :6",
		"compare --by ig,chi:":            "ig,chi:max ig,chi:avg ig,chi:sum ig,chi:mean :6",
		"evaluate --classifier svm,k":     "svm,knn :6",
		"score --combine a":               "avg :4",
		"score --format j":                "json jsonl :4",
		"select --weight tf-rf":           "tf-rf tf-rf-unit :4",
		"score --weight tf":               "tf tfidf tfidf-unit :4",
		"index --stop sm":                 "smart :0",
		"index --stem porter":             "porter porter-c porter2 :4",
		"index --tokens z":                "zh-bigrams :4",
		"index --store c":                 "cells :4",
		"transform --to n":                "npz :4",
		"project --rule l":                "literal :4",
		"train --rule m":                  "max :4",
		"score --top 1":                   ":4",
		"index -o ":                       ":0",
		"score " + index + " --class s":   "sci.med sci.space :4",
		"score " + stats + " --class m":   "misc :4",
		"score " + index + " --class o":   ":4",
		"score " + text + " --class s":    ":4",
		"score " + broken + " --class s":  ":4",
		"explain " + index + " orb":       "orbit orbital :4",
		"explain " + stats + " orb":       "orbit orbital :4",
		"explain " + text + " orb":        ":4",
		"explain " + broken + " orb":      ":4",
		"explain " + index + " orbit orb": ":4",
		"kwic " + index + " orbit orb":    "orbit orbital :4",
		"explain x":                       ":0",
		"score --summary j":               "json :4",
		"score --cpuprofile ":             ":0",
	} {
		words := strings.Split(line, " ")
		offered, directive := completions(t, words...)
		testkit.Equal(t, strings.Join(append(offered, directive), " "), want, line)
	}
}

// Flags with choices take texts, and every choice is a value that a person can type.
func TestChoicesAreOfTexts(t *testing.T) {
	root := newApp(nil, &bytes.Buffer{}, &bytes.Buffer{}).tree()
	for _, c := range append(root.Commands(), root) {
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			f, kind := flags.Of(flag), flag.Value.Type()
			if f.Choices == nil {
				return
			}
			testkit.Equal(t, slices.Contains([]string{"string", "stringArray", "stringSlice"}, kind), true, c.Name(),
				"--", flag.Name, "choices of", kind)
			for _, choice := range f.Choices(nil) {
				testkit.Equal(t, typeable(choice), true, c.Name(), "--", flag.Name, choice)
			}
		})
	}
}

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
		testkit.Contains(t, page, "\n.SH SYNOPSIS\n", name, len(page), "bytes, the same again", page == second[name])
		testkit.Equal(t, page, second[name], name, len(page), "bytes, the same again", page == second[name])
		for _, all := range flagsOf(c) {
			for _, f := range all {
				testkit.Contains(t, page, inTroff("--"+f.Name), name, "is without --", f.Name)
				testkit.Contains(t, page, inTroff(f.what())+"\n", name, "is without --", f.Name)
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
	testkit.Equal(t, p.String(), want)
	for _, args := range [][]string{{"man"}, {"man", "a", "b"}} {
		var out, errs bytes.Buffer
		testkit.Equal(t, run(t.Context(), args, strings.NewReader(""), &out, &errs), exitUsage, args, "exit code")
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

func TestExitCode(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a reason"))
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{selection.ErrNothingSelected, exitNothing},
		{corpus.ErrNoDocuments, exitNothing},
		{errFindings, exitNothing},
		{usage.Unknown("term", "x", nil), exitNothing},
		{usageError("x"), exitUsage},
		{learn.ErrFolds, exitUsage},
		{usage.Unknown("class", "x", nil), exitUsage},
		{knownCommand(newApp(nil, io.Discard, io.Discard).tree(), []string{"x"}), exitUsage},
		{&reader.Error{Problem: "x"}, exitData},
		{reader.ErrEmpty, exitData},
		{ingest.ErrNoLabels, exitData},
		{table.ErrPruned, exitData},
		{learn.ErrBadRows, exitData},
		{learn.ErrNoModel, exitData},
		{learn.ErrMismatch, exitData},
		{usage.ErrContradiction, exitData},
		{&files.FileError{Err: files.ErrChecksum}, exitCorrupt},
		{files.ErrFormat, exitCorrupt},
		{files.ErrVersion, exitCorrupt},
		{files.ErrTruncated, exitCorrupt},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, exitIO},
		{errors.New("unforeseen"), exitIO},
		{context.Canceled, exitInterrupted},
		{usage.Cause(ctx), exitInterrupted},
	} {
		wrapped := c.err
		if c.err != nil {
			wrapped = fmt.Errorf("there: %w", c.err)
		}
		if usage.ExitCode(c.err) != c.want || c.want != exitUsage && usage.ExitCode(wrapped) != c.want {
			t.Errorf("%v: %d and %d, want %d", c.err, usage.ExitCode(c.err), usage.ExitCode(wrapped), c.want)
		}
	}
}
