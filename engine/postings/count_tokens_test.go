package postings

import (
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The length of a run is found for every length, whatever comes behind it, and the sizes of
// classes are those of counting them.
func TestRunLength(t *testing.T) {
	for n := 1; n < 70; n++ {
		for behind := range 20 {
			labels := slices.Repeat([]uint32{3}, n)
			for i := range behind {
				labels = append(labels, uint32(4+i/5))
			}
			testkit.Equal(testkit.Stop(t), runLength(labels), n, "of", labels)
			x := New(Memory{Classes: make([]string, 9), LabelOf: labels}, nil, nil)
			want := make([]uint32, 9)
			for _, class := range labels {
				want[class]++
			}
			testkit.EqualSlices(testkit.Stop(t), x.ClassSizes(), want, "of", labels)
		}
	}
}
