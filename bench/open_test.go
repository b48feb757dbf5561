package bench

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/store"
)

// BenchmarkOpen opens an index file whose pages the system has: alone, with the
// score of one term, and with the best 10,000 by chi. A new process opens it once, so
// that nothing is kept from one round to the next.
func BenchmarkOpen(b *testing.B) {
	forSets(b, "20ng,S,M,L", func(b *testing.B, s *set) {
		path := filepath.Join(b.TempDir(), "x.idx")
		file := testkit.Must(os.Create(path))
		n := testkit.Must(s.corpus.Write(b.Context(), file, corpus.SaveOptions{}))
		testkit.OK(file.Close())
		for _, how := range []struct {
			impl string
			opt  corpus.OpenOptions
		}{{"mapped", corpus.OpenOptions{}}, {"read", corpus.OpenOptions{Read: true}}, {"verified", corpus.OpenOptions{Verify: true}}} {
			for _, then := range []struct {
				what string
				do   func(b *testing.B, c *corpus.Corpus)
			}{
				{"open", func(*testing.B, *corpus.Corpus) {}},
				{"list", firstList},
				{"chi", func(b *testing.B, c *corpus.Corpus) {
					rankBy(b, c, []rank.Options{{Measure: "chi", Threads: 1}})[0].Top(10000)
				}},
			} {
				b.Run("impl="+how.impl+"/what="+then.what+"/set="+s.name, func(b *testing.B) {
					loop(b, func() {
						c := testkit.Must(corpus.Open(path, how.opt))
						then.do(b, c)
						testkit.OK(c.Close())
					})
					b.ReportMetric(float64(n), "file-bytes")
					b.ReportMetric(withoutNames(b, path)/s.postings(), "B/posting")
				})
			}
		}
	})
}

// withoutNames is how many bytes of a file are not the names of the documents.
func withoutNames(b *testing.B, path string) (n float64) {
	b.Helper()
	x := testkit.Must(store.Open(path, store.OpenOptions{}))
	for _, s := range store.Sections(x) {
		if !strings.HasPrefix(s.Name, "document-") {
			n += float64(s.Bytes)
		}
	}
	testkit.OK(x.Close())
	return n
}

// firstList reads the documents of one term.
func firstList(b *testing.B, c *corpus.Corpus) {
	testkit.Must(c.Postings(c.Terms() / 2))
}

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
					opt := store.MergeOptions{Cells: cells, Threads: runtime.GOMAXPROCS(0), Dir: b.TempDir()}
					testkit.OK(store.Merge(b.Context(), io.Discard, shards, opt))
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
				_, err := store.Write(b.Context(), w, postings.Whole(x), store.WriteOptions{Cells: true})
				return err
			}))
			opened = append(opened, testkit.Must(store.Open(path, store.OpenOptions{})))
		}
		merge("/cells=added", opened, true)
		for _, x := range opened {
			testkit.OK(x.Close())
		}
	})
}
