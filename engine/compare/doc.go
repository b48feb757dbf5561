// Package compare tells how much rankings of terms agree.
//
// It takes several rankings of the terms of one corpus ([Rankings]), or several lists of
// terms ([Lists]), and gives a [Comparison]: for every pair Kendall's tau-b and, for the k
// best terms, the number shared, Jaccard's index and rank-biased overlap; and the terms
// that only some of the lists have.
//
// Begin reading with Rankings in compare.go. overlap.go compares the best terms, kendall.go
// the whole order.
//
// The package never makes a ranking and never reads a corpus.
package compare
