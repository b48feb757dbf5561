package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// takeParts returns the part that all shards are, and the shards without it. Different parts
// do not add up, which is a [ErrParts].
func takeParts(shards []Provenance, name func(int) string) (*Part, []Provenance, error) {
	first, whole := shards[0].Part, slices.Clone(shards)
	for i := range whole {
		if !first.Is(whole[i].Part) {
			return nil, nil, differentParts(first, whole[i].Part, name(0), name(i))
		}
		whole[i].Part = nil
	}
	return first, whole, nil
}

// JoinPartRecords returns the provenance of the terms of several parts of the same whole, in any
// order. It is a [ErrParts] if they have a number twice, or are not of the same whole.
func JoinPartRecords(parts []Provenance) (joined Provenance, err error) {
	if len(parts) == 0 {
		return joined, usage.Errorf("nothing to join")
	}
	which := make([]*Part, len(parts))
	for i, p := range parts {
		which[i] = p.Part
		p.Part = nil
		switch {
		case i == 0:
			joined = p
		case !sameRecord(p, joined):
			return joined, fmt.Errorf("%w: %s is of other documents than %s, or they were read otherwise", ErrParts, which[i], which[0])
		}
	}
	joined.Part, err = joinParts(which)
	return joined, err
}

// sameRecord reports whether two records say the same, whether or not they come from a file.
func sameRecord(a, b Provenance) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
