// Package projection maps terms to classes, and documents to vectors with a dimension for
// each class, as Zheng, Liu, Teng and Sun do (AIRS 2009): a term belongs to the class with
// its largest chi-square on tokens, and a document's weight for a class is the sum of the
// weights of its terms that belong to it.
//
// It takes a [corpus.Corpus] with token counts and [Options], and gives a [Projection]: the
// projected terms with their classes, the vectors of documents, and a [Map] for models
// that have rows of their own. A [RuleScore] counts how often the class with the largest
// weight is right.
//
// Begin reading with [Project] in projection.go; columns.go projects the terms, vectors.go
// and map.go make vectors of documents.
//
// The package never makes a table of terms by classes, and never trains a classifier.
package projection
