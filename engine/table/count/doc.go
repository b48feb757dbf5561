// Package count counts the terms of documents into the cells of a table: the one counter.
//
// It takes documents by the numbers of their terms, with whole counts, and gives cells. The counts of
// the terms in one class are numbers in an array, which serves one class after the other. [Rows.Count]
// counts documents that are there, all of a class together; a [Tally] those of a stream, which
// wait until there are enough of them. Sums of whole numbers do not depend on their order.
//
// Begin reading at [Rows] in rows.go, then counter.go. The package keeps no documents.
package count
