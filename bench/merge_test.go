package bench

import (
	"io"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/postings/indexfile"
)

// BenchmarkMerge merges two indexes of a set's size each into a file that nobody
// keeps: without cells, with cells that are in both, and with cells of lists.
func BenchmarkMerge(b *testing.B) {
	forSets(b, "S,M,L", func(b *testing.B, s *set) {
		p := params(b, s.name)
		p.Seed++
		shards := []*postings.Index{s.index, build(b, generated(b, p))}
		merged := s.postings() + float64(shards[1].NumPostings())
		merge := func(name string, shards []*postings.Index, cells bool) {
			b.Run("impl=engine"+name+"/set="+s.name, func(b *testing.B) {
				loop(b, func() {
					opt := indexfile.MergeOptions{Cells: cells, Threads: runtime.GOMAXPROCS(0), Dir: b.TempDir()}
					testkit.OK(indexfile.Merge(b.Context(), io.Discard, shards, opt))
				})
				per(b, "posting", merged)
			})
		}
		merge("", shards, false)
		merge("/cells=counted", shards, true)
		var opened []*postings.Index
		for _, x := range shards {
			path := filepath.Join(b.TempDir(), "x.idx")
			testkit.OK(files.Write(b.Context(), files.OS{}, path, func(w io.Writer) error {
				_, err := indexfile.Write(b.Context(), w, x, indexfile.WriteOptions{Cells: true})
				return err
			}))
			opened = append(opened, must(indexfile.Open(path, indexfile.OpenOptions{})))
		}
		merge("/cells=added", opened, true)
		for _, x := range opened {
			testkit.OK(x.Close())
		}
	})
}
