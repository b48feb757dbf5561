package reader

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
)

// BenchmarkCSV reads the reviews from a file that is not compressed.
func BenchmarkCSV(b *testing.B) {
	file, size := unpackedReviews(b)
	const rows, text = 62774, 10_620_488 // bytes of the reviews
	check := func(b *testing.B, n, bytes int) {
		b.Helper()
		if n != rows || bytes != text {
			b.Fatalf("%d reviews with %d bytes", n, bytes)
		}
	}
	b.Run("impl=termsift/set=shopping", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			s := testkit.Must(Read(b.Context(), []string{file}, Options{TextField: "review", LabelField: "cat"}))
			n, bytes := 0, 0
			for d := range testkit.All(s.Documents()) {
				n++
				bytes += len(d.Text)
			}
			check(b, n, bytes)
		}
	})
	b.Run("impl=encoding-csv/set=shopping", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			n, bytes := readPlainly(b, file)
			check(b, n, bytes)
		}
	})
}

// readPlainly is what one would write with encoding/csv: no ids, no places.
func readPlainly(b *testing.B, file string) (n, bytes int) {
	b.Helper()
	in := testkit.Must(os.Open(file))
	defer in.Close()
	r := csv.NewReader(bufio.NewReaderSize(in, bufferBytes))
	r.ReuseRecord = true
	testkit.Must(r.Read())
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return n, bytes
		}
		if err != nil {
			b.Fatal(err)
		}
		if !utf8.ValidString(row[0]) || !utf8.ValidString(row[2]) {
			b.Fatal("not UTF-8")
		}
		n++
		bytes += len(row[2])
	}
}

// unpackedReviews gives a file of the reviews and its size.
func unpackedReviews(b *testing.B) (file string, size int64) {
	b.Helper()
	packed := testkit.Must(os.Open(testkit.Corpus(b, "online_shopping_10_cats.csv.gz")))
	defer packed.Close()
	z := testkit.Must(gzip.NewReader(packed))
	file = filepath.Join(b.TempDir(), "reviews.csv")
	out := testkit.Must(os.Create(file))
	size = testkit.Must(io.Copy(out, z))
	testkit.OK(out.Close())
	return file, size
}
