package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

const newsgroupsArchive = "20news-bydate.tar.gz"

// The files that all implementations load.
const (
	matrixFile = "matrix" // the counts of terms in documents, see writeRows
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
	largest int   // documents of the largest class
	lengths []int // bytes of the texts
}

// readNewsgroups reads the training part of 20 Newsgroups.
func readNewsgroups(ctx context.Context, dir string) []document.Document {
	if dir == "" {
		panic(lab.Errorf("no data: set TERMSIFT_DATA or -data to the directory of %s", newsgroupsArchive))
	}
	source := lab.Need(reader.Read(ctx, []string{filepath.Join(dir, newsgroupsArchive)}, reader.Options{Split: "train", Charset: "latin-1"}))
	var docs []document.Document
	for d, err := range source.Documents() {
		lab.Check(err)
		d.Text, d.Labels = slices.Clone(d.Text), slices.Clone(d.Labels)
		docs = append(docs, d)
	}
	return docs
}

// export writes the files for the implementations. The documents are put into
// the order of the index (by class) first, so that the rows of the matrix, the
// texts and the labels are the same documents everywhere.
func (d data) export(ctx context.Context, dir string) shape {
	docs := slices.Clone(d.docs)
	for _, doc := range docs {
		if len(doc.Labels) != 1 {
			panic(lab.Errorf("document %q has %d labels; the peers know documents of one class only", doc.ID, len(doc.Labels)))
		}
	}
	slices.SortStableFunc(docs, func(a, b document.Document) int { return cmp.Compare(a.Labels[0], b.Labels[0]) })
	writeTexts(filepath.Join(dir, textFile), docs)
	writeShell(filepath.Join(dir, shellFile), docs)
	corpus := lab.Need(corpus.Build(ctx, document.Of(docs...), corpus.Options{}))
	writeIndex(filepath.Join(dir, indexFile), corpus)
	writeRows(ctx, filepath.Join(dir, rowsFile), corpus, "ltc")
	counts := writeRows(ctx, filepath.Join(dir, matrixFile), corpus, "tf")
	sizes := make([]int, len(counts.Classes))
	for _, class := range counts.LabelOf {
		sizes[class]++
	}
	lengths := make([]int, len(docs))
	for i, doc := range docs {
		lengths[i] = len(doc.Text)
	}
	return shape{min(d.top, corpus.Terms()), slices.Max(sizes), lengths}
}

// writeTexts writes the texts; a NUL within one, a separator of tokens for
// everybody, becomes a space.
func writeTexts(path string, docs []document.Document) {
	var all []byte
	for _, d := range docs {
		text := bytes.ToValidUTF8(d.Text, []byte(" "))
		all = append(all, bytes.ReplaceAll(text, []byte{0}, []byte(" "))...)
		all = append(all, 0)
	}
	lab.Check(os.WriteFile(path, all, 0o600))
}

func writeIndex(path string, c *corpus.Corpus) {
	writeFile(path, func(w io.Writer) { lab.Need(c.WriteTo(w)) })
}

// writeColumns stores slices one behind the other.
func writeColumns(path string, columns ...any) {
	writeFile(path, func(w io.Writer) {
		for _, column := range columns {
			lab.Check(binary.Write(w, binary.LittleEndian, column))
		}
	})
}

// writeFile makes a file.
func writeFile(path string, write func(w io.Writer)) {
	file := lab.Need(os.Create(path))
	w := bufio.NewWriterSize(file, 1<<20)
	write(w)
	lab.Check(errors.Join(w.Flush(), file.Close()))
}
