package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// A Part says which terms there are after corpus.Statistics.Split: those whose hash modulo Of
// is one of Numbers, which ascend.
type Part struct {
	Numbers []int `json:"numbers"`
	Of      int   `json:"of"`
}

// Is reports whether p and o have the terms of the same numbers; nil is the whole.
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
	return fmt.Sprintf("part %s of %d", numbersText(p.Numbers), p.Of)
}

// numbersText returns numbers in words, a few of them.
func numbersText(numbers []int) string {
	const most = 8
	text := ""
	for i, n := range numbers[:min(len(numbers), most)] {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(n)
	}
	if len(numbers) > most {
		text += fmt.Sprintf(",... (%d numbers)", len(numbers))
	}
	return text
}

// ErrParts is wrapped by errors for parts of statistics that do not fit together.
var ErrParts = usage.NewError(usage.ErrContradiction, "parts that do not fit together")

// DifferentParts returns the error for adding two different parts. a and b name what they
// are parts of.
func DifferentParts(part, other *Part, a, b string) error {
	return fmt.Errorf("%w: %s is %s, and %s is %s: add up the same part of each, then join the parts", ErrParts, a, part, b, other)
}

// takeParts returns the part that all shards are, and the shards without it. Different
// parts do not add up, and are a [DifferenceError].
func takeParts(shards []Provenance, name func(int) string) (*Part, []Provenance, error) {
	part, whole := shards[0].Part, slices.Clone(shards)
	for i := range whole {
		if !part.Is(whole[i].Part) {
			return nil, nil, DifferentParts(part, whole[i].Part, name(0), name(i))
		}
		whole[i].Part = nil
	}
	return part, whole, nil
}

// JoinParts returns the provenance of the terms of several parts of the same whole, in any
// order. It is an [ErrParts] if they have a number twice, or are not of the same whole.
func JoinParts(parts []Provenance) (Provenance, error) {
	if len(parts) == 0 {
		return Provenance{}, usage.Errorf("nothing to join")
	}
	whole := parts[0]
	joined := Part{}
	for _, p := range parts {
		part := p.Part
		p.Part = nil
		switch {
		case !part.valid():
			return Provenance{}, fmt.Errorf("%w: what is joined must be parts of a whole, and one is %s", ErrParts, part)
		case joined.Of == 0:
			joined.Of, whole = part.Of, p
		case joined.Of != part.Of:
			return Provenance{}, fmt.Errorf("%w: %s is of another split, into %d", ErrParts, part, joined.Of)
		case !sameRecord(p, whole):
			return Provenance{}, fmt.Errorf("%w: %s is of other documents than %s, or they were read otherwise", ErrParts, part, parts[0].Part)
		}
		joined.Numbers = append(joined.Numbers, part.Numbers...)
	}
	slices.Sort(joined.Numbers)
	if n := len(slices.Compact(slices.Clone(joined.Numbers))); n < len(joined.Numbers) {
		return Provenance{}, fmt.Errorf("%w: of %s one is given twice", ErrParts, &joined)
	}
	if len(joined.Numbers) < joined.Of {
		whole.Part = &joined
	}
	return whole, nil
}

// sameRecord reports whether two records say the same, whether or not they come from a file.
func sameRecord(a, b Provenance) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// valid reports whether p is a part as a split makes it.
func (p *Part) valid() bool {
	if p == nil || len(p.Numbers) == 0 || p.Numbers[0] < 0 || p.Numbers[len(p.Numbers)-1] >= p.Of {
		return false
	}
	return slices.IsSorted(p.Numbers)
}
