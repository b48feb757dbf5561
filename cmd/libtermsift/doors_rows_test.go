//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The same call gives the same rows by the command, in Python and, where it has the call, in R: without an option.
func TestDoorsGiveTheSameRows(t *testing.T) {
	b := build(t)
	interpreter := needPython(t, "numpy", "scipy", "sklearn")
	dir := t.TempDir()
	docs, _ := demo(t)
	files := map[string]*strings.Builder{"docs.jsonl": {}, "a.jsonl": {}, "b.jsonl": {}, "docs.tsv": {}}
	files["docs.tsv"].WriteString("label\ttext\n")
	for _, d := range docs {
		line := string(testkit.Must(json.Marshal(map[string]string{"text": d.Text, "label": d.Labels[0]}))) + "\n"
		side := map[bool]string{true: "a.jsonl", false: "b.jsonl"}[d.Labels[0] == "cooking"]
		files["docs.jsonl"].WriteString(line)
		files[side].WriteString(line)
		files["docs.tsv"].WriteString(d.Labels[0] + "\t" + strings.Join(strings.Fields(d.Text), " ") + "\n")
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range files {
		testkit.OK(os.WriteFile(path(name), []byte(text.String()), 0o600))
	}
	texts := path("docs.jsonl")
	commandOutput(t, b, []string{"select", "-k", "20", texts, "-o", path("features.tsv")})
	want := map[string]listed{}
	for call, arguments := range map[string][]string{
		"rank": {"score", "--combine", "class", texts}, "score": {"score", "--top", "100000", texts},
		"keyness": {"keyness", path("a.jsonl"), path("b.jsonl")}, "collocations": {"collocations", texts},
		"words": {"words", texts}, "kwic": {"kwic", texts, "moon"}, "stability": {"stability", "-k", "20", texts},
		"ctfidf": {"score", "--by", "ctfidf", "--combine", "class", texts},
	} {
		want[call] = listedBy(commandOutput(t, b, append(arguments, "--format", "tsv")))
	}
	want["selection"] = listedBy(string(testkit.Must(os.ReadFile(path("features.tsv")))))
	transform := []string{"transform", "--features", path("features.tsv"), texts}
	want["transform"] = listedBy(svmElements(commandOutput(t, b, transform)))

	c := exec.CommandContext(t.Context(), interpreter, "testdata/doors.py", texts)
	c.Env = append(os.Environ(), "PYTHONPATH="+testkit.Must(filepath.Abs("python")), "PYTHONDONTWRITEBYTECODE=1",
		"TERMSIFT_LIBRARY="+b.shared, "TERMSIFT_COMMAND="+b.command)
	c.Stderr = os.Stderr
	sameRows(t, "Python", string(testkit.Must(c.Output())), want, 10)

	t.Run("R", func(t *testing.T) {
		needR(t)
		clone := filepath.Join(dir, "libtermsift", "r")
		testkit.OK(os.CopyFS(clone, os.DirFS("r")))
		run(t, "cp", "termsift.h", filepath.Dir(clone))
		testkit.OK(os.Mkdir(path("installed"), 0o755))
		linked := "--configure-args=--with-termsift=" + b.shared
		run(t, "R", "CMD", "INSTALL", "--no-docs", "--library="+path("installed"), linked, clone)
		t.Setenv("R_LIBS", path("installed"))
		sameRows(t, "R", run(t, "Rscript", "--vanilla", "testdata/doors.R", path("docs.tsv")), want, 6)
	})
}

// A listed is what a call lists: the names of its columns, and rows.
type listed struct {
	columns []string
	rows    [][]string
}

// listedBy reads a table with tabs.
func listedBy(text string) (l listed) {
	for line := range strings.Lines(text) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); l.columns != nil {
			l.rows = append(l.rows, fields)
		} else if !strings.HasPrefix(line, "#") {
			l.columns = fields
		}
	}
	return l
}

// svmElements returns rows of svmlight as a table of their elements.
func svmElements(text string) string {
	out, row := "row\tcolumn\tvalue\n", 0
	for line := range strings.Lines(text) {
		for _, element := range strings.Fields(line)[1:] {
			column, value, _ := strings.Cut(element, ":")
			out += fmt.Sprintf("%d\t%d\t%s\n", row, testkit.Must(strconv.Atoi(column))-1, value)
		}
		row++
	}
	return out
}

// sameRows compares so many calls of a door with those of the command, by the columns that both have.
func sameRows(t *testing.T, door, text string, want map[string]listed, calls int) {
	t.Helper()
	parts := strings.Split(text, "== ")[1:]
	testkit.Equal(t, len(parts), calls, door, "calls")
	for _, part := range parts {
		call, table, _ := strings.Cut(part, "\n")
		got, want := listedBy(table), want[call]
		testkit.Equal(testkit.Stop(t), len(got.rows), len(want.rows), door, call, "rows")
		shared := 0
		for i, name := range got.columns {
			j := slices.Index(want.columns, name)
			if j < 0 {
				continue
			}
			shared++
			for row := range got.rows {
				if !sameField(got.rows[row][i], want.rows[row][j]) {
					t.Fatalf("%s, %s, row %d: %s is %s, by the command %s", door, call, row, name,
						got.rows[row][i], want.rows[row][j])
				}
			}
		}
		testkit.Equal(t, shared >= 2 && len(got.rows) >= 2, true, door, call, "columns", got.columns, want.columns)
	}
}

// sameField compares fields as numbers, if they are: what is not defined is empty by the command.
func sameField(got, want string) bool {
	x, err := strconv.ParseFloat(got, 64)
	y, undefined := strconv.ParseFloat(want, 64)
	return got == want || err == nil && (want == "" && x != x || undefined == nil && testkit.Near(x, y, 1e-12, 0))
}
