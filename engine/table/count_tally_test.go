package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The cells are those of a table of all terms and classes: of few and many classes, of no,
// one and several labels, of counts whose sums and squares take more than 32 bits, and of more
// documents than wait, in classes with more and with fewer cells than such a batch has postings.
func TestAgainstTables(t *testing.T) {
	for _, shape := range []struct {
		terms, classes, docs, labels int
		most                         uint32
	}{{10, 1, 20, 1, 3}, {200, 20, 300, 2, 3}, {50, 700, 3000, 3, 2}, {20, 5, 60, 3, 1 << 28}, {30, 9, 4, 0, 5}, {40, 33, 400, 33, 70_000}, {3000, 40, 900, 2, 20}, {3000, 300, 900, 2, 20}, {5, 2, 3000, 1, 3}} {
		r := rand.New(rand.NewPCG(uint64(shape.terms), 5))
		type sums struct{ docs, sum, squares uint64 }
		seen, all, tally := map[[2]uint32]sums{}, map[uint32]sums{}, NewTally()
		empty := 0
		for range shape.docs {
			var classes []uint32
			for _, c := range r.Perm(shape.classes)[:r.IntN(min(shape.labels, shape.classes)+1)] {
				classes = append(classes, uint32(c))
			}
			var terms, counts []uint32
			for _, term := range r.Perm(shape.terms)[:r.IntN(shape.terms)] {
				n := uint64(1 + r.Uint32N(shape.most))
				if r.IntN(2) == 0 {
					n = 1
				}
				terms, counts = append(terms, uint32(term)), append(counts, uint32(n))
				for _, c := range classes {
					s := seen[[2]uint32{uint32(term), c}]
					seen[[2]uint32{uint32(term), c}] = sums{s.docs + 1, s.sum + n, s.squares + n*n}
				}
				s := all[uint32(term)]
				all[uint32(term)] = sums{s.docs + 1, s.sum + n, 0}
			}
			if len(terms) == 0 {
				empty++
			}
			tally.Add(classes, terms, counts)
		}
		// Names in the order of the numbers, classes in the other.
		var terms, classes []string
		for i := range shape.terms {
			terms = append(terms, fmt.Sprintf("t%03d", i))
		}
		for c := range len(tally.classes) {
			classes = append(classes, fmt.Sprintf("c%04d", 9999-c))
		}
		s := testkit.Must(tally.Table(t.Context(), NamedBy(len(terms), func(id int) string { return terms[id] }), classes))
		if s.Names.Len() != len(all) || s.Cells.Len() != len(seen) || tally.EmptyDocuments() != empty || s.Documents() != shape.docs {
			t.Fatalf("%+v: %d terms of %d, %d cells of %d", shape, s.Names.Len(), len(all), s.Cells.Len(), len(seen))
		}
		var tile Tile
		for i := range s.Names.Len() {
			term := uint32(slices.Index(terms, s.Names.Term(i)))
			s.Cells.Read(&tile, i, i+1, true)
			if tile.DF[0] != uint32(all[term].docs) || tile.CF[0] != float64(all[term].sum) || !slices.IsSorted(tile.Class) {
				t.Fatalf("%+v, term %d: %v, %v in a document, not %+v", shape, term, tile.DF[0], tile.CF[0], all[term])
			}
			for j, c := range tile.Class {
				want := seen[[2]uint32{term, uint32(len(classes)-1) - c}]
				if tile.A[j] != float64(want.docs) || tile.S[j] != float64(want.sum) || !testkit.Near(tile.Q[j], float64(want.squares), 1e-14, 0) {
					t.Fatalf("%+v, term %d: %v, %v, %v, not %+v", shape, term, tile.A[j], tile.S[j], tile.Q[j], want)
				}
			}
			if i > 0 && s.Cells.DF[i] > s.Cells.DF[i-1] {
				t.Fatal("out of order")
			}
		}
	}
}
