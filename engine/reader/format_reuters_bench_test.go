package reader

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// BenchmarkReuters measures SGML to documents on one core: the parser alone on the
// whole collection in memory, and a Source on its files, on one in memory, which a
// second goroutine reads ahead, and on the archive.
func BenchmarkReuters(b *testing.B) {
	archive, dir := unpacked(b, "reuters21578.tar.gz")
	files := testkit.Must(filepath.Glob(filepath.Join(dir, "*.sgm")))
	var all []byte
	for _, file := range files {
		data := testkit.Must(os.ReadFile(file))
		all = append(all, data...)
	}
	for _, split := range []string{"all", "test"} {
		b.Run("impl=parser/split="+split+"/set=reuters", func(b *testing.B) { benchmarkReutersParser(b, all, split) })
	}
	for _, c := range []struct {
		impl   string
		inputs []string
	}{{"files", files}, {"directory", []string{dir}}, {"memory", []string{"-"}}, {"archive", []string{archive}}} {
		b.Run("impl="+c.impl+"/split=all/set=reuters", func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			b.ReportAllocs()
			for b.Loop() {
				s := testkit.Must(Read(b.Context(), c.inputs, Options{Stdin: bytes.NewReader(all)}))
				documents := 0
				for range testkit.All(s.Documents()) {
					documents++
				}
				if documents != 21578 {
					b.Fatal(documents)
				}
			}
		})
	}
}

func benchmarkReutersParser(b *testing.B, all []byte, split string) {
	s := testkit.Must(Read(b.Context(), nil, Options{Split: split}))
	parse := func(p *parser, f *frame) error { return p.of(layoutOf(Reuters))(nil, f) }
	want := map[string]int{"all": 21578, "test": 3299}[split]
	b.SetBytes(int64(len(all)))
	b.ReportAllocs()
	for b.Loop() {
		documents := 0
		err := s.parse(frame{data: all, parse: parse}, func(document.Document) error {
			documents++
			return nil
		})
		if err != nil || documents != want {
			b.Fatal(documents, err)
		}
	}
}
