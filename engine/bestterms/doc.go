// Package bestterms chooses terms by the algorithm Best Terms of Fragoudis, Meretakis
// and Likothanassis (KAIS 8(1), 2005): of every document in a class the best term that
// indicates the class, then of every other document with one of these the best term that
// indicates the rest.
//
// It takes a [corpus.Corpus] and [Options], and gives a [Choice]: for each class its
// positive and negative terms and the documents that have a positive one. A Choice
// becomes one list of features (Selection), the rows of one class against the rest
// (OneAgainstRest), or a file (WriteTSV).
//
// Begin with [Choose] in bestterms.go and search.chooseForClass in search.go, which is
// the algorithm; best.go is its inner loop, side.go and positive.go are the formulas.
//
// The package never ranks terms, computes weights or trains a classifier.
package bestterms
