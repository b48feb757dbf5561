package reader

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// BenchmarkPacked measures compressed lines to documents: as one unit, as units that are
// decompressed side by side, and as eight files.
func BenchmarkPacked(b *testing.B) {
	lines := textLines(b, newsgroups(b))
	file := func(name string, data []byte) string {
		name = filepath.Join(b.TempDir(), name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			b.Fatal(err)
		}
		return name
	}
	var files []string
	cut := openLines(nil, "")
	for rest := lines; len(rest) > 0; {
		n, err := cut.cut(rest[:min(len(rest), len(lines)/8+1)], len(rest) <= len(lines)/8+1, "")
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, file(fmt.Sprint(len(files), ".jsonl.gz"), zip(b, rest[:n])))
		rest = rest[n:]
	}
	for _, c := range []struct {
		impl   string
		inputs []string
	}{
		{"gzip", []string{file("one.gz", zip(b, lines))}},
		{"bgzip", []string{file("bgzf.gz", bgzfOf(b, lines))}},
		{"gzipfiles", files},
		{"zstd", []string{file("one.zst", framesOf(b, lines, len(lines)))}},
		{"pzstd", []string{file("many.zst", framesOf(b, lines, 1<<20))}},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("impl=%s/threads=%d/set=20news", c.impl, threads), func(b *testing.B) {
				b.SetBytes(int64(len(lines)))
				for b.Loop() {
					if n := countBeside(b, threads, c.inputs); n != 11_314 {
						b.Fatal(n)
					}
				}
			})
		}
	}
}

// countBeside counts the documents of inputs on threads.
func countBeside(b *testing.B, threads int, inputs []string) (documents int) {
	s, err := Read(b.Context(), inputs, Options{Threads: threads})
	if err != nil {
		b.Fatal(err)
	}
	err = pool.Feed(b.Context(), threads, s.Batches(), func(_, _ int, batch document.Stream) error {
		for _, err := range batch {
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s.Summary().Documents
}
