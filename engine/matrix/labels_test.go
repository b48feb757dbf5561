package matrix

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// Classes are numbered in the order of their names, the same by a table and by a search.
func TestNumber(t *testing.T) {
	names := make([]string, 12)
	for i := range names {
		names[i] = string(rune('z' - i))
	}
	for _, classes := range []int{12, 1 << 30} {
		y := &Labels{Classes: classes, Of: []int32{11, 2, -1, 10, 2}}
		given := names
		want := []string{"10", "11", "2"}
		of := []uint32{1, 2, 0, 2}
		if classes > 12 {
			given = nil
		} else {
			want, of = []string{"o", "p", "x"}, []uint32{0, 2, 1, 2}
		}
		d := testkit.Must(y.number(5, given))
		if !slices.Equal(d.Classes, want) || !slices.Equal(d.Of, of) || !slices.Equal(d.Start, []uint32{0, 1, 2, 2, 3, 4}) || d.Several {
			t.Errorf("%d classes: %+v", classes, d)
		}
	}
	d, err := (&Labels{Classes: 3, Of: []int32{2, 0, 2, -1}, Start: []int64{0, 3, 4}}).number(2, nil)
	if err != nil || !slices.Equal(d.Of, []uint32{0, 1}) || !slices.Equal(d.Start, []uint32{0, 2, 2}) || !d.Several {
		t.Errorf("several labels: %+v, %v", d, err)
	}
	docs := d.byClass()
	order, ends := docs.ByClass(nil)
	if !slices.Equal(order, []uint32{0, 0, 0, 1}) || !slices.Equal(ends, []int{1, 2, 4}) {
		t.Errorf("by class: %v, %v", order, ends)
	}
	if _, err := (&Labels{Classes: 3, Of: []int32{0, 3}}).number(2, nil); !errors.Is(err, usage.ErrData) || !strings.Contains(err.Error(), "Labels.Of[1]") {
		t.Error(err)
	}
}
