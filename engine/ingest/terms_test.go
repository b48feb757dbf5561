package ingest

import (
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
