package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// cellJobs lists what is measured on statistics alone, on every set of the flag -sets.
// Both sides hold the same cells in memory, and value all terms. The last job is ours
// alone: every measure in one pass.
var cellJobs = []job{
	{"CellsChi", 0, ofCells(rank.Chi), nil, map[string]check{"c": allAgree(1e-9)}},
	{"CellsIG", 0, ofCells(rank.IG), nil, map[string]check{"c": allAgree(1e-9)}},
	{"CellsTTest", 0, ofCells(rank.TTest), nil, map[string]check{"c": allAgree(1e-9)}},
	{"CellsOCFS", 0, ofCells(rank.OCFS), nil, map[string]check{"c": allAgree(1e-9)}},
	{cellsAll, 0, timed((*side).allMeasures), nil, nil},
}

const cellsAll = "CellsAll"

const (
	newsgroupsSet  = "20ng"
	statisticsFile = "statistics"
	cellsFile      = "columns" // see writeCells
)

// parseSets checks the names of sets with commas between them.
func parseSets(names string) ([]string, error) {
	sets := strings.Split(names, ",")
	for _, name := range sets {
		p, ok := workload.Named(name)
		if name != newsgroupsSet && (!ok || p.Labels > 1 || p.Classes > mostClasses) {
			return nil, fmt.Errorf("-sets: %q is not %s or a generated set of one label a document and at most %d classes, such as M", name, newsgroupsSet, mostClasses)
		}
	}
	return sets, nil
}

// compareCells runs the jobs of cells on the sets. 20 Newsgroups is left out where it is
// missing, for the others need no data.
func compareCells(ctx context.Context, opt options, tools toolchain, r *report) {
	for _, set := range opt.sets {
		r.set = set
		s, err := lab.TryOf(func() *table.Table { return statisticsOf(ctx, set, opt.data) })
		if set == newsgroupsSet && (opt.data == "" || errors.Is(err, os.ErrNotExist)) {
			r.note("skipped: %s of the jobs of cells: %v", set, err)
			continue
		}
		lab.Check(err)
		compareStatistics(ctx, opt, s, tools, r)
	}
}

// statisticsOf reads or generates a set and counts it.
func statisticsOf(ctx context.Context, set, data string) *table.Table {
	if set == newsgroupsSet {
		c := lab.Need(corpus.Build(ctx, document.Of(readNewsgroups(ctx, data)...), corpus.Options{}))
		return lab.Need(c.Statistics(ctx, corpus.CountOptions{}))
	}
	params, _ := workload.Named(set)
	return generate(ctx, params)
}

// generate counts a generated set.
func generate(ctx context.Context, p workload.Params) *table.Table {
	source := lab.Need(workload.Generate(ctx, p, 0))
	index := lab.Need(postings.Build(ctx, source, postings.BuildOptions{Meta: []byte("{}")}))
	c := lab.Need(corpus.New(index))
	return lab.Need(c.Statistics(ctx, corpus.CountOptions{}))
}

// compareStatistics writes the statistics for both sides, and measures the jobs.
func compareStatistics(ctx context.Context, opt options, s *table.Table, tools toolchain, r *report) {
	lab.InTemporary("termsift-compare-", func(dir string) {
		path := filepath.Join(dir, cellsFile)
		writeCells(path, s)
		lab.Check(corpus.SaveStatistics(ctx, filepath.Join(dir, statisticsFile), s))
		r.cells = s.Cells.Len()
		compareFiles(ctx, opt, dir, path, tools, r)
	})
}

// compareFiles measures the jobs on the statistics in dir and on the file of cells.
func compareFiles(ctx context.Context, opt options, dir, path string, tools toolchain, r *report) {
	team := startCells(ctx, tools, dir, path)
	defer team.close()
	measureJobs(ctx, opt, cellJobs, team, dir, r)
}

// mostClasses is how many classes a byte can number.
const mostClasses = 256

// writeCells stores cells in columns, little-endian: the numbers of documents, terms,
// cells, classes and tokens as int64; documents and tokens of each class as float64; of
// each term its documents, its occurrences and, with one more at the end, its first cell
// as uint32; of each cell its class as uint8 and its documents, occurrences and sum of
// squared frequencies as uint32. Every document must be of one class.
func writeCells(path string, s *table.Table) {
	if len(s.Cells.ClassDocs) > mostClasses {
		panic(lab.Errorf("%d classes are too many for a file of cells, which has a byte for each; the most are %d", len(s.Cells.ClassDocs), mostClasses))
	}
	if uint64(s.Cells.Len()) > math.MaxUint32 {
		panic(lab.Errorf("%d cells are too many for a file of cells, which numbers them in 32 bits", s.Cells.Len()))
	}
	if s.Cells.Labelled != s.Cells.Documents || sum(s.Cells.ClassDocs) != s.Cells.Documents {
		panic(lab.Errorf("a file of cells is of documents of one class each, not of %v documents in %v classes", s.Cells.Documents, sum(s.Cells.ClassDocs)))
	}
	c := narrow(&s.Cells)
	header := []int64{int64(s.Cells.Documents), int64(len(s.Cells.DF)), int64(s.Cells.Len()), int64(len(s.Cells.ClassDocs)), int64(s.Cells.Tokens)}
	writeColumns(path, header, s.Cells.ClassDocs, s.Cells.ClassTokens, s.Cells.DF, c.cf, c.start, c.class, c.docs, c.sums, c.squares)
}

// narrowCells are columns of cells in the widths of their file.
type narrowCells struct {
	cf, start           []uint32
	class               []uint8
	docs, sums, squares []uint32
}

// narrow converts the columns of cells.
func narrow(s *table.Cells) *narrowCells {
	c := &narrowCells{}
	for _, at := range s.Start {
		c.start = append(c.start, uint32(at))
	}
	for i := range s.Len() {
		c.class = append(c.class, uint8(s.Class.At(i)))
	}
	var tile table.Tile
	s.Tiles(&tile, 0, len(s.DF), true, func(t *table.Tile) {
		c.cf, c.docs = appendNarrow(c.cf, t.CF), appendNarrow(c.docs, t.A)
		c.sums, c.squares = appendNarrow(c.sums, t.S), appendNarrow(c.squares, t.Q)
	})
	return c
}

// appendNarrow appends numbers that must be whole and fit.
func appendNarrow(column []uint32, numbers []float64) []uint32 {
	column = slices.Grow(column, len(numbers))
	for _, v := range numbers {
		n := uint32(v)
		if float64(n) != v {
			panic(lab.Errorf("%v is not a whole number of 32 bits, as a file of cells needs", v))
		}
		column = append(column, n)
	}
	return column
}

// allMeasures ranks by every measure at once; the answer is the sum of the values of each.
func (s *side) allMeasures(ctx context.Context) {
	var measures []rank.Measure
	for _, m := range rank.Measures() {
		measures = append(measures, rank.Measure(m.Name))
	}
	s.rank(ctx, s.statistics, measures...)
	s.last = func() answer {
		sums := make([]float64, len(s.rankings))
		for i, r := range s.rankings {
			sums[i] = sum(r.Values())
		}
		return numbered(sums)
	}
}

// numbered is an answer of values with their indexes.
func numbered(values []float64) answer {
	a := answer{make([]int32, len(values)), values}
	for i := range a.ID {
		a.ID[i] = int32(i)
	}
	return a
}
