// Package ranges scores columns of a matrix by measures that count documents.
//
// It takes the numbers of documents of one class after another ([Counter]), cut into ranges
// of columns, and computes the values of one range after the other ([Scorer]): its cells
// are put in the order of its terms, the most frequent first, which is what a
// [score.Panel] wants, and never leave the caches. Begin reading with [Scorer.Score].
// Measures that are the largest deviation need no cells: [Planes] keep the numbers as they
// were counted.
//
// Of the matrix it sees the elements of one document at a time.
package ranges
