package compare_test

import (
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/compare"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
)

// Table 2 of the OCFS paper, on the five computer groups: information gain and
// chi-square have far more terms in common than either has with OCFS, which shares
// about half at 1000. The paper prints 9 85 831 9096, 7 62 532 6494 and 6 55 509 6530;
// its tokenizer is not known.
func TestNewsgroupsOverlaps(t *testing.T) {
	c := enginetest.NewsgroupsCorpus(t, "train", "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware", "comp.windows.x")
	rankings := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: "ig"}, rank.Options{Measure: "chi", Combine: "avg"}, rank.Options{Measure: "ocfs", Weight: "ltc"}))
	compared := compared(t, compare.Options{}, rankings)
	var shared [][]int
	for _, p := range compared.Pairs {
		var row []int
		for _, at := range p.At {
			row = append(row, at.Shared)
		}
		shared = append(shared, row)
	}
	want := [][]int{{10, 89, 858, 9302}, {8, 82, 591, 6725}, {8, 76, 518, 6469}}
	testkit.Same(t, shared, want, "ig and chi, ig and ocfs, chi and ocfs")
	// Two of the paper's terms that only one method has among its ten.
	testkit.Equal(t, slices.Contains(listed(compared.Only(10, 2, 1)), "drive"), true, "only ocfs")
	testkit.Equal(t, slices.Contains(listed(compared.Only(10, 1, 2)), "x11r5"), true, "only chi")
}
