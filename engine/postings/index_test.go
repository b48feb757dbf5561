package postings

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The counts are those of Read, behind what is there already.
func TestAppendCounts(t *testing.T) {
	for _, recipe := range recipes {
		x := build(recipe.source(5))
		if x.Real() {
			continue
		}
		var p List
		counts := []uint32{7}
		for term := range x.Terms.Len() {
			x.Read(term, &p)
			counts = testkit.Must(x.AppendCounts(counts[:1], term))
			if len(counts) != 1+len(p.TF) || counts[0] != 7 {
				t.Fatalf("%s: %d counts of %d", recipe.name, len(counts), len(p.TF))
			}
			for i, tf := range p.TF {
				if float64(counts[1+i]) != tf {
					t.Fatalf("%s: term %d has %v, want %v", recipe.name, term, counts[1:], p.TF)
				}
			}
		}
	}
}
