package reader

import (
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/parquetfile"
)

// newsgroupsParquet returns the training documents of 20 Newsgroups as Parquet, with zstd and
// pages of a megabyte, as most writers make them.
func newsgroupsParquet(b *testing.B) []byte {
	id := parquetfile.Column{Name: "id", Type: parquetfile.ByteArray}
	label := parquetfile.Column{Name: "label", Type: parquetfile.ByteArray}
	text := parquetfile.Column{Name: "text", Type: parquetfile.ByteArray, Optional: true}
	for _, d := range newsgroups(b) {
		id.Cells, label.Cells, text.Cells = append(id.Cells, d.ID), append(label.Cells, d.Labels[0]), append(text.Cells, string(d.Text))
	}
	return parquetfile.File{Columns: []parquetfile.Column{id, label, text}, Codec: parquetfile.Zstd, PageEntries: 500}.Bytes()
}

// BenchmarkParquet measures a file of Parquet, on one goroutine and without analysis, beside
// the same documents as JSON lines, by bytes of text.
func BenchmarkParquet(b *testing.B) {
	lines := textLines(b, newsgroups(b))
	documents, size := plainJSON(lines)
	file := testkit.Write(filepath.Join(b.TempDir(), "20news.parquet"), newsgroupsParquet(b))
	for _, impl := range []struct {
		name string
		read func() (int, int)
	}{
		{"termsift", func() (int, int) { return readFile(b, file) }},
		{"jsonl", func() (int, int) { return readOnce(b, lines, JSONL) }},
	} {
		b.Run("impl="+impl.name+"/set=20news", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if d, n := impl.read(); d != documents || n != size {
					b.Fatalf("%d documents that hold %d, want %d and %d", d, n, documents, size)
				}
			}
		})
	}
}

// readFile reads a file and counts its documents and the bytes of their texts.
func readFile(b *testing.B, file string) (documents, size int) {
	s := testkit.Must(Read(b.Context(), []string{file}, Options{}))
	for d := range testkit.All(s.Documents()) {
		documents++
		size += len(d.Text)
	}
	return documents, size
}
