package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

const newsgroupsArchive = "20news-bydate.tar.gz"

// The files that all implementations load.
const (
	matrixFile = "matrix" // the document-term matrix of our index, see countMatrix.write
	textFile   = "text"   // the documents in UTF-8, each ended by a NUL
	indexFile  = "index"  // our index
	rowsFile   = "rows"   // the documents as vectors, ltc over all terms, see writeRows
)

// data is a collection to compare on.
type data struct {
	set  string // its name in the results
	docs []document.Document
	top  int // how many terms a selection keeps
}

// shape is what the exported data look like.
type shape struct {
	top     int
	largest int // documents of the largest class
}

// readNewsgroups reads the training part of 20 Newsgroups.
func readNewsgroups(ctx context.Context, dir string) ([]document.Document, error) {
	if dir == "" {
		return nil, fmt.Errorf("no data: set TERMSIFT_DATA or -data to the directory of %s", newsgroupsArchive)
	}
	source, err := reader.Read(ctx, []string{filepath.Join(dir, newsgroupsArchive)}, reader.Options{Split: "train", Charset: "latin-1"})
	if err != nil {
		return nil, err
	}
	var docs []document.Document
	for d, err := range source.Documents() {
		if err != nil {
			return nil, err
		}
		d.Text, d.Labels = slices.Clone(d.Text), slices.Clone(d.Labels)
		docs = append(docs, d)
	}
	return docs, nil
}

// export writes the files for the implementations. The documents are put into
// the order of the index (by class) first, so that the rows of the matrix, the
// texts and the labels are the same documents everywhere.
func (d data) export(ctx context.Context, dir string) (shape, error) {
	docs := slices.Clone(d.docs)
	for _, doc := range docs {
		if len(doc.Labels) != 1 {
			return shape{}, fmt.Errorf("document %q has %d labels; the peers know documents of one class only", doc.ID, len(doc.Labels))
		}
	}
	slices.SortStableFunc(docs, func(a, b document.Document) int { return cmp.Compare(a.Labels[0], b.Labels[0]) })
	if err := writeTexts(filepath.Join(dir, textFile), docs); err != nil {
		return shape{}, err
	}
	if err := writeShell(filepath.Join(dir, shellFile), docs); err != nil {
		return shape{}, err
	}
	if err := writeFiles(dir, docs); err != nil {
		return shape{}, err
	}
	corpus, err := corpus.Build(ctx, stream(docs), corpus.Options{})
	if err != nil {
		return shape{}, err
	}
	if err := writeIndex(filepath.Join(dir, indexFile), corpus); err != nil {
		return shape{}, err
	}
	if err := writeRows(ctx, filepath.Join(dir, rowsFile), corpus); err != nil {
		return shape{}, err
	}
	m, err := newMatrix(ctx, corpus)
	if err != nil {
		return shape{}, err
	}
	return shape{min(d.top, corpus.Terms()), m.largestClass()}, m.write(filepath.Join(dir, matrixFile))
}

// stream yields documents that are in memory.
func stream(docs []document.Document) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// writeTexts writes the texts; a NUL within one, a separator of tokens for
// everybody, becomes a space.
func writeTexts(path string, docs []document.Document) error {
	var all []byte
	for _, d := range docs {
		text := bytes.ToValidUTF8(d.Text, []byte(" "))
		all = append(all, bytes.ReplaceAll(text, []byte{0}, []byte(" "))...)
		all = append(all, 0)
	}
	return os.WriteFile(path, all, 0o600)
}

func writeIndex(path string, c *corpus.Corpus) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = c.WriteTo(file)
	return errors.Join(err, file.Close())
}

// A countMatrix holds the counts of a corpus by document (CSR).
type countMatrix struct {
	classes, terms int
	start          []int64 // documents+1: first posting of each
	term           []int32 // ascending within a document
	count          []int32
	label          []int32 // of each document
}

// newMatrix turns the posting lists into rows.
func newMatrix(ctx context.Context, c *corpus.Corpus) (*countMatrix, error) {
	m := &countMatrix{classes: len(c.Classes()), terms: c.Terms(), start: make([]int64, c.Documents()+1)}
	for doc := range c.Documents() {
		m.label = append(m.label, int32(c.Labels(doc)[0]))
	}
	weights, err := c.Weights(ctx, "tf")
	if err != nil {
		return nil, err
	}
	lists := make([][]uint32, c.Terms())
	for t := range lists {
		docs, err := c.Postings(t)
		if err != nil {
			return nil, err
		}
		lists[t] = docs.ToArray()
		for _, doc := range lists[t] {
			m.start[doc+1]++
		}
	}
	for doc := range c.Documents() {
		m.start[doc+1] += m.start[doc]
	}
	m.fill(lists, weights)
	return m, nil
}

// fill puts the postings into their rows.
func (m *countMatrix) fill(lists [][]uint32, weights *corpus.Weights) {
	postings := m.start[len(m.label)]
	m.term, m.count = make([]int32, postings), make([]int32, postings)
	next := slices.Clone(m.start)
	for t, docs := range lists {
		counts := weights.Of(t)
		for i, doc := range docs {
			m.term[next[doc]], m.count[next[doc]] = int32(t), int32(counts[i])
			next[doc]++
		}
	}
}

func (m *countMatrix) largestClass() int {
	sizes := make([]int, m.classes)
	for _, class := range m.label {
		sizes[class]++
	}
	return slices.Max(sizes)
}

// write stores the matrix, little-endian: the numbers of documents, terms,
// classes and postings and the row starts as int64; then terms, counts and
// labels as int32.
func (m *countMatrix) write(path string) error {
	header := []int64{int64(len(m.label)), int64(m.terms), int64(m.classes), int64(len(m.term))}
	return writeColumns(path, header, m.start, m.term, m.count, m.label)
}

// writeColumns stores slices one behind the other.
func writeColumns(path string, columns ...any) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	for _, column := range columns {
		if err := binary.Write(w, binary.LittleEndian, column); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(w.Flush(), file.Close())
}
