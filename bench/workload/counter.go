package workload

import "slices"

// A counter makes the terms of a document of its tokens.
type counter struct {
	number []uint32 // rank -> number of the term; nil: the rank itself
	times  []uint32 // that the term occurs in the document at hand, else 0
}

// count appends the terms with these ranks, ascending by number, and how often
// each of them occurs.
func (c *counter) count(l *law, ranks, terms, counts []uint32) (_, _ []uint32) {
	if c.times == nil {
		c.times = make([]uint32, l.Terms)
	}
	from := len(terms)
	for _, t := range ranks {
		if c.number != nil {
			t = c.number[t]
		}
		if c.times[t] == 0 {
			terms = append(terms, t)
		}
		c.times[t]++
	}
	slices.Sort(terms[from:])
	for _, t := range terms[from:] {
		counts = append(counts, c.times[t])
		c.times[t] = 0
	}
	return terms, counts
}
