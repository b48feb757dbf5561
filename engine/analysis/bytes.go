package analysis

// Bytes returns about how much memory the counter and the names of its terms take: the
// tables, and twice the text of the names, for [Counter.Names] and for its caller.
func (c *Counter) Bytes() int64 {
	const longWord = 64 // of a map, beside the text
	n := 24*len(c.seen.slots) + longWord*(len(c.seen.long)+len(c.terms)) + 3*len(c.names) + 8*len(c.ends) + 4*len(c.counts)
	if c.han != nil {
		n += 8 * len(c.han.seen.slots)
	}
	if g := c.grams; g != nil {
		word := 1 + len(c.names)/max(len(c.ends), 1)
		n += 16*len(g.slots) + 8*len(g.parts) + 4*len(g.words) + 4*len(g.units) + 2*g.most*word*len(g.units)
	}
	return int64(n)
}
