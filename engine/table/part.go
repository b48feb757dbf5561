package table

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// ErrParts is wrapped by errors for parts of statistics that do not fit together.
var ErrParts = usage.NewError(usage.ErrContradiction, "parts that do not fit together")

// A Part says which terms there are after Table.Split: those whose hash modulo Of
// is one of Numbers, which ascend. A nil Part is the whole.
type Part struct {
	Numbers []int `json:"numbers"`
	Of      int   `json:"of"`
}

// Is reports whether p and o have the terms of the same numbers.
func (p *Part) Is(o *Part) bool {
	if p == nil || o == nil {
		return p == o
	}
	return p.Of == o.Of && slices.Equal(p.Numbers, o.Numbers)
}

// String returns what p is: "part 3 of 16", or "the whole".
func (p *Part) String() string {
	if p == nil {
		return "the whole"
	}
	const most = 8
	text := ""
	for i, n := range p.Numbers[:min(len(p.Numbers), most)] {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(n)
	}
	if len(p.Numbers) > most {
		text += fmt.Sprintf(",... (%d numbers)", len(p.Numbers))
	}
	return fmt.Sprintf("part %s of %d", text, p.Of)
}

// valid reports whether p is a part as a split makes it.
func (p *Part) valid() bool {
	return p != nil && len(p.Numbers) > 0 && slices.IsSorted(p.Numbers) && p.Numbers[0] >= 0 && p.Numbers[len(p.Numbers)-1] < p.Of
}

// DifferentParts returns the error for adding two different parts. a and b name what they are parts
// of.
func differentParts(p, o *Part, a, b string) error {
	return fmt.Errorf("%w: %s is %s, and %s is %s: add up the same part of each, then join the parts", ErrParts, a, p, b, o)
}

// Join returns what several parts are together, nil for the whole. It is an [ErrParts] if one is
// no part, is of another split, or has a number that another has.
func joinParts(parts []*Part) (*Part, error) {
	joined := &Part{}
	for _, p := range parts {
		switch {
		case !p.valid():
			return nil, fmt.Errorf("%w: what is joined must be parts of a whole, and one is %s", ErrParts, p)
		case joined.Of == 0:
			joined.Of = p.Of
		case joined.Of != p.Of:
			return nil, fmt.Errorf("%w: %s is of another split, into %d", ErrParts, p, joined.Of)
		}
		joined.Numbers = append(joined.Numbers, p.Numbers...)
	}
	slices.Sort(joined.Numbers)
	if n := len(slices.Compact(slices.Clone(joined.Numbers))); n < len(joined.Numbers) {
		return nil, fmt.Errorf("%w: of %s one is given twice", ErrParts, joined)
	}
	if len(joined.Numbers) == joined.Of {
		return nil, nil
	}
	return joined, nil
}
