//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// The recipe for Dask prints what its page says, and gives the terms of one select on all text.
func TestRecipeForDask(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: starts a scheduler and two workers")
	}
	b := build(t)
	shards := recipe(t, "README.md", "(?ms)^```sh\n(.*?)^```$")
	program := recipe(t, "python.md", "(?ms)^```python\n(.*?)^```$")
	prints := recipe(t, "python.md", "(?ms) it prints\n\n```\n(.*?)^```$")

	packages, err := filepath.Abs("python")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERMSIFT_LIBRARY", b.shared)
	t.Setenv("PYTHONPATH", packages) // of the workers
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	t.Setenv("DASK_LOGGING__DISTRIBUTED", "error") // a worker that ends slowly on a busy machine is a warning
	t.Setenv("PATH", filepath.Dir(b.command)+string(os.PathListSeparator)+os.Getenv("PATH"))
	folder := t.TempDir()
	// It has to be a file: workers that are spawned read the main program.
	if err := os.WriteFile(filepath.Join(folder, "count.py"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	shell(t, folder, shards)
	out := lab.Python(t, folder, "distributed numpy", `import runpy; runpy.run_path("count.py", run_name="__main__")`)
	if out != prints {
		t.Errorf("prints\n%swant\n%s", out, prints)
	}

	shell(t, folder, `
termsift select --by chi -k 1000 --tokens words shards/*.jsonl -o one.tsv
termsift select --by chi -k 1000 all.stats -o again.tsv`)
	got, again, one := readFile(t, folder, "features.tsv"), readFile(t, folder, "again.tsv"), readFile(t, folder, "one.tsv")
	if !bytes.Equal(got, again) {
		t.Error("the command selects something else of the same statistics")
	}
	if !bytes.Equal(rowsOf(got), rowsOf(one)) || bytes.Count(rowsOf(one), []byte("\n")) != 1001 {
		t.Error("the terms are not those of one select")
	}
}

// recipe returns the first block of a page of recipes that a pattern finds.
func recipe(t *testing.T, page, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindSubmatch(readFile(t, "../termsift/recipes", page))
	if found == nil {
		t.Fatalf("%s has no block like %s", page, pattern)
	}
	return string(found[1])
}

// rowsOf returns the lines of a features file behind its head.
func rowsOf(features []byte) []byte {
	return regexp.MustCompile(`(?m)^#.*\n`).ReplaceAll(features, nil)
}

func readFile(t *testing.T, folder, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func shell(t *testing.T, folder, script string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-ec", script)
	c.Dir = folder
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
