package store

import "io"

// SetMost sets how many files of statistics are open at once.
func (o *TableMergeOptions) SetMost(n int) { o.most = n }

// NewTableFile opens a file of statistics.
func NewTableFile(r io.ReaderAt, size int64) (*TableFile, error) { return newTableFile(r, size) }
