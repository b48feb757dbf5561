// Package tally counts the terms of documents straight into the cells of their classes,
// without postings: its memory grows with the terms and cells, not with the text.
//
// It takes the term counts of a document with its classes ([Tally.Add]) and gives
// [table.Table] ([Tally.Statistics]), those that an index of the same documents gives.
// It counts whole numbers only, whose sums do not depend on their order. Begin reading at
// [Tally] in tally.go.
package tally
