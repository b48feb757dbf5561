// Package reader turns files into documents.
//
// It takes paths and gives a [document.Stream] or [document.Batches]. It reads directory
// trees with a folder for each class, the same inside tar, and files of many documents
// (JSON, Parquet, svmlight, Reuters SGML, CSV and others), alone, in directories and in
// archives. Compression and format are detected from the first bytes.
//
// Begin reading at source.go. An input is cut into frames by one goroutine, in order
// (frame.go); frames are parsed independently of each other by any number of goroutines
// (parser.go). A format is one file format_*.go, and its constant and layout in formats.go.
//
// The package never counts terms, never writes a file, and never keeps a document.
package reader
