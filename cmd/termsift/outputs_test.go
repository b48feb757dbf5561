package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/usage"
)

// What the value of a text is must be said of each flag, or an output could destroy an input.
func TestEveryFlagOfTextSaysWhetherItNamesAFile(t *testing.T) {
	for _, c := range (&app{}).tree().Commands() {
		visit := func(flag *pflag.Flag) {
			f, kind := flags.Of(flag), flag.Value.Type()
			if kind != "string" && kind != "stringArray" || flag.Name == helpAll {
				return
			}
			names := f.Reads != nil || f.Writes || f.Folder
			if !names && f.Choices == nil && f.Takes == "" || f.Reads != nil && f.Writes {
				t.Errorf("%s --%s: does it name a file that is read or written?", c.Name(), flag.Name)
			}
		}
		c.LocalFlags().VisitAll(visit)
		c.InheritedFlags().VisitAll(visit)
	}
}

// Every path that a flag names for an output is refused where it is the INPUT, by every
// command that has the flag.
func TestNoOutputFlagTakesTheInput(t *testing.T) {
	input := filepath.Join(t.TempDir(), "input.jsonl")
	text := []byte(`{"labels":["a"],"text":"one"}` + "\n" + `{"labels":["b"],"text":"two"}` + "\n")
	testkit.OK(os.WriteFile(input, text, 0o600))
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		if slices.Contains([]string{"completion", "demo", "help", "man", "version"}, c.Name()) {
			continue // they read no INPUT
		}
		var written []string
		visit := func(flag *pflag.Flag) {
			if f := flags.Of(flag); f.Writes && f.Ending == "" && !f.Folder {
				written = append(written, f.Name)
			}
		}
		c.LocalFlags().VisitAll(visit)
		c.InheritedFlags().VisitAll(visit)
		for _, name := range written {
			var out, errs bytes.Buffer
			args := []string{c.Name(), input, input, "--" + name, input}
			if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "is read as INPUT") {
				t.Errorf("%s --%s: exit code %d, %s", c.Name(), name, code, errs.String())
			}
			testkit.EqualSlices(testkit.Stop(t), testkit.Must(os.ReadFile(input)), text, c.Name(), "--", name,
				"the input", "bytes")
			tried++
		}
	}
	if tried < 50 {
		t.Errorf("%d were tried", tried)
	}
}

// The longest names that file systems take are those of outputs, too.
func TestOutputsOfLongNames(t *testing.T) {
	dir := t.TempDir()
	input := oneDocument(t, dir, "begin")
	for _, length := range []int{244, 245, 250, 255} {
		index := filepath.Join(dir, strings.Repeat("x", length))
		testkit.OK(os.WriteFile(index, nil, 0o600))
		termsift(t, exitOK, "index", input, "-o", index)
		termsift(t, exitOK, "verify", index)
	}
}

// oneDocument writes an input of one document.
func oneDocument(t *testing.T, dir, id string) (path string) {
	path = filepath.Join(dir, id+".jsonl")
	testkit.OK(os.WriteFile(path, fmt.Appendf(nil, `{"id":%q,"labels":["a"],"text":"one %s"}`, id, id), 0o600))
	return path
}

// termsift runs the command here.
func termsift(t *testing.T, want int, args ...string) (stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	testkit.Equal(testkit.Stop(t), run(t.Context(), args, strings.NewReader(""), &out, &errs), want, "termsift",
		strings.Join(args, " "), "exit code", errs.String())
	return errs.String()
}

// Every output of every command is tried before the inputs, which do not exist here: the
// error is the output's, and nothing is left behind.
func TestOutputsAreTriedBeforeInputs(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	tried := 0
	for _, c := range (&app{}).tree().Commands() {
		if !c.Runnable() {
			continue
		}
		args := argumentsOf(c, filepath.Join(dir, "nowhere"))
		visit := func(flag *pflag.Flag) {
			for _, bad := range badOutputs(c, flag, dir) {
				cannotBeWritten(t, dir, slices.Concat([]string{c.Name()}, args, []string{"--" + flag.Name, bad}))
				tried++
			}
		}
		c.LocalFlags().VisitAll(visit)
		c.InheritedFlags().VisitAll(visit)
	}
	cannotBeWritten(t, dir, []string{"man", filepath.Join(dir, "file/folder")})
	cannotBeWritten(t, dir, []string{"man", filepath.Join(dir, "file")})
	testkit.TriedCases(t, tried)
	if tried < 300 {
		t.Errorf("%d were tried", tried)
	}
}

// argumentsOf returns arguments that a command takes: as few as it allows.
func argumentsOf(c *cobra.Command, arg string) []string {
	args := []string{}
	for c.Args != nil && c.Args(c, args) != nil && len(args) < 4 {
		args = append(args, arg)
	}
	return args
}

// badOutputs returns values of a flag that cannot be written. It returns none if the flag
// names no output and no folder of temporary files.
func badOutputs(c *cobra.Command, flag *pflag.Flag, dir string) []string {
	bad := []string{filepath.Join(dir, "file/below")}
	if _, err := os.Stat("/sys/kernel"); err == nil {
		bad = append(bad, "/sys/kernel/out") // where even root can create no file
	}
	switch f := flags.Of(flag); {
	case f.Writes && f.Folder:
		return append(bad, filepath.Join(dir, "file"))
	case flag.Name == "temp-dir":
		return append(bad, filepath.Join(dir, "missing"), filepath.Join(dir, "file"))
	case f.Writes:
		return append(bad, filepath.Join(dir, "missing/out"), filepath.Join(dir, "missing/deep/out"), dir)
	}
	return nil
}

// cannotBeWritten runs a command line and demands that its output is refused.
func cannotBeWritten(t *testing.T, dir string, args []string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(""), &out, &errs)
	said := errs.String()
	if code != exitIO || !strings.Contains(said, "cannot be written") && !strings.Contains(said, "no temporary file can be written") {
		t.Errorf("termsift %s: exit code %d, %s", strings.Join(args, " "), code, said)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || out.Len() > 0 {
		t.Fatalf("termsift %s: left %v, %v, wrote %q", strings.Join(args, " "), entries, err, out.String())
	}
}

// What the trial must not refuse: files in a folder that the run makes, links, devices.
func TestOutputsThatCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	index := generatedIndex(t, "-documents", "30", "-length", "5", "-classes", "2")
	evaluate := []string{"evaluate", "--folds", "2", "--classifier", "nb", "-k", "5", index}
	for _, outputs := range [][]string{
		{"--svg", "new/curves", "--html", "new/page.html"},
		{"--svg", "new/curves", "--html", "new/curves/page.html"},
		{"--svg", "another/", "--html", "another/page.html"},
		{"--html", os.DevNull},
	} {
		args := slices.Clone(evaluate)
		for _, o := range outputs {
			if !strings.HasPrefix(o, "-") && o != os.DevNull {
				o = filepath.Join(dir, o)
			}
			args = append(args, o)
		}
		termsift(t, exitOK, args...)
	}
	said := termsift(t, exitUsage, append(evaluate, "--svg", filepath.Join(dir, "same"), "--html", filepath.Join(dir, "same"))...)
	testkit.Contains(t, said, "would be written twice")
}

// Files that belong together appear all or none: where one of them cannot be written, the
// others are as they were, and so are the folders.
func TestFilesThatBelongTogether(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old")
	testkit.OK(os.WriteFile(old, []byte("old"), 0o600))
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	full := func(w io.Writer) error { return errors.Join(text(w), syscall.ENOSPC) }
	for _, folder := range []string{dir, filepath.Join(dir, "a/b")} {
		a := newApp(strings.NewReader(""), io.Discard, io.Discard)
		for bad := range 3 {
			all := []filled{{filepath.Join(folder, "old"), text}, {filepath.Join(folder, "x"), text}, {filepath.Join(folder, "y"), text}}
			all[bad].fill = full
			testkit.Is(testkit.Stop(t), a.writeAll(folder, all), syscall.ENOSPC)
			testkit.Equal(t, string(testkit.Must(os.ReadFile(old))), "old", "the old file")
			testkit.Equal(t, len(testkit.Must(os.ReadDir(dir))), 1, "left")
		}
		testkit.OK(a.writeAll(folder, []filled{{filepath.Join(folder, "x"), text}, {filepath.Join(folder, "y"), text}, {os.DevNull, text}}))
		testkit.Equal(testkit.Stop(t), testkit.Must(os.Stat(os.DevNull)).Mode().IsRegular(), false, os.DevNull,
			"was replaced")
		if entries, err := os.ReadDir(folder); err != nil || len(entries) < 2 {
			t.Errorf("there are %v, %v", entries, err)
		}
		testkit.OK(errors.Join(os.Remove(filepath.Join(folder, "x")), os.Remove(filepath.Join(folder, "y"))))
	}
}

// Each call to the file system fails once, until none is left to fail, while files that belong together
// are written: all are new, or the old ones are as they were and no new file or folder is there.
func TestFaultsOfFilesThatBelongTogether(t *testing.T) {
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	points := 0
	for _, in := range []string{".", "a/b"} {
		for at, done := 1, false; !done; at++ {
			dir := t.TempDir()
			folder := filepath.Join(dir, in)
			names := []string{"w", "x", "y", "z"}
			if in == "." {
				for _, name := range []string{"x", "z"} {
					testkit.OK(os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600))
				}
			}
			before := contents(t, dir)
			after := maps.Clone(before)
			var all []filled
			for _, name := range names {
				path := filepath.Join(folder, name)
				after[path] = "new"
				all = append(all, filled{path, text})
			}
			a := newApp(strings.NewReader(""), io.Discard, io.Discard)
			system := &failing{at: at}
			a.files.System = system
			err := a.writeAll(folder, all)
			if done = len(system.calls) < at; done != (err == nil) || err != nil && !errors.Is(err, syscall.EIO) {
				t.Fatalf("%s: call %d of %d failed, and it said %v", in, at, len(system.calls), err)
			}
			if !done {
				points++
			}
			if got := contents(t, dir); !maps.Equal(got, after) && (done || system.renamed == len(names) || !maps.Equal(got, before)) {
				t.Errorf("%s: after a fault at call %d there is %v", in, at, got)
			}
			if done {
				want := []string{"rename w", "rename x", "rename y", "rename z", "sync " + filepath.Base(folder)}
				if in != "." {
					want = append(want, "sync "+filepath.Base(dir), "sync a")
				}
				if got := system.calls; !slices.Equal(got[len(got)-len(want):], want) {
					t.Errorf("%s: %v, want at the end %v", in, got, want)
				}
			}
		}
	}
	testkit.TriedCases(t, points)
}

// failing is a file system of which one call fails.
type failing struct {
	files.OS
	at      int // the number of the call, from 1
	calls   []string
	renamed int // files that have their names
}

func (f *failing) call(what, path string) error {
	f.calls = append(f.calls, what+" "+filepath.Base(path))
	if len(f.calls) == f.at {
		return syscall.EIO
	}
	return nil
}

// Create implements [files.System].
func (f *failing) Create(path string) (files.File, error) {
	if err := f.call("create", path); err != nil {
		return nil, err
	}
	return f.OS.Create(path)
}

// SyncDir implements [files.System].
func (f *failing) SyncDir(dir string) error {
	if err := f.call("sync", dir); err != nil {
		return err
	}
	return f.OS.SyncDir(dir)
}

// Rename implements [files.System].
func (f *failing) Rename(from, to string) error {
	if err := f.call("rename", to); err != nil {
		return err
	}
	if strings.HasSuffix(from, "-whole") { // else it is taken back
		f.renamed++
	}
	return f.OS.Rename(from, to)
}

// contents returns the files and folders below one.
func contents(t *testing.T, dir string) map[string]string {
	found := map[string]string{}
	testkit.OK(filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if e.IsDir() {
			if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
				return err
			}
			found[path] = "an empty folder"
			return nil
		}
		data, err := os.ReadFile(path)
		found[path] = string(data)
		return err
	}))
	return found
}

// An interruption while files that belong together are written leaves neither files nor folders, and none
// is renamed afterwards.
func TestInterruptedFilesThatBelongTogether(t *testing.T) {
	dir := t.TempDir()
	a := newApp(strings.NewReader(""), io.Discard, io.Discard)
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	ended := func(w io.Writer) error { a.files.end(); return text(w) }
	folder := filepath.Join(dir, "a/b")
	err := a.writeAll(folder, []filled{{filepath.Join(folder, "x"), text}, {filepath.Join(folder, "y"), ended}})
	testkit.Fails(t, err, "it was not broken off")
	testkit.Equal(t, len(contents(t, dir)), 0, "left")
}

// No byte of a model, a features file or statistics can change without verify saying so.
func TestVerifyFindsEveryFlip(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := `{"labels":["a"],"text":"one one two"}` + "\n" + `{"labels":["b"],"text":"two three"}` + "\n"
	testkit.Write(at("docs.jsonl"), text)
	termsift(t, exitOK, "index", at("docs.jsonl"), "--stats-only", "-o", at("x.stats"))
	termsift(t, exitOK, "select", "-k", "2", at("docs.jsonl"), "-o", at("x.tsv"))
	termsift(t, exitOK, "train", "-k", "2", "--classifier", "nb", at("docs.jsonl"), "-o", at("x.model"))
	for _, name := range []string{"x.stats", "x.tsv", "x.model"} {
		data := testkit.Must(os.ReadFile(at(name)))
		termsift(t, exitOK, "verify", at(name))
		a := newApp(nil, io.Discard, io.Discard)
		for i := range data {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << (i % 8)
			testkit.Write(at("changed"), changed)
			if err := a.verify(at("changed")); err == nil || usage.ExitCode(err) != exitCorrupt || !strings.Contains(err.Error(), "changed") {
				t.Fatalf("%s: bit %d of byte %d: %v", name, i%8, i, err)
			}
		}
	}
}
