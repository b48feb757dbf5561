// Package parquet reads columns of Parquet files: texts, numbers and truth values, and
// lists of these.
//
// It takes an [io.ReaderAt] and gives rows in batches, whose pages any goroutine
// decompresses and decodes. Begin reading at file.go; thrift.go to schema.go are the
// footer, chunk.go to encoding_delta.go the pages, rows.go and cursor.go what a caller
// sees.
//
// Nothing in a file is believed: lengths are compared with what is there before memory is
// allocated, and whatever does not agree is an [Error]. The package never starts a
// goroutine, and never reads a column that is not asked for.
package parquet
