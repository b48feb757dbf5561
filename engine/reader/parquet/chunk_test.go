package parquet

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/parquetfile"
	"github.com/termsift/termsift/engine/usage"
)

// Headers of any length are read, as those of writers that put the largest text into them, among
// pages that are shorter and longer than what is read for a header.
func TestLongHeaders(t *testing.T) {
	f := table(24)
	for i := range f.Columns[1].Cells {
		f.Columns[1].Cells[i] = strings.Repeat("x", i*i*i) // up to 12,167 bytes
	}
	want := expected(f)
	for _, length := range []int{1, 100, leastHeader - 60, leastHeader, headerRoom - 100, headerRoom, 4*headerRoom - 60, 5 * headerRoom} {
		for _, entries := range []int{1, 5, 0} {
			for _, v2 := range []bool{false, true} {
				f.PageEntries, f.V2 = entries, v2
				n := 0
				f.Edit = func(p *parquetfile.Page) {
					if n++; n%2 == 0 {
						p.Largest = strings.Repeat("y", length)
					}
				}
				rows, err := readAll(f.Bytes())
				if err != nil {
					t.Fatalf("%d bytes, pages of %d: %v", length, entries, err)
				}
				if render(rows, namesOf(f)) != want {
					t.Fatalf("%d bytes, pages of %d: other rows", length, entries)
				}
			}
		}
	}
	f.Edit = func(p *parquetfile.Page) { p.Largest = strings.Repeat("y", 2*mostHeader) }
	if _, err := readAll(f.Bytes()); !errors.Is(err, usage.ErrData) || !strings.Contains(err.Error(), "a text is longer than what is left") {
		t.Errorf("a header of %d bytes: %v", 2*mostHeader, err)
	}
}

// A shrinkingFile loses its end once it has been opened.
type shrinkingFile struct {
	*bytes.Reader
	size int64 // that it has then
	err  error // beyond it
}

func (f *shrinkingFile) ReadAt(p []byte, offset int64) (int, error) {
	if left := max(f.size-offset, 0); int64(len(p)) > left {
		n, _ := f.Reader.ReadAt(p[:left], offset)
		return n, f.err
	}
	return f.Reader.ReadAt(p, offset)
}

// A file that is cut while it is read, or cannot be read on, gives that as its error.
func TestShrinkingFile(t *testing.T) {
	f := table(60)
	for i := range f.Columns[1].Cells {
		f.Columns[1].Cells[i] = strings.Repeat("x", 1000)
	}
	f.PageEntries = 20 // longer than what is read for a header
	data := f.Bytes()
	broken := errors.New("the disk is broken")
	for _, end := range []error{io.EOF, broken} {
		for size := int64(4); size < int64(len(data))*9/10; size += 97 {
			r := &shrinkingFile{bytes.NewReader(data), int64(len(data)), end}
			file := testkit.Must(Open(r, r.size, testLimits))
			r.size = size
			rows, err := file.cutRows(1, 5)
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = rows.next()
			}
			if err == io.EOF || end == broken && err != broken || end == io.EOF && !errors.Is(err, usage.ErrData) {
				t.Fatalf("cut to %d of %d bytes: %v", size, len(data), err)
			}
		}
	}
}
