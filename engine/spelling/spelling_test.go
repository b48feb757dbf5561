package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"chi", "chitf", "ig", "porter", "porter2", "porter-paper"}
	for name, want := range map[string][]string{
		"chy": {"chi"}, "portr": {"porter"}, "porter1": {"porter", "porter2"}, "": {}, "zzzz": {},
		strings.Repeat("x", 1000): {},
	} {
		if got := Nearest(name, slices.Values(known)); !slices.Equal(got, want) {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}
