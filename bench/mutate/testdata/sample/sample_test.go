package sample

import "testing"

func TestSum(t *testing.T) {
	calls := 0
	if got := Sum(3, func(i int) bool { return i == 2 }, &calls); got != 12 {
		t.Error(got)
	}
}
