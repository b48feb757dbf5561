package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// FORMAT.md names the sections, their numbers and the bytes of their elements as this package does.
func TestFormatIsDescribed(t *testing.T) {
	text := string(testkit.Must(os.ReadFile(filepath.Join("..", "..", "FORMAT.md"))))
	var rows, want []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| ([a-z-]+) \| (\d+) \|`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, strings.Join(m[1:], " "))
	}
	for kind := range numSections {
		want = append(want, fmt.Sprintf("%d %v %d", kind, kind, sectionElements[kind]))
	}
	testkit.EqualSlices(t, rows, want, "FORMAT.md has the sections", rows)
	for _, fact := range []string{fmt.Sprintf("version %d", FormatVersion), "`" + indexMagic + "`", "`" + tableMagic + "`", "`" + footerMagic + "`"} {
		testkit.Contains(t, text, fact, "FORMAT.md does not say")
	}
}

// A reader that was written from FORMAT.md alone, in 100 lines of Python, finds the terms, margins and cells of
// indexes and of files of statistics.
func TestFormatCanBeReadFromItsDescription(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3 in PATH")
	}
	sources := map[string]postings.Source{"many classes": classed(randomSource(5, 900, false, false), 300)}
	for i := range 4 {
		sources[fmt.Sprintf("several labels %v, real %v", i%2 > 0, i/2 > 0)] = randomSource(3, 200+1000*i, i%2 > 0, i/2 > 0)
	}
	for name, src := range sources {
		x := build(t, src)
		counted := countOf(t, x, postings.CountOptions{})
		var statistics bytes.Buffer
		testkit.Must(WriteTable(&statistics, counted, nil))
		want := describedTable(counted)
		for _, data := range [][]byte{withCells(t, x), statistics.Bytes()} {
			got, err := exec.Command(python, filepath.Join("testdata", "reader.py"), saved(t, data)).Output()
			testkit.OK(err)
			var table any
			testkit.OK(json.Unmarshal(got, &table))
			testkit.Same(t, table, want, name, string(data[:8]))
		}
	}
}

// describedTable is what the reader prints of a table.
func describedTable(s *table.Table) (described any) {
	c, terms := &s.Cells, [][]any{}
	for _, t := range s.Names.Sorted() {
		var tile table.Tile
		c.Read(&tile, int(t), int(t)+1, true)
		squares, cells := tile.Q, [][]any{}
		if tile.M2 != nil {
			squares = tile.M2
		}
		for i, class := range tile.Class {
			cells = append(cells, []any{class, tile.A[i], tile.S[i], squares[i]})
		}
		terms = append(terms, []any{fmt.Sprintf("%x", s.Names.Term(int(t))), tile.DF[0], tile.CF[0], cells})
	}
	slices.SortFunc(terms, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	data := testkit.Must(json.Marshal(map[string]any{"classes": s.ClassNames, "margins": []any{c.Documents, c.Labelled, c.ClassDocs}, "terms": terms}))
	testkit.OK(json.Unmarshal(data, &described))
	return described
}
