package rank

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// CellLog10P returns log10 of the p-values of the cells of some terms, by their numbers: those of the
// classes that have the first term, in the order of the table, then those of the second, and so on. The
// options must have the combination ByClass, ask for p-values, and be of a measure that cells tell.
func (p Plan) CellLog10P(ctx context.Context, s *table.Table, terms []int) ([]float64, error) {
	if p.source != nil {
		return nil, usage.Errorf("%s is not told by the cells of a table", p.info.Name)
	}
	test, err := p.test(s)
	switch {
	case err != nil:
		return nil, err
	case test == nil || p.combine != ByClass:
		return nil, usage.Errorf("p-values of cells are those of the combination %s, and must be asked for", ByClass)
	}
	start := make([]int, len(terms)+1)
	for i, t := range terms {
		start[i+1] = start[i] + s.Cells.Start[t+1] - s.Cells.Start[t]
	}
	all := make([]float64, start[len(terms)])
	margins, threads := Margins(s), pool.Threads(p.threads)
	panels, rows := make([]*score.Panel, threads), make([]score.Row, threads)
	chunks := (len(terms) + pvalueChunk - 1) / pvalueChunk
	return all, pool.Run(ctx, p.threads, chunks, func(worker, chunk int) error {
		if panels[worker] == nil {
			panels[worker] = score.NewPanel(p.byClass(), margins)
		}
		row := &rows[worker]
		for i := chunk * pvalueChunk; i < min(len(terms), (chunk+1)*pvalueChunk); i++ {
			setRow(row, s, terms[i], table.TF)
			for cell, class := range row.Class {
				v := panels[worker].Class(row, int(class), cell)
				all[start[i]+cell] = Log10(test.lnP(v, tableOf(row, cell, s)))
			}
		}
		return nil
	})
}

// tableOf returns the 2x2 table of documents of a cell of a row.
func tableOf(r *score.Row, cell int, s *table.Table) pvalue.Table {
	a, df, n := int64(r.A[cell]), int64(r.DF), int64(s.Cells.ClassDocs[r.Class[cell]])
	return pvalue.Table{A: a, B: df - a, C: n - a, D: int64(s.Documents()) - n - (df - a)}
}

// NeedsSquares returns the measures of classes that read sums of squares.
func NeedsSquares() []Measure { return []Measure{TTest, ANOVA} }
