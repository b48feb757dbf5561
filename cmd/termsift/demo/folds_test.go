package demo

import (
	"testing"
	"time"
)

func TestDemoTimesKeepTheirWidth(t *testing.T) {
	for d, want := range map[time.Duration]string{
		400 * time.Microsecond: "0.4", 99900 * time.Microsecond: "99.9", 99960 * time.Microsecond: "100",
		101400 * time.Microsecond: "101", 9 * time.Second: "9000",
	} {
		if got := milliseconds(d); got != want || len(got) > 4 {
			t.Errorf("%v prints %q, not %q", d, got, want)
		}
	}
}
