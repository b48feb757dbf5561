package matrix

import (
	"slices"
	"strconv"
	"testing"
)

// decimal gives all numbers in the order of their decimals.
func TestDecimal(t *testing.T) {
	for _, n := range []uint64{1, 2, 9, 10, 11, 19, 20, 21, 99, 100, 101, 109, 110, 111, 190, 1000, 1001, 12_345, 130_107} {
		want := make([]string, n)
		for i := range want {
			want[i] = strconv.Itoa(i)
		}
		slices.Sort(want)
		d := decimal{n: n}
		for i := range want {
			if got := strconv.FormatUint(d.at, 10); got != want[i] {
				t.Fatalf("number %d below %d is %s, want %s", i, n, got, want[i])
			}
			d.next()
		}
	}
}
