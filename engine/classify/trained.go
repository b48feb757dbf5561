package classify

// trained is what naive Bayes, the centroids and the neighbours have in common.
type trained struct{ header }

func newTrained(kind string, m *Matrix, sizes []float64) trained {
	return trained{headerOf(kind, m, sizes)}
}

// Assign appends the class with the highest score, the first of several: the scores
// of these models decide among the classes, not about each. Without evidence no class
// is assigned.
func (x *trained) Assign(dst []uint32, scores []float64, evidence bool) []uint32 {
	if !evidence {
		return dst
	}
	return append(dst, best(scores))
}
