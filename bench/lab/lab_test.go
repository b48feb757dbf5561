package lab

import (
	"slices"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		times []time.Duration
		want  time.Duration
	}{
		{[]time.Duration{7}, 7},
		{[]time.Duration{9, 1}, 5},
		{[]time.Duration{100, 1, 3}, 3},
		{[]time.Duration{4, 100, 1, 2}, 3},
	} {
		before := slices.Clone(c.times)
		if got := Median(c.times); got != c.want || !slices.Equal(c.times, before) {
			t.Errorf("%v: %d, want %d; afterwards %v", before, got, c.want, c.times)
		}
	}
}
