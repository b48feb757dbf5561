// Package selection chooses terms by a measure: as many as a [Criterion] says, for all
// classes together or for each class, among all terms or those of an earlier selection.
//
// It takes a corpus, or its statistics, and [Options] and returns a [Selection], which it writes to
// features.tsv and reads again. Begin reading at [Select]. Package vectors turns documents
// into vectors of the selected terms.
package selection
