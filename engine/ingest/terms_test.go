package ingest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A name has the same number in every list, and no other name has that number.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][]int{{0}, {5}, {0, 0}, {0, 9}, {1000, 800}, {3000, 1, 2000, 0, 2500}} {
		var lists [][]string
		for _, size := range sizes {
			list := []string{}
			for _, n := range r.Perm(3000)[:size] {
				list = append(list, strconv.Itoa(n*n))
			}
			lists = append(lists, list)
		}
		if len(lists[0]) > 2 {
			lists[0][2] = "" // a term may be empty
		}
		for _, threads := range []int{1, 3} {
			names, number, err := mergeNames(t.Context(), threads, lists)
			testkit.OK(err)
			if !slices.Equal(names[:len(lists[0])], lists[0]) || number[0] != nil {
				t.Fatalf("%v: the first list was renumbered", sizes)
			}
			distinct := map[string]bool{}
			for l, list := range lists {
				for i, name := range list {
					distinct[name] = true
					if l > 0 && names[number[l][i]] != name {
						t.Fatalf("%v: %q is number %d, which is %q", sizes, name, number[l][i], names[number[l][i]])
					}
				}
			}
			testkit.Equal(testkit.Stop(t), len(distinct), len(names), sizes, "names for")
		}
	}
}

// BenchmarkMerge merges the terms of two workers, and those that fifteen have beside a first one, of
// which most are in several lists.
func BenchmarkMerge(b *testing.B) {
	two := make([][]string, 2)
	for n := range 150_000 {
		name := "w" + strconv.Itoa(n*7919)
		if n < 130_000 {
			two[0] = append(two[0], name)
		}
		if n >= 60_000 {
			two[1] = append(two[1], name)
		}
	}
	r, fifteen := rand.New(rand.NewPCG(1, 2)), make([][]string, 15)
	for l := range fifteen {
		seen := map[int]bool{}
		for range 40_000 {
			term := int(60_000 * r.Float64() * r.Float64())
			if r.IntN(4) == 0 {
				term = 100_000 + r.IntN(1<<30)
			}
			if !seen[term] {
				seen[term] = true
				fifteen[l] = append(fifteen[l], "word"+strconv.Itoa(term))
			}
		}
	}
	for _, lists := range [][][]string{two, fifteen} {
		terms, distinct := 0, map[string]bool{}
		for _, list := range lists {
			terms += len(list)
			for _, name := range list {
				distinct[name] = true
			}
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("threads=%d/lists=%d", threads, len(lists)), func(b *testing.B) {
				for b.Loop() {
					if names, _, err := mergeNames(b.Context(), threads, lists); err != nil || len(names) != len(distinct) {
						b.Fatal(len(names), err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(terms), "ns/term")
			})
		}
	}
}
