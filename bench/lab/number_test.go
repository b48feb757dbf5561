package lab

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.41: "0.410", 0.0412345: "0.0412", 1.6: "1.60", 9.996: "10.0", 12.34: "12.3", 99.96: "100",
		162.4: "162", 999.6: "1,000", 2741: "2,741", 137185606: "137,185,606", -1234: "-1,234", math.Inf(1): "+Inf",
	} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
