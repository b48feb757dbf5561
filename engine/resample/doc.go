// Package resample asks of a ranking or selection how much of it is chance, by making it
// again from permuted labels or from samples of the documents.
//
// It takes a [corpus.Corpus]. [Permute] gives [Permutations], the p-value of every term
// under permutations of the labels. [MeasureStability] gives [Stability]: how often samples
// of the documents select each term, and how far their selections agree. Both read the
// index alone; nothing is analysed or built anew.
//
// Begin reading with Permute in permute.go and MeasureStability in stability.go. All
// that is random comes from package draw: results depend on the seed alone, not on the threads.
//
// The package never changes the corpus and never makes a selection to use.
package resample
