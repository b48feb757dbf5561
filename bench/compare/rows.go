package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"os"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vectors"
)

// writeRows stores the documents as a matrix, little-endian: the numbers of documents, terms, classes
// and elements and the row starts as int64; then the terms as uint32, the values as float32, or as
// int32 if they are counts (tf), and the classes as uint32. Columns are in the order of the index, by
// document frequency. Every implementation learns from these numbers.
func writeRows(ctx context.Context, path string, c *corpus.Corpus, weight table.Weighting) *classify.Matrix {
	selection := lab.Need(selection.Select(ctx, c, selection.Options{By: scoring("df"), Keep: selection.Best(c.Terms())}))
	transformer := lab.Need(vectors.New(selection, weight))
	m := lab.Need(classify.Collect(transformer.Corpus(ctx, c), c.Terms(), c.Classes()))
	header := []int64{int64(m.Rows()), int64(m.Columns), int64(len(m.Classes)), int64(len(m.Index))}
	values := any(m.Value)
	if weight == "tf" {
		values = converted[int32](m.Value)
	}
	writeColumns(path, header, converted[int64](m.Start), m.Index, values, m.LabelOf) // one label a row
	return m
}

// converted returns numbers as another type that holds them.
func converted[B, A int | int32 | int64 | uint32 | float32](column []A) []B {
	to := make([]B, len(column))
	for i, v := range column {
		to[i] = B(v)
	}
	return to
}

// readRows is the other side of writeRows.
func readRows(path string, classes []string, counts bool) (m *classify.Matrix) {
	file := lab.Need(os.Open(path))
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<20)
	header := make([]int64, 4)
	lab.Check(binary.Read(r, binary.LittleEndian, header))
	start := make([]int64, header[0]+1)
	m = &classify.Matrix{
		Columns: int(header[1]), Classes: classes, LabelStart: make([]int, header[0]+1),
		Index: make([]uint32, header[3]), Value: make([]float32, header[3]), LabelOf: make([]uint32, header[0]),
	}
	whole := make([]int32, len(m.Value))
	columns := []any{start, m.Index, m.Value, m.LabelOf}
	if counts {
		columns[2] = whole
	}
	for _, column := range columns {
		lab.Check(binary.Read(r, binary.LittleEndian, column))
	}
	if counts {
		m.Value = converted[float32](whole)
	}
	m.Start = converted[int](start)
	for i := range m.LabelStart {
		m.LabelStart[i] = i
	}
	lab.Check(m.Check())
	return m
}
