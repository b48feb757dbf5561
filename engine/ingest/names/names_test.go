package names

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
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
			names, number, err := Merge(t.Context(), threads, lists)
			if err != nil {
				t.Fatal(err)
			}
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
			if len(distinct) != len(names) {
				t.Fatalf("%v: %d names for %d terms", sizes, len(names), len(distinct))
			}
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	lists := make([][]string, 2)
	for n := range 150_000 {
		name := "w" + strconv.Itoa(n*7919)
		if n < 130_000 {
			lists[0] = append(lists[0], name)
		}
		if n >= 60_000 {
			lists[1] = append(lists[1], name)
		}
	}
	for _, threads := range []int{1, 2} {
		b.Run("threads="+strconv.Itoa(threads), func(b *testing.B) {
			for b.Loop() {
				if names, _, err := Merge(b.Context(), threads, lists); err != nil || len(names) != 150_000 {
					b.Fatal(len(names), err)
				}
			}
		})
	}
}
