package usage

import (
	"errors"
	"strings"
	"testing"
)

// A percentage and a number with a point are shares, of which 100 % is all; a whole number is a
// number of things.
func TestParseBound(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "5": 5, "1e3": 1000, "0.5": .5, ".5": .5, "5e-1": .5, "50%": .5, "0.0": 0, "0%": 0, "1%": .01, "0.5%": .005, "1.%": .01,
		"1.0": All, "1.": All, "1.0e0": All, "100%": All, "100.0%": All, "1e2%": All,
	} {
		if got, err := ParseBound("--least", text); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "%", "x", "-1", "-0.5", "-1%", "1.5", "2.0", "5.0", "100.1%", "101%", "1000%", "NaN", "NaN%", "Inf", "1e999", "50 %", "50%%", "1,5"} {
		if v, err := ParseBound("--least", text); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "--least is a number") {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
}
