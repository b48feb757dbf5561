package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"os"

	"github.com/termsift/termsift/engine/classify"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// writeRows stores the documents as vectors in the form of a matrix, see
// countMatrix.write, with values of float32 in the place of counts. Every implementation
// learns from these numbers.
func writeRows(ctx context.Context, path string, c *corpus.Corpus) error {
	selection, err := selection.Select(ctx, c, selection.Options{By: scoring("df"), Keep: selection.Best(c.Terms())})
	if err != nil {
		return err
	}
	transformer, err := vectors.New(selection, "ltc")
	if err != nil {
		return err
	}
	m, err := classify.Collect(transformer.Corpus(ctx, c), c.Terms(), c.Classes())
	if err != nil {
		return err
	}
	start := make([]int64, len(m.Start))
	for i, at := range m.Start {
		start[i] = int64(at)
	}
	header := []int64{int64(m.Rows()), int64(m.Columns), int64(len(m.Classes)), int64(len(m.Index))}
	return writeColumns(path, header, start, m.Index, m.Value, m.LabelOf) // one label a row
}

// readRows is the other side of writeRows, and of countMatrix.write, which has counts.
func readRows(path string, classes []string, counts bool) (m *classify.Matrix, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := bufio.NewReaderSize(file, 1<<20)
	header := make([]int64, 4)
	if err := binary.Read(r, binary.LittleEndian, header); err != nil {
		return nil, err
	}
	start := make([]int64, header[0]+1)
	m = &classify.Matrix{
		Columns: int(header[1]), Classes: classes, Start: make([]int, header[0]+1), LabelStart: make([]int, header[0]+1),
		Index: make([]uint32, header[3]), Value: make([]float32, header[3]), LabelOf: make([]uint32, header[0]),
	}
	whole := make([]int32, len(m.Value))
	columns := []any{start, m.Index, m.Value, m.LabelOf}
	if counts {
		columns[2] = whole
	}
	for _, column := range columns {
		if err := binary.Read(r, binary.LittleEndian, column); err != nil {
			return nil, err
		}
	}
	if counts {
		for i, n := range whole {
			m.Value[i] = float32(n)
		}
	}
	for i, at := range start {
		m.Start[i], m.LabelStart[i] = int(at), i
	}
	return m, m.Check()
}
