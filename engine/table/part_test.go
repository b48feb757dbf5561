package table

import (
	"errors"
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	of := func(n int, numbers ...int) *Part { return &Part{Numbers: numbers, Of: n} }
	for name, c := range map[string]struct {
		parts []*Part
		want  string // of the result, or in the error
		fails bool
	}{
		"some":          {[]*Part{of(4, 3), of(4, 0, 2)}, "part 0,2,3 of 4", false},
		"all":           {[]*Part{of(3, 1, 2), of(3, 0)}, "the whole", false},
		"twice":         {[]*Part{of(3, 1, 2), of(3, 1)}, "of part 1,1,2 of 3 one is given twice", true},
		"another split": {[]*Part{of(3, 1), of(4, 2)}, "part 2 of 4 is of another split, into 3", true},
		"the whole":     {[]*Part{of(3, 1), nil}, "one is the whole", true},
		"no number":     {[]*Part{of(3)}, "must be parts", true},
		"too large":     {[]*Part{of(3, 3)}, "one is part 3 of 3", true},
		"negative":      {[]*Part{of(3, -1, 0)}, "one is part -1,0 of 3", true},
		"out of order":  {[]*Part{of(3, 1, 0)}, "one is part 1,0 of 3", true},
		"many":          {[]*Part{of(99, 0, 1, 2, 3, 4), of(99, 5, 6, 7, 8)}, "part 0,1,2,3,4,5,6,7,... (9 numbers) of 99", false},
	} {
		got, err := joinParts(c.parts)
		text := got.String()
		if err != nil {
			text = err.Error()
		}
		if c.fails != errors.Is(err, ErrParts) || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

func TestIs(t *testing.T) {
	a, b := &Part{[]int{1}, 3}, &Part{[]int{1}, 3}
	if !a.Is(b) || a.Is(nil) || (*Part)(nil).Is(a) || !(*Part)(nil).Is(nil) || a.Is(&Part{[]int{1}, 4}) || a.Is(&Part{[]int{1, 2}, 3}) {
		t.Error("parts are told apart wrongly")
	}
}
