package bagofwords

// SmallShares makes texts of any size worth several workers, until the test ends.
func SmallShares(t interface{ Cleanup(func()) }) {
	before := leastShare
	leastShare = 1
	t.Cleanup(func() { leastShare = before })
}

// SmallGrowth gives counters up as soon as texts have terms that are no terms of the vocabulary, until the test
// ends.
func SmallGrowth(t interface{ Cleanup(func()) }) {
	before := mostGrowth
	mostGrowth = 1
	t.Cleanup(func() { mostGrowth = before })
}

// IdleTerms returns the number of terms of each counter of a vocabulary that no call has.
func IdleTerms(v *Vocabulary) (terms []int) {
	for _, p := range v.counters.free {
		terms = append(terms, p.counter.Len())
	}
	return terms
}
