package analysis

import (
	"bytes"
	"slices"
)

// matches appends the terms of the tokens that a pattern finds in a text to c.ids. They are looked up
// as runs are, many at once.
func (c *Counter) matches(text []byte) {
	c.lower = slices.Grow(append(c.lower[:0], text...), inlineBytes)
	padded := c.lower[:len(text)+inlineBytes]
	inMap := bytes.IndexByte(text, 0) >= 0
	runs, m := &c.runs, 0
	c.finder.Each(c.lower, func(from, to int) {
		k := mapped
		if n := to - from; 0 < n && n <= inlineBytes && !inMap {
			k = leadingKey(padded[from:], n)
		}
		runs.add(m, k, from, to)
		if m++; m == batchRuns {
			c.lookUp(m)
			m = 0
		}
	})
	c.lookUp(m)
}
