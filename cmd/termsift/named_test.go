package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/cmd/internal/flags"
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
