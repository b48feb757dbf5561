package usage

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"chi", "chitf", "ig", "porter", "porter2", "porter-long"}
	for name, want := range map[string][]string{
		"chy": {"chi"}, "portr": {"porter"}, "porter1": {"porter", "porter2"}, "hci": {"chi"}, "gi": {"ig"}, "potrer2": {"porter2", "porter"}, "": {}, "zzzz": {},
		strings.Repeat("x", 1000): {},
	} {
		if got := Nearest(name, slices.Values(known)); !slices.Equal(got, want) {
			t.Errorf("%.20q: %q, want %q", name, got, want)
		}
	}
}
