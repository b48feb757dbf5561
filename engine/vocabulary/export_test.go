package vocabulary

// SmallShares makes texts of any size worth several workers, and has them cut into parts of so many bytes at most,
// until the test ends.
func SmallShares(t interface{ Cleanup(func()) }, most int64) {
	least, before := leastShare, mostShare
	leastShare, mostShare = 1, most
	t.Cleanup(func() { leastShare, mostShare = least, before })
}

// SmallGrowth gives counters up as soon as texts have terms that are no terms of the vocabulary, until the test
// ends.
func SmallGrowth(t interface{ Cleanup(func()) }) {
	before := mostGrowth
	mostGrowth = 1
	t.Cleanup(func() { mostGrowth = before })
}

// CounterTerms returns the number of terms of the counter that the next call to a vocabulary has.
func CounterTerms(v *Vocabulary) int {
	if p, ok := v.parts.Get().(*part); ok {
		return p.counter.Len()
	}
	return v.base().Len()
}
