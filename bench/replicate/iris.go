package main

import (
	"context"
	"encoding/csv"
	"os"
	"strconv"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// iris ranks the columns of a table of numbers whose last column is the class, as if
// they were terms: "NAME value METHOD COLUMN" and "NAME rank METHOD COLUMN", columns from
// 1 on. The step's corpus is the file.
func (r *runner) iris(ctx context.Context, s *Step) {
	docs := tableOfNumbers(r.file(s.Corpus))
	c := lab.Need(corpus.BuildBatches(ctx, document.InBatches(docs), corpus.Options{}))
	rankings := r.rank(ctx, c, s.Methods)
	for i, ranking := range rankings {
		for e := range ranking.Best(ranking.Len()) {
			r.out.Figures.set(Basis{Unit: "value of " + s.Methods[i], Scope: allClasses}, e.Value, s.Name, "value", s.Methods[i], e.Term)
			r.out.Figures.set(Basis{Unit: "rank", Scope: allClasses}, float64(e.Rank), s.Name, "rank", s.Methods[i], e.Term)
		}
		energy := lab.Need(ranking.Energy(.8))
		r.out.Figures.set(Basis{Unit: "terms", Scope: allClasses}, float64(energy[0]), s.Name, "energy80", s.Methods[i])
	}
}

// tableOfNumbers reads CSV without a header line.
func tableOfNumbers(path string) []document.Document {
	f := lab.Need(os.Open(path))
	defer f.Close()
	var lines [][]string
	lab.In(path, func() { lines = lab.Need(csv.NewReader(f).ReadAll()) })
	docs := make([]document.Document, len(lines))
	for i, line := range lines {
		last := len(line) - 1
		docs[i] = document.Document{ID: strconv.Itoa(i + 1), Labels: line[last:], Source: document.Position{File: path, Line: i + 1}}
		for column, text := range line[:last] {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(lab.Errorf("%s:%d: column %d: %w", path, i+1, column+1, err))
			}
			if v == 0 {
				continue // which is what an absent term counts as
			}
			docs[i].Features = append(docs[i].Features, document.Feature{Term: strconv.Itoa(column + 1), Value: v})
		}
	}
	return docs
}
