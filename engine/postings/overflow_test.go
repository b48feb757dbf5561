package postings_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// Squares of counts below 2^32 add up beyond 64 bits.
func TestSquaresDoNotOverflow(t *testing.T) {
	const most = 1<<32 - 1
	for _, both := range []bool{false, true} {
		for _, n := range []int{3, 40, 100} {
			t.Run(fmt.Sprint(n, both), func(t *testing.T) {
				src := postings.Source{Classes: []string{"a", "b", "c"}, LabelStart: []uint32{0}, Names: []string{"x", "y"}}
				src.DocStart = []uint64{0}
				for i := range n {
					src.IDs = append(src.IDs, fmt.Sprint(i))
					src.Labels = append(src.Labels, 0)
					if both {
						src.Labels = append(src.Labels, 1)
					}
					src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
					src.Terms, src.Counts = append(src.Terms, 0), append(src.Counts, most)
					src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
				}
				src.IDs, src.Labels = append(src.IDs, "c"), append(src.Labels, 2)
				src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
				src.Terms, src.Counts = append(src.Terms, 0, 1), append(src.Counts, 7, 300)
				src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
				x := testkit.Must(postings.Build(t.Context(), src, postings.BuildOptions{Threads: 1}))
				s := testkit.Must(x.Count(t.Context(), postings.CountOptions{Threads: 1}))
				var first table.Tile
				s.Cells.Read(&first, 0, 1, true)
				for i, q := range first.Q {
					want := float64(n) * most * most
					if first.Class[i] == 2 {
						want = 49
					}
					testkit.Close(t, q, want, 0, 1e-15*want, "Q of class", first.Class[i])
				}
			})
		}
	}
}

// A part of real values leaves sums that a file can hold, and what is no part is an error.
func TestDifferenceOfRealValuesCanBeWritten(t *testing.T) {
	of := func(values ...float64) *table.Table {
		src := postings.Source{Classes: []string{"a"}, LabelStart: []uint32{0}, Names: []string{"x"}}
		src.DocStart = []uint64{0}
		for i, v := range values {
			src.IDs, src.Labels = append(src.IDs, fmt.Sprint(i)), append(src.Labels, 0)
			src.LabelStart = append(src.LabelStart, uint32(i+1))
			src.Terms, src.Values = append(src.Terms, 0), append(src.Values, v)
			src.DocStart = append(src.DocStart, uint64(i+1))
		}
		x := testkit.Must(postings.Build(t.Context(), src, postings.BuildOptions{Threads: 1}))
		return testkit.Must(x.Count(t.Context(), postings.CountOptions{Threads: 1}))
	}
	all, part := of(1e-18, .1, .2, .3), of(.3, .2, .1)
	rest := testkit.Must(table.SubCounts(all, part))
	var first table.Tile
	rest.Cells.Read(&first, 0, 1, true)
	if first.S[0] < 0 || first.Q[0] < 0 || first.CF[0] < 0 || rest.Cells.Tokens < 0 {
		t.Errorf("%+v", rest)
	}
	var file bytes.Buffer
	testkit.Must(store.WriteTable(&file, rest, nil))
	if _, _, err := store.DecodeTable(file.Bytes()); err != nil {
		t.Error(err)
	}
	testkit.Fails(t, testkit.Err(table.SubCounts(of(1, 2, 3), of(4, 5))), "larger values are a part of smaller ones")
	testkit.Fails(t, testkit.Err(table.SubCounts(part, all)), "the whole is a part of its part")
	all.Cells.Append(0, 1, math.Inf(1), 1)
	all.Cells.EndTerm(1, 1)
	testkit.Fails(t, testkit.Err(store.WriteTable(&file, all, nil)), "an infinite sum is written")
}
