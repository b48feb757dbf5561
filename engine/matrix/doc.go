// Package matrix counts terms in classes from a sparse matrix of the caller's, without an
// index: what CountVectorizer or another program has counted already.
//
// It takes a [Matrix], in rows or columns as scipy has them, and the [Labels] of its
// documents, and gives the statistics that rankings are made of. Measures have the same
// bits as from an index of the same documents.
//
// Begin reading with [Matrix.Statistics] in matrix.go.
//
// The package never makes postings of a matrix of counts, and copies none that is by rows.
package matrix
