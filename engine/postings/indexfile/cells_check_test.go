package indexfile

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// The look at bytes refuses what the look at numbers refuses, and sums that are not whole, and
// gives the same cells and tokens.
func TestCellsAreCheckedAsBytesOrAsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	for _, multi := range []bool{false, true} {
		for _, docs := range []int{60, 2500} { // without escapes, and with many
			data := written(t, build(t, randomSource(82, docs, multi, false)), WriteOptions{Cells: true})
			x := must(decode(data, nil))
			from, to := sectionPlace(x, cellTerms), sectionPlace(x, weightSection)
			taken, refused := 0, 0
			for i := range 1500 {
				edited := slices.Clone(data)
				if i > 0 {
					at := from + r.IntN(to-from)
					edited[at] += byte(1 + r.IntN(3)*r.IntN(2)*80)
				}
				faults.SealIndex(edited)
				y, err := decode(edited, nil)
				if err != nil {
					continue
				}
				got, err := fileOf(y).storedTable(t.Context())
				want, other := storedAsNumbers(t, y)
				switch {
				case err == nil && other == nil:
					taken++
					sameStatistics(t, got, want)
					checkClassSets(t, got)
				case err == nil, other == nil && !strings.Contains(err.Error(), "whole number"):
					t.Fatalf("edit %d, several labels %v: as bytes %v, as numbers %v", i, multi, err, other)
				default:
					refused++
				}
			}
			if taken == 0 || refused == 0 {
				t.Errorf("several labels %v: %d edits were taken, %d refused", multi, taken, refused)
			}
		}
	}
}

// checkClassSets fails unless the sets of classes that were made with the cells are those of the cells.
func checkClassSets(t *testing.T, s *table.Table) {
	t.Helper()
	want := make([]uint64, s.Cells.Terms())
	s.Cells.SetsOfClasses(want, 0, len(want))
	if !kernels.HasSets() {
		want = nil
	}
	if !slices.Equal(s.ClassSets, want) {
		t.Fatalf("the sets of classes are %x, those of the cells %x", s.ClassSets, want)
	}
}

// storedAsNumbers is storedTable by the way of real values.
func storedAsNumbers(t *testing.T, x *postings.Index) (*table.Table, error) {
	f, s := fileOf(x), x.EmptyTable()
	if err := f.loadCells(s); err != nil {
		return nil, err
	}
	return s, f.checkSums(t.Context(), s)
}
