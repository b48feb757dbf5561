package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/table"
)

// smallSet has frequent and rare terms, and runs of terms with as many documents.
var smallSet = workload.Params{Name: "small", Documents: 2_000, Tokens: 60, Terms: 4_000, Classes: 6, Seed: 1}

func statisticsOfSmall(t *testing.T) *table.Table {
	t.Helper()
	s, err := lab.TryOf(func() *table.Table { return generate(t.Context(), smallSet) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A cellFile is what is in a file of cells.
type cellFile struct {
	header                    [5]int64
	classDocs, classTokens    []float64
	df, cf, start             []uint32
	class                     []uint8
	docs, sums, squares       []uint32
	docsAt, sumsAt, squaresAt int // where these columns begin
}

func readCells(t *testing.T, path string) *cellFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, f := bytes.NewReader(data), &cellFile{}
	read := func(column any) int {
		at := len(data) - in.Len()
		if err := binary.Read(in, binary.LittleEndian, column); err != nil {
			t.Fatal(err)
		}
		return at
	}
	read(&f.header)
	terms, count, classes := f.header[1], f.header[2], f.header[3]
	f.classDocs, f.classTokens = make([]float64, classes), make([]float64, classes)
	f.df, f.cf, f.start = make([]uint32, terms), make([]uint32, terms), make([]uint32, terms+1)
	f.class, f.docs, f.sums, f.squares = make([]uint8, count), make([]uint32, count), make([]uint32, count), make([]uint32, count)
	for _, column := range []any{f.classDocs, f.classTokens, f.df, f.cf, f.start, f.class} {
		read(column)
	}
	f.docsAt = read(f.docs)
	f.sumsAt = read(f.sums)
	f.squaresAt = read(f.squares)
	if in.Len() > 0 {
		t.Errorf("%d bytes behind the columns", in.Len())
	}
	return f
}

// cells makes cells of the columns.
func (f *cellFile) cells() *table.Cells {
	c := &table.Cells{}
	for t, df := range f.df {
		for i := f.start[t]; i < f.start[t+1]; i++ {
			c.Append(uint32(f.class[i]), float64(f.docs[i]), float64(f.sums[i]), float64(f.squares[i]))
		}
		c.EndTerm(float64(df), float64(f.cf[t]))
	}
	return c
}

func TestCellFile(t *testing.T) {
	s := statisticsOfSmall(t)
	path := filepath.Join(t.TempDir(), cellsFile)
	if err := lab.Try(func() { writeCells(path, s) }); err != nil {
		t.Fatal(err)
	}
	f := readCells(t, path)
	want := [...]int64{int64(s.Cells.Documents), int64(len(s.Cells.DF)), int64(s.Cells.Len()), int64(len(s.ClassNames)), int64(s.Cells.Tokens)}
	if f.header != want || !slices.Equal(f.classDocs, s.Cells.ClassDocs) || !slices.Equal(f.classTokens, s.Cells.ClassTokens) {
		t.Errorf("%v %v %v, want %v %v %v", f.header, f.classDocs, f.classTokens, want, s.Cells.ClassDocs, s.Cells.ClassTokens)
	}
	if at := f.cells().FirstDifference(&s.Cells); at >= 0 {
		t.Errorf("term %d has other counts in the file", at)
	}
}

// What has no place in a file of cells is refused.
func TestCellFileRefuses(t *testing.T) {
	margins := func(classes int, docs, labelled float64) table.Margins {
		m := table.Margins{Documents: docs, Labelled: labelled, ClassDocs: make([]float64, classes), ClassTokens: make([]float64, classes)}
		m.ClassDocs[0] = 2
		return m
	}
	half := &table.Cells{Margins: margins(1, 2, 2)}
	half.Append(0, 1, 1.5, 2)
	half.EndTerm(1, 1.5)
	for want, c := range map[string]*table.Cells{
		"too many":                        {Margins: margins(mostClasses+1, 2, 2)},
		"not of 3 documents in 2 classes": {Margins: margins(2, 3, 2)},
		"1.5 is not a whole number":       half,
	} {
		err := lab.Try(func() { writeCells(filepath.Join(t.TempDir(), "cells"), &table.Table{Cells: *c}) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// compareSmall runs the jobs of cells once.
func compareSmall(t *testing.T, opt options, tools toolchain) string {
	t.Helper()
	opt.rounds, opt.jobs = 1, regexp.MustCompile("Cells")
	var out bytes.Buffer
	if err := lab.Try(func() {
		compareStatistics(t.Context(), opt, statisticsOfSmall(t), tools, &report{out: &out, set: "small"})
	}); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	return out.String()
}

var cellLine = regexp.MustCompile(`(?m)^BenchmarkCompareCells(\w+)/impl=(\w+)/set=small-1\s+1\s+\d+ ns/op(\s+\d+\.\d+ ns/cell-measure)?$`)

func TestCellsWithoutC(t *testing.T) {
	got := compareSmall(t, options{}, toolchain{})
	if !strings.Contains(got, "# skipped: c: gcc is not installed") {
		t.Errorf("nothing is said of gcc in\n%s", got)
	}
	found := cellLine.FindAllStringSubmatch(got, -1)
	if len(found) != len(cellJobs) {
		t.Errorf("%d measurements of %d jobs in\n%s", len(found), len(cellJobs), got)
	}
	for _, m := range found {
		if m[2] != ours || (m[3] != "") != (m[1] == "All") {
			t.Errorf("unexpected line %q", m[0])
		}
	}
}

func TestCellsWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: compiles C")
	}
	tools := systemTools(t)
	need(t, tools.gcc, "gcc")
	got := compareSmall(t, options{}, tools)
	for _, j := range cellJobs[:4] {
		if !strings.Contains(got, fmt.Sprintf("# checked: %s: c and termsift: all ", j.name)) {
			t.Errorf("%s was not checked in\n%s", j.name, got)
		}
	}
	if n := len(cellLine.FindAllString(got, -1)); n != 9 {
		t.Errorf("%d measurements instead of 9 in\n%s", n, got)
	}
}

// A number that is wrong in C's file is found by the job that reads it.
func TestCellsDisagree(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: compiles C")
	}
	tools := systemTools(t)
	need(t, tools.gcc, "gcc")
	s, dir := statisticsOfSmall(t), t.TempDir()
	path := filepath.Join(dir, cellsFile)
	if err := corpus.SaveStatistics(t.Context(), filepath.Join(dir, statisticsFile), s); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		jobs   string
		column func(f *cellFile) int
	}{
		{"CellsChi,CellsIG", func(f *cellFile) int { return f.docsAt }},
		{"CellsTTest,CellsOCFS", func(f *cellFile) int { return f.sumsAt }},
		{"CellsTTest", func(f *cellFile) int { return f.squaresAt }},
	} {
		if err := lab.Try(func() { writeCells(path, s) }); err != nil {
			t.Fatal(err)
		}
		decrement(t, path, c.column(readCells(t, path)))
		opt := options{rounds: 1, jobs: regexp.MustCompile("Cells(Chi|IG|TTest|OCFS)")}
		err := lab.Try(func() { compareFiles(t.Context(), opt, dir, path, tools, &report{out: io.Discard, set: "small"}) })
		for _, j := range cellJobs[:4] {
			failed := err != nil && strings.Contains(err.Error(), j.name+": c disagrees with termsift")
			if failed != strings.Contains(c.jobs, j.name) {
				t.Errorf("%s with a wrong number for %s: %v", j.name, c.jobs, err)
			}
		}
	}
}

// decrement changes the column that begins there by one in the first cells, which are
// those of the most frequent term: the class with the largest value is among them.
func decrement(t *testing.T, path string, at int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cell := range smallSet.Classes {
		column := data[at+4*cell:]
		binary.LittleEndian.PutUint32(column, binary.LittleEndian.Uint32(column)-1)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAllAgree(t *testing.T) {
	base := numbered([]float64{2, 1e-12, 0})
	for _, c := range []struct {
		theirs []float64
		agree  bool
	}{
		{[]float64{2, 1e-12, 0}, true},
		{[]float64{2 + 1e-9, 1e-12, 0}, true},
		{[]float64{2 + 1e-8, 1e-12, 0}, false},
		{[]float64{2, 1.1e-12, 0}, false}, // small values count as much as large ones
		{[]float64{2, 1e-12, 1e-30}, false},
		{[]float64{2, math.NaN(), 0}, false},
		{[]float64{2, 1e-12}, false},
	} {
		note, err := allAgree(1e-9)(base, numbered(c.theirs))
		if (err == nil) != c.agree || (err == nil) == (note == "") {
			t.Errorf("%v: %q, %v", c.theirs, note, err)
		}
	}
	if _, err := allAgree(1e-9)(answer{}, answer{}); err == nil {
		t.Error("no values agree")
	}
}

func TestCellFlags(t *testing.T) {
	for want, args := range map[string][]string{
		`"Nothing" is not 20ng or`: {"-sets", "20ng,Nothing"},
		`"X" is not 20ng or`:       {"-sets", "X"},
		`"Classes" is not 20ng or`: {"-sets", "Classes"},
	} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	if opt, err := parse([]string{"-jobs", "Cells", "-sets", "M,S"}); err != nil || fmt.Sprint(opt.sets) != "[M S]" {
		t.Errorf("%+v, %v", opt, err)
	}
}

// The sets that are generated need no data.
func TestCellsWithoutNewsgroups(t *testing.T) {
	var out bytes.Buffer
	opt := options{rounds: 1, jobs: regexp.MustCompile("Cells"), sets: []string{newsgroupsSet}, data: t.TempDir()}
	if err := lab.Try(func() { compareCells(t.Context(), opt, toolchain{}, &report{out: &out}) }); err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(out.String(), "# skipped: 20ng of the jobs of cells: ") {
		t.Error(out.String())
	}
}
